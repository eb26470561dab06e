/** The picture of the page. Mouse, wheel, keys and paste go to the page once the person has taken over. */
import { useEffect, useRef } from "preact/hooks";
import * as live from "../state/live";
import { words } from "../words";
import { AgentCursor } from "./AgentCursor";

const BUTTONS = ["left", "middle", "right"];
/** Keys that belong to this page, not to the one that is shown. */
const OURS = new Set(["F5", "F11", "F12"]);
const MOVES = 40;
/** How far a finger may slip, in pixels of the page, and still only touch. */
const SLACK = 12;

export function Screen() {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => drawFrames(canvas.current), []);
  const { width, height } = live.size.value;
  const texts = words.value.live;
  return (
    <div class="screen" style={{ aspectRatio: `${width} / ${height}` }}>
      <canvas
        ref={canvas}
        width={width}
        height={height}
        tabIndex={0}
        role="application"
        aria-label={`${texts.view}. ${live.personDrives.value ? `${texts.yours} ${texts.leave}` : texts.watch}`}
        onPointerDown={(event) => press(event, "down")}
        onPointerUp={(event) => press(event, "up")}
        onPointerMove={sendMove}
        onContextMenu={(event) => event.preventDefault()}
        onWheel={sendWheel}
        onKeyDown={(event) => key(event, "down")}
        onKeyUp={(event) => key(event, "up")}
        onPaste={(event) => {
          const text = event.clipboardData?.getData("text") ?? "";
          if (live.personDrives.value && text) live.send({ type: "paste", text });
        }}
      />
      <AgentCursor />
      {live.connection.value === "connecting" && <p class="overlay">{texts.connecting}</p>}
    </div>
  );
}

/** Draws the latest frame only: one that comes while another is being decoded takes its place. */
function drawFrames(canvas: HTMLCanvasElement | null): () => void {
  const pen = canvas?.getContext("2d", { alpha: false });
  let waiting: Blob | null = null;
  let at_work = false;
  const work = async () => {
    at_work = true;
    while (waiting && canvas && pen) {
      const next: Blob = waiting;
      waiting = null;
      const picture = await createImageBitmap(next).catch(() => null);
      if (!picture) continue;
      pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
      picture.close();
      canvas.dataset["frames"] = String(Number(canvas.dataset["frames"] ?? 0) + 1);
    }
    at_work = false;
  };
  live.screen.draw = (picture) => {
    waiting = picture;
    if (!at_work) void work();
  };
  return () => (live.screen.draw = () => {});
}

function framePosition(event: MouseEvent): { x: number; y: number } {
  const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
  const { width, height } = live.size.value;
  // The picture is fitted into its box, so there may be an empty margin at two of its sides.
  const scale = Math.min(box.width / width, box.height / height);
  const place = (at: number, start: number, room: number, most: number) =>
    Math.max(0, Math.min(most - 1, (at - start - (room - most * scale) / 2) / scale));
  return {
    x: place(event.clientX, box.left, box.width, width),
    y: place(event.clientY, box.top, box.height, height),
  };
}

/** Where a finger is, and whether it has moved: a finger that moves scrolls, one that rests clicks. */
let finger: { x: number; y: number; moved: boolean } | null = null;

function press(event: PointerEvent, action: "down" | "up"): void {
  const element = event.currentTarget as HTMLElement;
  element.focus();
  if (!live.personDrives.value) {
    // The first click only takes over; it must not press something by accident.
    if (action === "up") live.send({ type: "take_over" });
    return;
  }
  if (action === "down") element.setPointerCapture(event.pointerId);
  if (event.pointerType === "touch") return sendButton(event, action);
  live.send({ type: "mouse", action, ...framePosition(event), button: BUTTONS[event.button] ?? "left" });
}

function sendButton(event: PointerEvent, action: "down" | "up"): void {
  if (action === "down") finger = { ...framePosition(event), moved: false };
  else {
    if (finger && !finger.moved) live.send({ type: "mouse", action: "click", ...framePosition(event) });
    finger = null;
  }
}

let moved = 0;

function sendMove(event: PointerEvent): void {
  if (!live.personDrives.value || event.timeStamp - moved < MOVES) return;
  moved = event.timeStamp;
  if (event.pointerType === "touch") return drag(event);
  live.send({ type: "mouse", action: "move", ...framePosition(event) });
}

function drag(event: PointerEvent): void {
  const at = framePosition(event);
  if (!finger || (!finger.moved && Math.hypot(at.x - finger.x, at.y - finger.y) < SLACK)) return;
  live.send({ type: "wheel", ...at, dx: finger.x - at.x, dy: finger.y - at.y });
  finger = { ...at, moved: true };
}

function sendWheel(event: WheelEvent): void {
  if (!live.personDrives.value) return;
  event.preventDefault();
  live.send({ type: "wheel", ...framePosition(event), dx: event.deltaX, dy: event.deltaY });
}

function key(event: KeyboardEvent, action: "down" | "up"): void {
  const pasting = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "v";
  if (!live.personDrives.value || OURS.has(event.key) || pasting || event.isComposing) return;
  if (event.key === "Tab" && event.ctrlKey) return;
  event.preventDefault();
  event.stopPropagation();
  if (event.key === "Escape" && !event.shiftKey) {
    // Tab goes to the page that is shown, so this is the way out for those who use keys only.
    if (action === "down") document.querySelector<HTMLElement>(".turns > button")?.focus();
    return;
  }
  live.send({ type: "key", action, key: event.key === " " ? "Space" : event.key });
}
