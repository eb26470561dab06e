import { describe, expect, it } from "vitest";
import { Cutter } from "../src/api/stream";
import { ageGroup, formatBytes, formatCost, count, money, formatSpan } from "../src/compute/figures";
import { control, writeLabel } from "../src/compute/schema";
import { conditionOf, findMostUrgent } from "../src/compute/status";
import { Heights } from "../src/compute/window";
import { en } from "../src/words/en";
import { zh } from "../src/words/zh";
import { USED } from "./events";

describe("server-sent events", () => {
  const text = 'event: tool\nid: 3\ndata: {"a":1}\n\n: still here\n\nevent: content\ndata: one\ndata: two\n\n';

  it("are cut the same wherever the pieces end", () => {
    const whole = new Cutter().feed(text);
    expect(whole).toEqual([
      { event: "tool", id: "3", data: '{"a":1}' },
      { event: "content", id: "", data: "one\ntwo" },
    ]);
    for (let at = 1; at < text.length; at++) {
      const cutter = new Cutter();
      expect([...cutter.feed(text.slice(0, at)), ...cutter.feed(text.slice(at))]).toEqual(whole);
    }
  });
});

describe("figures", () => {
  it("money is in cents below a dollar, and never a zero that is none", () => {
    expect([0, 0.00001, 0.0031, 0.05, 1.5].map(money)).toEqual(["0 ¢", "< 0.01 ¢", "0.31 ¢", "5.0 ¢", "$1.50"]);
  });

  it("an unknown price reads unknown, a part of one at least, an estimate about", () => {
    expect(formatCost({ ...USED, cost: 0, priced: false }, en)).toBe("unknown");
    expect(formatCost({ ...USED, priced: false }, en)).toBe("at least 0.10 ¢");
    expect(formatCost({ ...USED, estimated: true }, en)).toBe("about 0.10 ¢");
  });

  it("times, counts and sizes are short", () => {
    expect([0.04, 1.25, 12.4, 75, 119.6, 3700].map((each) => formatSpan(each))).toEqual(["0.1 s", "1.3 s", "12 s", "1 min 15 s", "2 min 0 s", "1 h 1 min"]);
    expect([999, 5610, 45_000, 2_500_000].map(count)).toEqual(["999", "5.6k", "45k", "2.5M"]);
    expect([900, 45_000, 1_117_320_768].map(formatBytes)).toEqual(["900 B", "45 KB", "1.12 GB"]);
  });

  it("days are texts as people tell them", () => {
    const now = new Date(2026, 10, 15, 1);
    expect(ageGroup(new Date(2026, 10, 14, 23).toISOString(), now)).toBe("yesterday");
    expect(ageGroup(new Date(2026, 10, 15, 0, 30).toISOString(), now)).toBe("today");
    expect(ageGroup(new Date(2026, 10, 1).toISOString(), now)).toBe("older");
  });
});

describe("states", () => {
  it("have eight names, and what waits for the person comes first", () => {
    expect(conditionOf("awaiting_approval", null)).toBe("waiting");
    expect(conditionOf("ended", "out_of_budget")).toBe("broke");
    expect(findMostUrgent(["done", "working", "waiting"])).toBe("waiting");
    expect(findMostUrgent([])).toBeNull();
  });
});

describe("a long list", () => {
  const keys = Array.from({ length: 10_000 }, (_, at) => `${at}`);

  it("draws what is in sight with some to spare, and leaves room for the rest", () => {
    const span = new Heights(30).span(keys, 3000, 3600, 300);
    expect(span).toEqual({ from: 89, to: 130, above: 2670, below: 296_100 });
  });

  it("takes the true heights once they are measured", () => {
    const heights = new Heights(30);
    expect(heights.set("0", 130)).toBe(true);
    expect(heights.set("0", 130)).toBe(false);
    expect(heights.top(keys, 2)).toBe(160);
  });
});

describe("settings", () => {
  const schema = {
    properties: { agent: { $ref: "#/$defs/Agent" }, policy: { $ref: "#/$defs/Policy" } },
    $defs: {
      Agent: {
        properties: {
          style: { enum: ["direct", "balanced"] },
          steps: { type: "integer", minimum: 1, maximum: 500 },
          cents: { anyOf: [{ type: "number", minimum: 0 }, { type: "null" }] },
          off: { type: "array", items: { type: "string" } },
          key: { type: "string", format: "password" },
        },
      },
      Policy: { properties: { rules: { type: "array", items: { $ref: "#/$defs/Rule" } } } },
      Rule: { properties: { then: { enum: ["allow", "deny"] }, site: { type: "string" } } },
    },
  };

  it("get the control that fits their type", () => {
    const kinds = ["agent.style", "agent.steps", "agent.cents", "agent.off", "agent.key", "agent.none"].map((path) => control(schema, path));
    expect(kinds).toEqual([
      { kind: "choice", options: ["direct", "balanced"] },
      { kind: "number", whole: true, least: 1, most: 500 },
      { kind: "number", whole: false, least: 0 },
      { kind: "list" },
      { kind: "secret" },
      { kind: "text" },
    ]);
    expect(control(schema, "policy.rules")).toEqual({ kind: "rules", fields: { then: ["allow", "deny"], site: [] } });
  });

  it("are named as people read them", () => {
    expect(writeLabel("agent.input_timeout")).toBe("Input timeout");
  });
});

describe("the words", () => {
  const leaves = (value: unknown, path = ""): string[] =>
    value && typeof value === "object" ? Object.entries(value).flatMap(([key, inner]) => leaves(inner, `${path}.${key}`)) : [path];
  const texts = (value: unknown): string[] =>
    typeof value === "string" ? [value] : value && typeof value === "object" ? Object.values(value).flatMap(texts) : [];

  it("are all there in Chinese", () => {
    expect(leaves(zh).sort()).toEqual(leaves(en).sort());
    expect(texts(zh).filter((text) => text === "")).toEqual([]);
  });

  it("never shout", () => {
    expect(texts([en, zh]).filter((text) => /[!！]/.test(text))).toEqual([]);
  });
});
