/** The entry point: finds out who is signed in, then renders the page. */
import { Component, type ComponentChildren, render } from "preact";
import { feed } from "./state/runEvents";
import * as live from "./state/live";
import * as mark from "./state/tabTitle";
import * as notices from "./state/notices";
import * as route from "./state/route";
import * as session from "./state/session";
import * as conversations from "./state/conversations";
import { App, ErrorPage } from "./views/App";

class Safe extends Component<{ children: ComponentChildren }, { broken: boolean }> {
  override state = { broken: false };
  override componentDidCatch(error: unknown): void {
    console.error(error);
    this.setState({ broken: true });
  }
  override render() {
    return this.state.broken ? <ErrorPage /> : this.props.children;
  }
}

session.install();
route.install();
// The events of the run in the address are requested at the same time as the user.
if (route.route.value.view === "run") feed(route.route.value.id);
await session.begin();
conversations.install();
live.install();
mark.install();
notices.install();

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
