// Checks that every name that a page script uses is defined: by it, by the scripts of its bundle, or by browsers. What
// browsers call like that by accident, such as `name` and `status`, does not count. Types are not checked.
import { readdirSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import ts from "typescript";

const ROOT = resolve(import.meta.dirname, "../..");
const SCRIPTS = join(ROOT, "src/pilotfish/browser/js");
// TypeScript's numbers for names that nothing defines.
const UNKNOWN = new Set([2304, 2552, 18004]);
const ACCIDENTAL = new Set("blur close closed event external find focus length moveTo name open origin print scroll status stop".split(" "));
const OPTIONS = { allowJs: true, checkJs: true, noEmit: true, types: [], moduleDetection: ts.ModuleDetectionKind.Legacy, target: ts.ScriptTarget.ESNext };

const host = ts.createCompilerHost(OPTIONS);
const read = host.getSourceFile;
const parsed = new Map();
host.getSourceFile = (name, ...rest) => {
  if (!parsed.has(name)) parsed.set(name, read(name, ...rest));
  return parsed.get(name);
};

const listScripts = (...folders) =>
  folders.flatMap((folder) =>
    readdirSync(join(SCRIPTS, folder), { withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith(".js"))
      .map((entry) => join(SCRIPTS, folder, entry.name)),
  );

// The names that scripts define at their top, which all scripts of a bundle see.
const listTopNames = (file) =>
  file.statements.flatMap((one) => (one.name ? [one] : (one.declarationList?.declarations ?? []))).map((one) => one.name.text);

const isDeclared = (symbol) => symbol?.declarations?.some((one) => !one.getSourceFile().isDeclarationFile);

function* findUnknown(program, file, shared) {
  for (const one of program.getSyntacticDiagnostics(file)) yield [one.start, ts.flattenDiagnosticMessageText(one.messageText, " ")];
  for (const one of program.getSemanticDiagnostics(file))
    if (UNKNOWN.has(one.code)) yield [one.start, ts.flattenDiagnosticMessageText(one.messageText, " ")];
  const checker = program.getTypeChecker();
  const found = [];
  const visit = (node) => {
    const used = ts.isIdentifier(node) && ACCIDENTAL.has(node.text) && !shared.has(node.text) && !(ts.isPropertyAccessExpression(node.parent) && node.parent.name === node);
    if (used && !isDeclared(checker.getSymbolAtLocation(node))) found.push([node.getStart(), `Nothing here defines '${node.text}'.`]);
    ts.forEachChild(node, visit);
  };
  visit(file);
  yield* found;
}

const told = [];
const scripts = [listScripts("."), listScripts("actions", "input")];
for (const paths of scripts) {
  const program = ts.createProgram(paths, OPTIONS, host);
  const files = program.getSourceFiles().filter((one) => !one.isDeclarationFile);
  const shared = new Set(files.flatMap(listTopNames));
  for (const file of files)
    for (const [at, why] of findUnknown(program, file, shared))
      told.push(`${relative(ROOT, file.fileName)}:${file.getLineAndCharacterOfPosition(at).line + 1}: ${why}`);
}
console.log(told.join("\n") || `${scripts.flat().length} page scripts use no unknown name.`);
process.exitCode = told.length ? 1 : 0;
