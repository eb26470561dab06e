import { describe, expect, it } from "vitest";
import type { Model } from "../src/api/types";
import { findLargerModel, listOthers } from "../src/compute/models";

const model = (name: string, small: boolean, missing = ""): Model => ({ name, small, missing, title: name, kind: "set", size: 0 });
const small = model("embedded:a", true);

describe("the model to go on with", () => {
  it("is the first that is ready and not small", () => {
    const models = [small, model("openai:b", false, "Set a key."), model("ollama:c", true), model("openai:d", false)];
    expect(findLargerModel(models, "embedded:a")?.name).toBe("openai:d");
  });

  it("is none where no larger one is ready, or where the one that failed is not small", () => {
    expect(findLargerModel([small, model("openai:b", false, "Set a key.")], "embedded:a")).toBeUndefined();
    expect(findLargerModel([small, model("openai:d", false)], "openai:d")).toBeUndefined();
    expect(findLargerModel([small, model("openai:d", false)], "")).toBeUndefined();
  });
});

describe("the models to try again with", () => {
  it("are those that are ready, but the one that answered", () => {
    const models = [small, model("openai:b", false, "Set a key."), model("ollama:c", true), model("openai:d", false)];
    expect(listOthers(models, "ollama:c")).toEqual(["embedded:a", "openai:d"]);
  });
});
