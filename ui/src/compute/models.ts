/** Which model can go on where a small one failed. */
import type { Model } from "../api/types";

/** The first model that is ready and not small; none where the model that failed is not known to be small. */
export function findLargerModel(models: Model[], failed: string): Model | undefined {
  if (!models.some((each) => each.name === failed && each.small)) return undefined;
  return models.find((each) => !each.small && !each.missing);
}
