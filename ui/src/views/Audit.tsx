/** The audit of a run: decisions, approvals, uses of secrets, refused requests. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import * as safety from "../api/safety";
import { Dialog } from "../parts/Dialog";
import { Icon } from "../parts/Icon";
import { attempt } from "../state/session";
import { formatMoment, words } from "../words";

export function AuditDialog({ run, onClose }: { run: string; onClose: () => void }) {
  const texts = words.value.audit;
  const report = useSignal<safety.Audit | null>(null);
  useEffect(() => void attempt(() => safety.audit(run)).then((found) => (report.value = found ?? null)), [run]);
  const lines = report.value?.lines ?? [];
  return (
    <Dialog title={texts.head} onClose={onClose} wide>
      {report.value && !lines.length && <p class="hint">{texts.none}</p>}
      {lines.length > 0 && (
        <div class="scroll" tabIndex={0}>
          <table class="audit">
            <thead>
              <tr>
                {[texts.time, texts.kind, texts.what, texts.outcome, texts.why].map((each) => (
                  <th key={each}>{each}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {lines.map((line) => (
                <tr key={`${line.seq}${line.kind}`}>
                  <td class="facts">{formatMoment(line.at)}</td>
                  <td>{texts.kinds[line.kind] ?? line.kind}</td>
                  <td>{line.what}</td>
                  <td>{[texts.outcomes[line.outcome] ?? line.outcome, line.by].filter(Boolean).join(" · ")}</td>
                  <td class="facts">{line.why}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <footer>
        <a class="button" href={safety.signed(run)} download>
          <Icon name="save" />
          <span>{texts.export}</span>
        </a>
      </footer>
    </Dialog>
  );
}
