/** Where it begins: who is here, then the page. */
import { Component, type ComponentChildren, render } from "preact";
import { feed } from "./state/feeds";
import * as live from "./state/live";
import * as mark from "./state/mark";
import * as place from "./state/place";
import * as session from "./state/session";
import * as talks from "./state/talks";
import { App, Broken } from "./views/App";

class Safe extends Component<{ children: ComponentChildren }, { broken: boolean }> {
  override state = { broken: false };
  override componentDidCatch(error: unknown): void {
    console.error(error);
    this.setState({ broken: true });
  }
  override render() {
    return this.state.broken ? <Broken /> : this.props.children;
  }
}

session.install();
place.install();
// The story that the address names is asked for while the server is asked who this is.
if (place.place.value.view === "run") feed(place.place.value.id);
await session.begin();
talks.install();
live.install();
mark.install();

const root = document.getElementById("app") as HTMLElement;
root.textContent = "";
render(
  <Safe>
    <App />
  </Safe>,
  root,
);

if (!session.me.value && session.reach.value === "offline") {
  const again = setInterval(async () => {
    await session.begin();
    if (session.me.value || session.reach.value === "stranger") clearInterval(again);
  }, 1500);
}
