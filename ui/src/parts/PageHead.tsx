/** The head of a page: its title, a line about it, and what can be done there. */
import type { ComponentChildren } from "preact";

export function PageHead({ title, about, children }: { title: string; about?: string; children?: ComponentChildren }) {
  const heading = <h1>{title}</h1>;
  return (
    <header class="pagehead">
      {about ? (
        <div>
          {heading}
          <p class="facts">{about}</p>
        </div>
      ) : (
        heading
      )}
      {children}
    </header>
  );
}
