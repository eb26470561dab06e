/** The open view: the page's address as a signal, and functions that change it. */
import { signal } from "@preact/signals";

export type Route =
  | { view: "conversation"; id: string }
  | { view: "runs" }
  | { view: "run"; id: string }
  | { view: "compare"; one: string; two: string }
  | { view: "memory" }
  | { view: "schedules" }
  | { view: "shortcuts" }
  | { view: "settings"; part: string }
  | { view: "costs" }
  | { view: "welcome" };

export function parse(path: string): Route {
  const [head = "", one = "", two = ""] = path.split("/").filter(Boolean).map(decodeURIComponent);
  switch (head) {
    case "c":
      return { view: "conversation", id: one };
    case "runs":
      return one ? { view: "run", id: one } : { view: "runs" };
    case "compare":
      return { view: "compare", one, two };
    case "memory":
    case "schedules":
    case "shortcuts":
    case "costs":
      return { view: head };
    case "settings":
      return { view: "settings", part: one || "agent" };
    case "welcome":
      return { view: "welcome" };
    default:
      return { view: "conversation", id: "" };
  }
}

export const route = signal<Route>(parse(location.pathname));

export function go(path: string, replace = false): void {
  if (path !== location.pathname) history[replace ? "replaceState" : "pushState"](null, "", path);
  route.value = parse(path);
}

/** Lets links inside the app change the route without loading the page again. */
export function install(): void {
  addEventListener("popstate", () => (route.value = parse(location.pathname)));
  addEventListener("click", (event) => {
    const link = (event.target as Element).closest?.("a");
    const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.defaultPrevented;
    if (!link || !plain || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
    if (link.pathname.startsWith("/api/") || link.pathname.startsWith("/answer/") || (link.hash && link.pathname === location.pathname)) return;
    event.preventDefault();
    go(link.pathname);
  });
}
