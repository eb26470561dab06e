/** What kind of control a setting needs, read from the JSON schema of all settings. */
export type Kind =
  | { kind: "choice"; options: string[] }
  | { kind: "flag" }
  | { kind: "number"; least?: number; most?: number; whole: boolean }
  | { kind: "list" }
  | { kind: "pairs" }
  | { kind: "rules"; fields: Record<string, string[]> }
  | { kind: "secret" }
  | { kind: "text" };

type Schema = Record<string, unknown>;

export function control(schema: Schema, path: string): Kind {
  let here: Schema = schema;
  for (const name of path.split(".")) {
    const inner = (resolve(schema, here)["properties"] as Record<string, Schema> | undefined)?.[name];
    if (!inner) return { kind: "text" };
    here = resolve(schema, inner);
  }
  return readKind(schema, here);
}

function readKind(root: Schema, here: Schema): Kind {
  const any = here["anyOf"] as Schema[] | undefined;
  if (any) return readKind(root, any.find((each) => each["type"] !== "null") ?? {});
  if (Array.isArray(here["enum"])) return { kind: "choice", options: here["enum"].map(String) };
  if (here["format"] === "password") return { kind: "secret" };
  switch (here["type"]) {
    case "boolean":
      return { kind: "flag" };
    case "array":
      return readRules(root, resolve(root, (here["items"] ?? {}) as Schema));
    case "object":
      return { kind: "pairs" };
    case "integer":
    case "number": {
      const least = here["minimum"] ?? here["exclusiveMinimum"];
      const most = here["maximum"];
      return {
        kind: "number",
        whole: here["type"] === "integer",
        ...(typeof least === "number" ? { least } : {}),
        ...(typeof most === "number" ? { most } : {}),
      };
    }
    default:
      return { kind: "text" };
  }
}

/** A list of objects becomes a table: a choice where the schema names the options, else free text. */
function readRules(root: Schema, item: Schema): Kind {
  const fields = item["properties"] as Record<string, Schema> | undefined;
  if (!fields) return { kind: "list" };
  const options = (field: Schema): string[] => {
    const here = resolve(root, field);
    const parts = (here["anyOf"] as Schema[] | undefined) ?? [here];
    return parts.flatMap((each) => ((each["enum"] as string[] | undefined) ?? (each["const"] ? [String(each["const"])] : [])));
  };
  return { kind: "rules", fields: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, options(field)])) };
}

function resolve(root: Schema, here: Schema): Schema {
  const link = (here["$ref"] ?? (here["allOf"] as Schema[] | undefined)?.[0]?.["$ref"]) as string | undefined;
  if (!link) return here;
  const found = link
    .replace("#/", "")
    .split("/")
    .reduce<unknown>((at, name) => (at as Schema | undefined)?.[name], root);
  return { ...(found as Schema), ...here };
}

/** `input_timeout` as people read it. */
export const writeLabel = (path: string) => {
  const name = (path.split(".").at(-1) ?? path).replaceAll("_", " ");
  return name.charAt(0).toUpperCase() + name.slice(1);
};
