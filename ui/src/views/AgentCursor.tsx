/** The agent's cursor over the picture, and a frame around the element that it is about to touch. */
import { useEffect, useState } from "preact/hooks";
import * as live from "../state/live";

const SHOWN = 1600;

export function AgentCursor() {
  const aim = live.agentTarget.value;
  const [bright, setBright] = useState(false);
  useEffect(() => {
    if (!aim) return;
    setBright(true);
    const timer = setTimeout(() => setBright(false), SHOWN);
    return () => clearTimeout(timer);
  }, [aim]);
  if (!aim || aim.tab !== live.shown.value || live.personDrives.value || live.frozen.value) return null;
  const { width, height } = live.size.value;
  return <CursorMark aim={aim} width={width} height={height} bright={bright} />;
}

/** Drawn in the page's own pixels: the view box fits them to the picture however large it is shown. */
export function CursorMark({ aim, width, height, bright }: { aim: live.Aim; width: number; height: number; bright: boolean }) {
  const [x, y, wide, high] = aim.box;
  const [left, top] = [Math.max(2, x - 3), Math.max(2, y - 3)];
  const right = Math.min(width - 2, x + wide + 3);
  const bottom = Math.min(height - 2, y + high + 3);
  return (
    <svg class={`agent-cursor ${bright ? "bright" : ""}`} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <rect x={left} y={top} width={Math.max(0, right - left)} height={Math.max(0, bottom - top)} rx={6} />
      <g style={{ transform: `translate(${aim.point[0]}px, ${aim.point[1]}px)` }}>
        <path d="M0 0v34l8-7 6 14 7-3-6-13h11z" />
      </g>
    </svg>
  );
}
