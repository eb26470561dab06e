/** What agents may use, tool by tool. */
import * as server from "../api/server";
import type { Tool } from "../api/types";
import { Skeleton } from "../parts/Skeleton";
import { useLoaded } from "../state/loaded";
import { attempt } from "../state/session";
import { settingTexts, words } from "../words";

export function Tools({ onChange }: { onChange: () => Promise<void> }) {
  const [list, read] = useLoaded(server.tools);
  const toggle = async (tool: Tool) => {
    const off = (list.value ?? []).filter((each) => (each.name === tool.name ? tool.enabled : !each.enabled));
    await attempt(() => server.set("agent.disabled_tools", off.map((each) => each.name)));
    await Promise.all([read(), onChange()]);
  };
  if (!list.value) return <Skeleton />;
  const all = list.value;
  const groups = [...new Set(all.map((tool) => tool.group))];
  return (
    <>
      {groups.map((group) => (
        <section key={group}>
          <h2>{settingTexts.value.groups[group] ?? group}</h2>
          {all
            .filter((tool) => tool.group === group)
            .map((tool) => (
              <div class="setting" key={tool.name}>
                <label for={`tool-${tool.name}`}>{tool.name.replaceAll("_", " ")}</label>
                <input id={`tool-${tool.name}`} type="checkbox" role="switch" class="switch" checked={tool.enabled} onChange={() => void toggle(tool)} />
                <p class="about">{settingTexts.value.tools[tool.name] ?? tool.about.split("\n")[0]}</p>
              </div>
            ))}
        </section>
      ))}
      {!all.length && <p class="hint">{words.value.settings.none}</p>}
    </>
  );
}
