/** Where the person is: the address of the page as a signal, and the ways to change it. */
import { signal } from "@preact/signals";

export type Place =
  | { view: "talk"; id: string }
  | { view: "runs" }
  | { view: "run"; id: string }
  | { view: "compare"; one: string; two: string }
  | { view: "memory" }
  | { view: "settings"; part: string }
  | { view: "costs" }
  | { view: "first" };

export function parse(path: string): Place {
  const [head = "", one = "", two = ""] = path.split("/").filter(Boolean).map(decodeURIComponent);
  switch (head) {
    case "c":
      return { view: "talk", id: one };
    case "runs":
      return one ? { view: "run", id: one } : { view: "runs" };
    case "compare":
      return { view: "compare", one, two };
    case "memory":
    case "costs":
      return { view: head };
    case "settings":
      return { view: "settings", part: one || "agent" };
    case "welcome":
      return { view: "first" };
    default:
      return { view: "talk", id: "" };
  }
}

export const place = signal<Place>(parse(location.pathname));

export function go(path: string, replace = false): void {
  if (path !== location.pathname) history[replace ? "replaceState" : "pushState"](null, "", path);
  place.value = parse(path);
}

/** Lets links inside the app change the place without loading the page again. */
export function install(): void {
  addEventListener("popstate", () => (place.value = parse(location.pathname)));
  addEventListener("click", (event) => {
    const link = (event.target as Element).closest?.("a");
    const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.defaultPrevented;
    if (!link || !plain || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
    if (link.pathname.startsWith("/api/") || (link.hash && link.pathname === location.pathname)) return;
    event.preventDefault();
    go(link.pathname);
  });
}
