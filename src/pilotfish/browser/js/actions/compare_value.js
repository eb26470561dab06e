// Compares what a field holds with what it should hold. A password is compared here and never returned. `begun` is the
// number of characters of the text that the field has so far, -1 where it holds something else.
(el, wanted, appended) => {
  const held = "value" in el ? String(el.value) : el.innerText.replace(/\n$/, "");
  const plain = (text) => text.replace(/\s+/g, " ").trim();
  const bare = (text) => text.replace(/[^\p{L}\p{N}]/gu, "").toLowerCase();
  const agrees = (one, two) => (appended ? one.endsWith(two) : one === two);
  return {
    same: agrees(plain(held), plain(wanted)),
    alike: bare(wanted) !== "" && agrees(bare(held), bare(wanted)),
    empty: held === "",
    begun: !appended && wanted.startsWith(held) ? held.length : -1,
    held: el.type === "password" ? "•".repeat(Math.min(held.length, 8)) : held.slice(0, 200),
  };
};
