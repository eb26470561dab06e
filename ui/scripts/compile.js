// Checks the types of the web UI and of the extension. What both use is read once, and checked once, with the web UI.
import { resolve } from "node:path";
import ts from "typescript";

const UI = resolve(import.meta.dirname, "..");
const EXTENSION = resolve(UI, "../extension");
const parsed = new Map();

function createProgram(folder) {
  const path = resolve(folder, "tsconfig.json");
  const config = ts.getParsedCommandLineOfConfigFile(path, {}, { ...ts.sys, onUnRecoverableConfigFileDiagnostic: (one) => tell([one]) });
  const host = ts.createCompilerHost(config.options);
  const read = host.getSourceFile;
  host.getSourceFile = (name, ...rest) => {
    if (!parsed.has(name)) parsed.set(name, read(name, ...rest));
    return parsed.get(name);
  };
  return ts.createProgram({ rootNames: config.fileNames, options: config.options, configFileParsingDiagnostics: config.errors, host });
}

function tell(found) {
  const host = { getCanonicalFileName: (name) => name, getCurrentDirectory: () => UI, getNewLine: () => "\n" };
  process.stdout.write(ts.formatDiagnostics(ts.sortAndDeduplicateDiagnostics(found), host));
  if (found.length) process.exitCode = 1;
}

tell(ts.getPreEmitDiagnostics(createProgram(UI)));
const extension = createProgram(EXTENSION);
tell(extension.getConfigFileParsingDiagnostics());
for (const file of extension.getSourceFiles())
  if (file.fileName.startsWith(`${EXTENSION}/`)) tell(ts.getPreEmitDiagnostics(extension, file));
