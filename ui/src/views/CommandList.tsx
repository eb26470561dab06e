/** The shortcuts that fit what is being written after a slash; Tab or a click takes one. */
import * as composer from "../state/composer";
import { words } from "../words";

export function CommandList({ take }: { take: (name: string) => void }) {
  const fitting = composer.fittingShortcuts.value;
  if (!fitting.length) return null;
  return (
    <ul class="commands" aria-label={words.value.compose.shortcuts}>
      {fitting.map((each) => (
        <li key={each.name}>
          <button type="button" onMouseDown={(event) => event.preventDefault()} onClick={() => take(each.name)}>
            <code>/{each.name}</code>
            <span class="clip">{each.task}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
