import { describe, expect, it } from "vitest";
import { called, completed, NAME, named, suggested } from "../src/fold/shortcuts";

describe("a message that begins with a slash", () => {
  it("names a shortcut and the values of its parameters", () => {
    expect(called('/mill name="Oat bowl" size=2')).toEqual({ name: "mill", values: { name: "Oat bowl", size: "2" } });
    expect(called(" /mill ")).toEqual({ name: "mill", values: {} });
  });

  it("is an ordinary message where no name follows", () => {
    expect(called("/ what is this?")).toBeNull();
    expect(called("and/or")).toBeNull();
    expect(called("/Users/ann/file")).toBeNull();
  });

  it("suggests what begins like it, and nothing once the name is complete", () => {
    const all = [{ name: "mill" }, { name: "mail" }, { name: "tea" }];
    expect(suggested("/m", all).map((each) => each.name)).toEqual(["mill", "mail"]);
    expect(suggested("/", all)).toHaveLength(3);
    expect(suggested("/mill name", all)).toEqual([]);
    expect(suggested("m", all)).toEqual([]);
  });

  it("is completed with places for the values", () => {
    expect(completed({ name: "mill", parameters: { name: "x", size: "y" } })).toEqual({ text: '/mill name="" size=""', at: 12 });
    expect(completed({ name: "mill" })).toEqual({ text: "/mill", at: 5 });
  });
});

it("makes names of words", () => {
  expect(named("Oat bowl, large")).toBe("oat-bowl-large");
  expect(named("Café 3")).toBe("cafe-3");
  expect(named("麦碗")).toBe("");
  expect(new RegExp(`^${NAME}$`).test(named("x".repeat(80)))).toBe(true);
});
