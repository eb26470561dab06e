/** A dialog over the page: the browser's own, so that focus and Escape are right. */
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { words } from "../words";
import { Button, IconButton } from "./Button";

type Props = { title: string; onClose: () => void; children: ComponentChildren; wide?: boolean };

export function Dialog({ title, onClose, children, wide = false }: Props) {
  const box = useRef<HTMLDialogElement>(null);
  const head = useId();
  useLayoutEffect(() => {
    const held = document.activeElement as HTMLElement | null;
    box.current?.showModal();
    return () => held?.focus?.();
  }, []);
  const outside = (event: MouseEvent) => event.target === box.current && onClose();
  const cancel = (event: Event) => {
    event.preventDefault();
    onClose();
  };
  return (
    <dialog ref={box} class={wide ? "wide" : ""} aria-labelledby={head} onClick={outside} onCancel={cancel}>
      <div class="sheet">
        <header>
          <h2 id={head}>{title}</h2>
          <IconButton icon="cross" label={words.value.edge.close} onClick={onClose} />
        </header>
        {children}
      </div>
    </dialog>
  );
}

export function Confirm({ title, text, onYes, onClose }: { title: string; text: string; onYes: () => void; onClose: () => void }) {
  const edge = words.value.edge;
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text}</p>
      <footer>
        <Button onClick={onClose}>{edge.cancel}</Button>
        <Button
          class="danger"
          onClick={() => {
            onClose();
            onYes();
          }}
        >
          {edge.confirm}
        </Button>
      </footer>
    </Dialog>
  );
}
