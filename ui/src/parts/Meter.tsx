/** A share of something limited, as a bar with its words. */
export function Meter({ label, part, text }: { label: string; part: number; text: string }) {
  const share = Math.max(0, Math.min(1, Number.isFinite(part) ? part : 0));
  return (
    <span class={`meter ${share > 0.9 ? "full" : share > 0.7 ? "high" : ""}`} title={`${label}: ${text}`}>
      <span class="track" role="meter" aria-label={label} aria-valuemin={0} aria-valuemax={100} aria-valuenow={Math.round(share * 100)} aria-valuetext={text}>
        <span class="fill" style={{ width: `${share * 100}%` }} />
      </span>
      <span class="figures">{text}</span>
    </span>
  );
}
