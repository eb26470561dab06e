/** The failure of a run: its name, what happened, and what to do next. */
import type { ComponentChildren } from "preact";
import type { RunState } from "../compute/runState";
import { Icon } from "../parts/Icon";
import { Plain } from "../parts/Plain";
import { failureTitle } from "../words/sentences";

export function RunFailure({ runState, children }: { runState: RunState; children?: ComponentChildren }) {
  const head = failureTitle(runState.kind);
  return (
    <div class="failure" role="alert">
      <Icon name="warn" />
      <div>
        {head && (
          <p>
            <strong>{head}</strong>
          </p>
        )}
        <p>
          <Plain text={runState.error} />
        </p>
        {runState.fix && (
          <p class="fix">
            <Plain text={runState.fix} />
          </p>
        )}
      </div>
      {children}
    </div>
  );
}
