/** The data that a run was asked for, as a table that can be downloaded. */
import { useState } from "preact/hooks";
import * as server from "../api/server";
import type { Run } from "../api/types";
import { type Place, fromSeveralSites, placeLink, placeText } from "../compute/places";
import type { DataRow, RunState } from "../compute/runState";
import { Icon } from "../parts/Icon";
import { words } from "../words";

/** So many rows are shown at first. */
const FIRST = 20;
const FORMATS = ["csv", "xlsx", "jsonl"] as const;

export function DataTable({ run, runState }: { run: Run; runState: RunState }) {
  const [whole, setWhole] = useState(false);
  const texts = words.value.runs;
  const rows = runState.data;
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const numeric = new Set(names.filter((name) => rows.some((row) => typeof row[name] === "number")));
  const linked = runState.places.some((each) => placeLink(each));
  return (
    <section class="data-table" aria-label={texts.data}>
      <div class="markdown" tabIndex={0} role="region" aria-label={texts.data}>
        <table>
          <thead>
            <tr>
              {names.map((name) => (
                <th key={name} scope="col" class={numeric.has(name) ? "number" : undefined}>
                  {name}
                </th>
              ))}
              {linked && <th scope="col">{texts.place}</th>}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, whole ? rows.length : FIRST).map((row, at) => (
              <tr key={at}>
                {names.map((name) => (
                  <td key={name} class={numeric.has(name) ? "number" : undefined}>
                    {writeValue(row, name)}
                  </td>
                ))}
                {linked && <PlaceCell place={runState.places[at]} />}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div class="data-tools">
        {rows.length > FIRST && (
          <button type="button" class="quiet" aria-expanded={whole} onClick={() => setWhole(!whole)}>
            {whole ? words.value.run.fewer : texts.allRows(rows.length)}
          </button>
        )}
        {runState.state === "ended" &&
          runState.outcome === "completed" &&
          FORMATS.map((format) => (
            <a key={format} class="button" download href={server.exportAddress(run.id, format, fromSeveralSites(runState.places))}>
              <Icon name="save" /> <span>{format.toUpperCase()}</span>
            </a>
          ))}
      </div>
    </section>
  );
}

function PlaceCell({ place }: { place: Place | undefined }) {
  const link = placeLink(place);
  return (
    <td>
      {link && (
        <a href={link} target="_blank" rel="noopener noreferrer" title={placeText(place)}>
          {new URL(link).hostname}
        </a>
      )}
    </td>
  );
}

function writeValue(row: DataRow, name: string): string {
  const value = row[name];
  return value === null || value === undefined ? "" : String(value);
}
