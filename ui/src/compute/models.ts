/** Which model can go on where a small one failed, and which others can answer anew. */
import type { Model } from "../api/types";

/** The first model that is ready and not small; none where the model that failed is not known to be small. */
export function findLargerModel(models: Model[], failed: string): Model | undefined {
  if (!models.some((each) => each.name === failed && each.small)) return undefined;
  return models.find((each) => !each.small && !each.missing);
}

const MOST = 4;

/** The names of ready models but the one that answered, few enough for a menu. */
export function listOthers(models: Model[], used: string): string[] {
  return models.filter((each) => !each.missing && each.name !== used).map((each) => each.name).slice(0, MOST);
}
