// The address of the page's icon: the one that the page names, else the usual one; "" where there can be none.
() => {
  if (!/^https?:/.test(location.protocol)) return "";
  const named = [...document.querySelectorAll("link[rel~='icon' i][href]")];
  const small = named.find((link) => /\b(16|24|32|48)x/.test(link.sizes?.value ?? "")) ?? named.at(-1);
  return small?.href || new URL("/favicon.ico", location.href).href;
};
