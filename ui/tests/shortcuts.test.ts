import { describe, expect, it } from "vitest";
import { parseShortcutCall, completeShortcut, NAME, makeShortcutName, suggestShortcuts } from "../src/compute/shortcuts";

describe("a message that begins with a slash", () => {
  it("names a shortcut and the values of its parameters", () => {
    expect(parseShortcutCall('/mill name="Oat bowl" size=2')).toEqual({ name: "mill", values: { name: "Oat bowl", size: "2" } });
    expect(parseShortcutCall(" /mill ")).toEqual({ name: "mill", values: {} });
  });

  it("is an ordinary message where no name follows", () => {
    expect(parseShortcutCall("/ what is this?")).toBeNull();
    expect(parseShortcutCall("and/or")).toBeNull();
    expect(parseShortcutCall("/Users/ann/file")).toBeNull();
  });

  it("suggests what begins like it, and nothing once the name is complete", () => {
    const all = [{ name: "mill" }, { name: "mail" }, { name: "tea" }];
    expect(suggestShortcuts("/m", all).map((each) => each.name)).toEqual(["mill", "mail"]);
    expect(suggestShortcuts("/", all)).toHaveLength(3);
    expect(suggestShortcuts("/mill name", all)).toEqual([]);
    expect(suggestShortcuts("m", all)).toEqual([]);
  });

  it("is completed with places for the values", () => {
    expect(completeShortcut({ name: "mill", parameters: { name: "x", size: "y" } })).toEqual({ text: '/mill name="" size=""', at: 12 });
    expect(completeShortcut({ name: "mill" })).toEqual({ text: "/mill", at: 5 });
  });
});

it("makes names of words", () => {
  expect(makeShortcutName("Oat bowl, large")).toBe("oat-bowl-large");
  expect(makeShortcutName("Café 3")).toBe("cafe-3");
  expect(makeShortcutName("麦碗")).toBe("");
  expect(new RegExp(`^${NAME}$`).test(makeShortcutName("x".repeat(80)))).toBe(true);
});
