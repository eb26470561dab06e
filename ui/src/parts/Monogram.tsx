/** The first letter of a site in a colour of its own: an icon that needs no request to another server. */
export function Monogram({ url }: { url: string }) {
  const name = URL.canParse(url) ? new URL(url).hostname.replace(/^www\./, "") : "";
  const sum = [...name].reduce((total, letter) => (total * 31 + letter.charCodeAt(0)) % 360, 7);
  return (
    <span class="monogram" aria-hidden="true" data-hue={Math.round(sum / 60) % 6}>
      {(name[0] ?? "·").toUpperCase()}
    </span>
  );
}
