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

  it("is the largest embedded one that is here, where only small ones are ready", () => {
    const sized = (name: string, size: number, missing = "") => ({ ...model(name, true, missing), size });
    const models = [sized("embedded:a", 1), sized("embedded:b", 2), sized("embedded:c", 3), sized("embedded:d", 4, "Pull it.")];
    expect(findLargerModel(models, "embedded:a")?.name).toBe("embedded:c");
    expect(findLargerModel(models, "embedded:c")).toBeUndefined();
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
