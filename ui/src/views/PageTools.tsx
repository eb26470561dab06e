/** The tools that the page in front offers to agents, in the page's own words. */
import { host } from "../compute/rows";
import * as live from "../state/live";
import { words } from "../words";

export function PageTools() {
  const texts = words.value.live;
  const tab = live.front.value;
  const tools = tab?.tools ?? [];
  if (!tab || !tools.length) return null;
  return (
    <details class="pagetools">
      <summary>{texts.tools(tools.length)}</summary>
      <p class="facts">{texts.toolsHint}</p>
      <ul>
        {tools.map((tool) => (
          <li key={tool.name}>
            <code>page.{tool.name}</code> <span class="facts">{texts.toolKinds[tool.kind]}</span>
            {tool.origin && host(tool.origin) !== host(tab.url) && <span class="facts"> · {host(tool.origin)}</span>}
            {tool.description && <p>{tool.description}</p>}
          </li>
        ))}
      </ul>
    </details>
  );
}
