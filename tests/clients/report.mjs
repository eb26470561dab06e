// What the scripts in JavaScript share: where the server is, and one line of JSON for each feature that was tried.
import { createRequire } from "node:module";
import { join } from "node:path";

export const { PILOTFISH_URL: url, PILOTFISH_TOKEN: token, PILOTFISH_PAGE: page } = process.env;
// The clients are installed where the script is started, not beside it.
export const load = createRequire(join(process.cwd(), "package.json"));

export async function check(feature, work) {
  let why = "";
  try {
    await work();
  } catch (error) {
    why = String(error?.message ?? error).slice(0, 500) || "failed";
  }
  console.log(JSON.stringify({ feature, why }));
}

export function same(found, wanted) {
  const [one, other] = [JSON.stringify(found), JSON.stringify(wanted)];
  if (one !== other) throw new Error(`${one} is not ${other}`);
}

export function holds(fact, what) {
  if (!fact) throw new Error(what);
}

/** The runs that were given this task. */
export async function runs(text) {
  const asked = `${url}/api/runs?${new URLSearchParams({ text })}`;
  const found = await (await fetch(asked, { headers: { authorization: `Bearer ${token}` } })).json();
  return found.items.filter((run) => run.task === text);
}

export async function stopped(text) {
  for (let left = 100; left; left -= 1) {
    const [run] = await runs(text);
    if (run?.outcome) return same(run.outcome, "stopped");
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`the run of ${text} goes on`);
}
