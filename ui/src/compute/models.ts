/** Which model can go on where a small one failed, and which others can answer anew. */
import type { Model } from "../api/types";

/** The first model that is ready and not small, else the largest embedded one that is ready and larger than the model
 *  that failed; none where that is not known to be small. */
export function findLargerModel(models: Model[], failed: string): Model | undefined {
  const used = models.find((each) => each.name === failed && each.small);
  if (!used) return undefined;
  const ready = models.filter((each) => !each.missing).sort((one, other) => other.size - one.size);
  const larger = used.size ? ready.find((each) => each.size > used.size) : undefined;
  return models.find((each) => !each.small && !each.missing) ?? larger;
}

const MOST = 4;

/** The names of ready models but the one that answered, few enough for a menu. */
export function listOthers(models: Model[], used: string): string[] {
  return models.filter((each) => !each.missing && each.name !== used).map((each) => each.name).slice(0, MOST);
}
