// The official AG-UI client.
import { check, holds, load, page, runs, same, stopped, token, url } from "./report.mjs";

const { HttpAgent } = load("@ag-ui/client");
let count = 0;

function open() {
  count += 1;
  return new HttpAgent({ url: `${url}/agui`, headers: { authorization: `Bearer ${token}` }, threadId: `thread-${count}` });
}

function say(agent, content) {
  agent.addMessage({ id: crypto.randomUUID(), role: "user", content });
}

/** What one run told: its events, how it ended, and the messages that the client now has. */
async function run(agent, loop, text = "", resume = undefined) {
  const events = [];
  let end = {};
  if (text) say(agent, text);
  const done = await agent.runAgent(
    { forwardedProps: { loop: `test-${loop}` }, resume },
    { onEvent: ({ event }) => void events.push(event), onRunFinishedEvent: (params) => void (end = params) },
  );
  const words = done.newMessages.filter((each) => each.role === "assistant" && each.content);
  return { kinds: events.map((event) => event.type), end, said: words.map((each) => each.content) };
}

await check("answer", async () => {
  const { said, end } = await run(open(), "echo", "Say fish");
  same([said, end.outcome], [["Say fish"], "success"]);
});
await check("sources", async () => {
  const { said } = await run(open(), "sourced", "How heavy is it?");
  same(said.join("\n\n").split("It weighs 4 kg").length, 2);
  same(said.join("\n\n").split("Sources:").length, 2);
});
await check("state", async () => {
  const agent = open();
  const { kinds, said } = await run(agent, "phases", "Tell all");
  const wanted = ["STEP_STARTED", "STEP_FINISHED", "REASONING_MESSAGE_CONTENT", "STATE_SNAPSHOT", "TOOL_CALL_RESULT"];
  same(wanted.filter((kind) => !kinds.includes(kind)), []);
  same(said, ["Done."]);
  holds("plan" in agent.state && "status" in agent.state, JSON.stringify(agent.state));
});
await check("question", async () => {
  const agent = open();
  const { end } = await run(agent, "question", "Paint the gig");
  same([end.outcome, end.interrupts[0].message], ["interrupt", "Which colour?"]);
  const resume = [{ interruptId: end.interrupts[0].id, status: "resolved", payload: "blue" }];
  same((await run(agent, "question", "", resume)).said, ["You said blue."]);
  same((await runs("Paint the gig")).length, 1);
});
await check("approval", async () => {
  const agent = open();
  const { end } = await run(agent, "approval", "Buy the gig");
  same(end.interrupts[0].reason, "confirmation");
  const resume = [{ interruptId: end.interrupts[0].id, status: "resolved", payload: { approved: true } }];
  same((await run(agent, "approval", "", resume)).said, ["You said Approve once."]);
});
await check("pictures", async () => {
  const { said } = await run(open(), "drawing", "Draw");
  same(said, ["Here is your red circle.", "![picture.png](data:image/png;base64,cmVk)"]);
});
await check("tabs", async () => {
  const agent = open();
  await run(agent, "visit", `Open ${page}`);
  same((await run(agent, "tabs", "Which tabs?")).said, [page]);
});
await check("abort", async () => {
  const [agent, task] = [open(), "Sleep 60 s for no front end"];
  const going = run(agent, "slow", task).catch(() => null);
  for (let left = 50; left && !(await runs(task)).length; left -= 1) await new Promise((done) => setTimeout(done, 100));
  agent.abortRun();
  await going;
  await stopped(task);
});
await check("quiet", async () => {
  same((await run(open(), "slow", "Sleep 1 s in the front end")).said, ["Slept."]);
});
