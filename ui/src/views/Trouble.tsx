/** How a run went wrong: what it is called, what happened, the one thing to do next. */
import type { ComponentChildren } from "preact";
import type { Story } from "../fold/story";
import { Icon } from "../parts/Icon";
import { Plain } from "../parts/Plain";
import { trouble } from "../words/told";

export function Trouble({ story, children }: { story: Story; children?: ComponentChildren }) {
  const head = trouble(story.kind);
  return (
    <div class="trouble" role="alert">
      <Icon name="warn" />
      <div>
        {head && (
          <p>
            <strong>{head}</strong>
          </p>
        )}
        <p>
          <Plain text={story.error} />
        </p>
        {story.fix && (
          <p class="fix">
            <Plain text={story.fix} />
          </p>
        )}
      </div>
      {children}
    </div>
  );
}
