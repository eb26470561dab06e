// A small single-page app: routes in the address bar, one listener for all clicks, inputs drawn from state.
const state = { todos: [], draft: "", filter: "all", preferences: {} };
const safe = (text) => String(text).replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
const tap = (action, label, extra = "") => `<div class="tap ${extra}" data-action="${action}">${label}</div>`;

const views = {
  "/app": () => `<h1>Notes</h1>
    <div class="row">${tap("go:/app/settings", "Settings", "plain")}${["all", "open", "done"].map((f) => tap(`filter:${f}`, f[0].toUpperCase() + f.slice(1), "plain")).join("")}</div>
    <div class="row" style="margin:16px 0"><input id="draft" placeholder="What is to be done?" value="${safe(state.draft)}">${tap("add", "Add")}<span class="hint">${state.draft.length}/60</span></div>
    ${state.todos.filter((t) => state.filter === "all" || t.done === (state.filter === "done")).map(entry).join("") || "<p>Nothing here.</p>"}
    <p class="meta">${state.todos.filter((t) => !t.done).length} open</p>`,
  "/app/settings": () => `<h1>Settings</h1>
    <div class="stack"><div class="label">Your name <input id="name" value="${safe(state.preferences.name)}"></div>
    <div class="label">Theme <div class="row">${["light", "dark", "sea"].map((t) => tap(`theme:${t}`, t, state.preferences.theme === t ? "" : "plain")).join("")}</div></div>
    <div class="switch" data-action="turn:alerts" aria-checked="${state.preferences.alerts}"><i></i>Alerts</div>
    <div class="switch" data-action="turn:sharing" aria-checked="${state.preferences.sharing}"><i></i>Share my notes</div>
    <div class="row">${tap("save", "Save")}${tap("go:/app", "Back", "plain")}</div></div>`,
};

const entry = (t) => `<div class="todo ${t.done ? "done" : ""}"><div class="box" data-action="tick:${t.id}">${t.done ? "✓" : ""}</div>
  <div class="words" data-action="go:/app/note/${t.id}">${safe(t.text)}</div><div class="bin" data-action="remove:${t.id}">✕</div></div>`;

function note(id) {
  const found = state.todos.find((t) => t.id === id);
  if (!found) return `<p>There is no such note.</p>${tap("go:/app", "Back", "plain")}`;
  return `<h1>Note ${id}</h1><div class="stack"><input id="text" value="${safe(found.text)}"><div class="row">${tap(`rename:${id}`, "Save")}${tap("go:/app", "Back", "plain")}</div></div>`;
}

function draw() {
  const path = location.pathname.replace(/\/$/, "");
  const kept = document.activeElement?.id;
  const at = document.activeElement?.selectionStart;
  const id = /^\/app\/note\/(\d+)$/.exec(path);
  $("#app").innerHTML = id ? note(Number(id[1])) : (views[path] || views["/app"])();
  const field = kept && document.getElementById(kept);
  if (field) { field.focus(); field.setSelectionRange(at, at); }
}

const actions = {
  go: (path) => { history.pushState({}, "", path); measure("app.route", { path }); },
  filter: (name) => { state.filter = name; },
  theme: (name) => { state.preferences.theme = name; },
  turn: (name) => { state.preferences[name] = !state.preferences[name]; },
  add: async () => {
    if (state.draft.trim()) state.todos = await post("/api/todos", { text: state.draft });
    state.draft = "";
  },
  tick: async (id) => {
    const found = state.todos.find((t) => t.id === Number(id));
    state.todos = await post(`/api/todos/${id}`, { done: !found.done }, "PATCH");
  },
  rename: async (id) => {
    state.todos = await post(`/api/todos/${id}`, { text: $("#text").value }, "PATCH");
    history.pushState({}, "", "/app");
  },
  remove: async (id) => { state.todos = await post(`/api/todos/${id}`, {}, "DELETE"); },
  save: async () => { state.preferences = await post("/api/preferences", state.preferences); toast("Settings saved"); },
};

document.addEventListener("click", async (event) => {
  const target = event.target.closest("[data-action]");
  if (!target) return;
  const [name, ...rest] = target.dataset.action.split(":");
  await actions[name](rest.join(":"));
  draw();
});
document.addEventListener("input", (event) => {
  if (event.target.id === "draft") { state.draft = event.target.value.slice(0, 60); draw(); }
  if (event.target.id === "name") state.preferences.name = event.target.value;
});
document.addEventListener("keydown", async (event) => {
  if (event.key === "Enter" && event.target.id === "draft") { await actions.add(); draw(); }
});
addEventListener("popstate", draw);
Promise.all([fetch("/api/todos"), fetch("/api/preferences")])
  .then((replies) => Promise.all(replies.map((r) => r.json())))
  .then(([todos, preferences]) => { Object.assign(state, { todos, preferences }); draw(); });
