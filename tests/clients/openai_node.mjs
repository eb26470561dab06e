// The official client for Node over /v1.
import { check, holds, load, page, runs, same, stopped, token, url } from "./report.mjs";

const { OpenAI } = load("openai");
const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: token, maxRetries: 0, timeout: 20_000 });
const model = (loop) => `pilotfish-test-${loop}`;
const user = (content) => ({ role: "user", content });
const assistant = (content) => ({ role: "assistant", content });
const BLOCK = "It weighs 4 kg [1].\n\nSources:\n1. [Anchors](https://anchors.example/)";
const SCHEMA = {
  type: "array",
  items: { type: "object", properties: { name: { type: "string" }, age: { type: "integer" } } },
};
const PEOPLE = [{ name: "Ann", age: 41 }, { name: "Bob", age: null }];

async function whole(loop, messages, more = {}, how = {}) {
  const answer = await client.chat.completions.create({ model: model(loop), messages, ...more }, how);
  return answer.choices[0].message.content;
}

async function streamed(loop, messages) {
  const said = { content: "", reasoning_content: "" };
  for await (const chunk of await client.chat.completions.create({ model: model(loop), messages, stream: true }))
    for (const { delta } of chunk.choices)
      for (const field of Object.keys(said)) said[field] += delta[field] ?? "";
  return said;
}

await check("answer", async () => {
  same(await whole("echo", [user("Say node")]), "Say node");
  same((await streamed("echo", [user("Say stream")])).content, "Say stream");
});
await check("sources", async () => {
  same(await whole("sourced", [user("How heavy?")]), BLOCK);
  same((await streamed("sourced", [user("How heavy now?")])).content, `Let me look.\n\n${BLOCK}`);
});
await check("progress", async () => {
  const said = await streamed("phases", [user("Tell me")]);
  holds(said.reasoning_content.includes("Making a plan."), said.reasoning_content);
});
await check("question", async () => {
  const said = [user("Paint the ketch")];
  const asked = await whole("question", said);
  same(await whole("question", [...said, assistant(asked), user("2")]), "You said blue.");
});
await check("approval", async () => {
  const said = [user("Buy the ketch")];
  const asked = (await streamed("approval", said)).content;
  same(await whole("approval", [...said, assistant(asked), user("Approve once")]), "You said Approve once.");
  same((await runs("Approve once")).length, 0);
});
await check("pictures", async () => {
  same(await whole("drawing", [user("Draw")]), "Here is your red circle.\n\n![picture.png](data:image/png;base64,cmVk)");
  const parts = [
    { type: "text", text: "What is this?" },
    { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } },
  ];
  same(await whole("echo", [user(parts)]), "What is this?");
});
await check("tabs", async () => {
  const said = [user(`Open ${page}`)];
  const came = await whole("visit", said);
  same(await whole("tabs", [...said, assistant(came), user("Which tabs?")]), page);
});
await check("responses", async () => {
  same((await client.responses.create({ model: model("echo"), input: "Say so" })).output_text, "Say so");
  const stream = client.responses.stream({ model: model("question"), input: "Paint the yawl" });
  const asked = await stream.finalResponse();
  const done = await client.responses.create({ model: model("question"), input: "1", previous_response_id: asked.id });
  same(done.output_text, "You said red.");
});
await check("data", async () => {
  const format = { type: "json_schema", json_schema: { name: "people", schema: SCHEMA } };
  const ask = { model: "pilotfish", messages: [user(`everybody on ${page}`)], response_format: format };
  const answer = await client.chat.completions.create(ask);
  same(JSON.parse(answer.choices[0].message.content), PEOPLE);
});
await check("tools", async () => {
  const tool = { type: "function", function: { name: "f", parameters: { type: "object" } } };
  const refused = await whole("echo", [user("Call f")], { tools: [tool] }).catch((error) => error);
  same([refused.status, refused.code], [400, "tools_not_supported"]);
});
await check("again", async () => {
  // The client itself sends a request again that took too long.
  const answer = await whole("slow", [user("Sleep 2 s once")], {}, { timeout: 1200, maxRetries: 2 });
  same([answer, (await runs("Sleep 2 s once")).length], ["Slept.", 1]);
});
await check("abort", async () => {
  const task = "Sleep 60 s for nobody";
  const stream = await client.chat.completions.create({ model: model("slow"), messages: [user(task)], stream: true });
  for await (const _ of stream) break;
  stream.controller.abort();
  await stopped(task);
});
await check("quiet", async () => {
  same((await streamed("slow", [user("Sleep 1 s quietly")])).content, "Slept.");
});
