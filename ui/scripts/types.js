/** Writes src/api/schema.ts: the types of everything the server sends, from its own OpenAPI document. */
import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import openapi, { astToString } from "openapi-typescript";

const ASK = `
import json
from fastapi import FastAPI
from pilotfish.interfaces.web_server.app import PARTS
app = FastAPI(title="Pilotfish")
for part in PARTS:
    app.include_router(part.router)
print(json.dumps(app.openapi()))
`;
const here = new URL("../../.venv/bin/python", import.meta.url).pathname;
const python = process.env.PILOTFISH_PYTHON ?? (existsSync(here) ? here : "python3");
const openapiJson = execFileSync(python, ["-c", ASK], { encoding: "utf8", maxBuffer: 1 << 26 });
const target = new URL("../src/api/schema.ts", import.meta.url);
writeFileSync(target, astToString(await openapi(JSON.parse(openapiJson))));
