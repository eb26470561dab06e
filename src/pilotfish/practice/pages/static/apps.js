// Five small apps that draw themselves anew after everything that happens, as frameworks do.

function tell(kind, details) {
  act(kind, details);
}

// Draws again and lets `heard` hear the clicks on what has a data-do.
function draw(root, html, heard) {
  root.innerHTML = html;
  for (const el of root.querySelectorAll("[data-do]")) el.addEventListener("click", () => heard(el.dataset.do, el.dataset.of));
}

function showSettings(root) {
  const rows = [
    ["Cycle updates", "Mail when a cycle begins or ends.", false], ["Ferry alarms", "A bell when the ferry is late.", true],
    ["Weekly letter", "One letter on Sunday.", false],
  ];
  const state = { view: "List", colour: "teal" };
  const show = () => draw(root, `
    ${rows.map(([name, about, on], at) => `<div class="setting"><div><b>${name}</b><p>${about}</p></div>
      <div class="toggle-switch${on ? " active" : ""}" data-do="switch" data-of="${at}"></div></div>`).join("")}
    <h2>View</h2><div class="segments">${["List", "Board", "Map"].map((name) =>
      `<div class="segment${name === state.view ? " active" : ""}" data-do="view" data-of="${name}">${name}</div>`).join("")}</div>
    <h2>Colour</h2><div class="swatches">${["teal", "crimson", "orange"].map((name) =>
      `<div class="swatch${name === state.colour ? " is-selected" : ""}" title="${name}" style="background:${name}" data-do="colour" data-of="${name}"></div>`).join("")}</div>`,
  (kind, of) => {
    if (kind === "switch") rows[of][2] = !rows[of][2];
    else state[kind] = of;
    tell("setting", { name: kind === "switch" ? rows[of][0] : kind, value: kind === "switch" ? rows[of][2] : of });
    show();
  });
  show();
}

function showPost(root) {
  const names = ["Ada", "Bert", "Cleo", "Dora", "Emil", "Fay"];
  let letters = Array.from({ length: 18 }, (_, n) => ({ n, from: names[n % 6], subject: `Letter ${n + 1} about the ${["pier", "tide", "fog"][n % 3]}`, starred: false }));
  let query = "";
  const field = document.createElement("input");
  const list = document.createElement("div");
  field.placeholder = "Search letters";
  root.append(field, list);
  const show = () => draw(list, letters.filter((one) => `${one.from} ${one.subject}`.toLowerCase().includes(query)).map((one) => `
    <div class="letter"><i class="star-icon${one.starred ? " starred" : ""}" data-do="star" data-of="${one.n}" title="Star">★</i>
    <span>${one.from}</span><b>${one.subject}</b><span class="tools"><button data-do="archive" data-of="${one.n}">Archive</button>
    <button data-do="delete" data-of="${one.n}">Delete</button></span></div>`).join(""), (kind, of) => {
    const letter = letters.find((one) => one.n === Number(of));
    if (kind === "star") letter.starred = !letter.starred;
    else letters = letters.filter((one) => one !== letter);
    tell(`letter.${kind}`, { subject: letter.subject });
    show();
  });
  field.addEventListener("input", () => {
    query = field.value.toLowerCase();
    show();
  });
  show();
}

function showCrew(root) {
  let people = ["Ann", "Bo", "Cy", "Dee", "Eli"].map((name, at) => ({ name, job: ["Cook", "Mate", "Pilot"][at % 3], picked: false }));
  const show = () => draw(root, `<div class="rows">${people.map((one) => `<div class="crew-row${one.picked ? " selected" : ""}">
    <span data-do="pick" data-of="${one.name}" class="cross">${one.name}</span><span>${one.job}</span>
    <i class="cross" data-do="drop" data-of="${one.name}">×</i></div>`).join("")}</div><button data-do="turn">Turn around</button>`, (kind, of) => {
    if (kind === "turn") people = people.map((one) => ({ ...one })).reverse();
    else if (kind === "drop") people = people.filter((one) => one.name !== of);
    else people = people.map((one) => ({ ...one, picked: one.name === of ? !one.picked : one.picked }));
    tell(`crew.${kind}`, { name: of || "" });
    show();
  });
  show();
}

function showKanban(root) {
  let cards = [["Mend the pier", "To do"], ["Paint the boats", "To do"], ["Count the gulls", "Doing"], ["Fill the lamps", "Done"]];
  const state = { open: "", asking: false };
  const sheet = () => state.open && `<div class="veil"><div class="sheet"><h2>${state.open}</h2>
    ${["To do", "Doing", "Done"].map((lane) => `<button data-do="move" data-of="${lane}">Move to ${lane}</button>`).join(" ")}
    <button data-do="ask">Delete</button> <button data-do="close">Close</button></div></div>`;
  const question = () => state.asking && `<div class="veil"><div class="sheet"><h2>Delete this card?</h2>
    <button data-do="delete">Yes, delete</button> <button data-do="keep">Keep it</button></div></div>`;
  const show = () => draw(root, `<div class="lanes">${["To do", "Doing", "Done"].map((lane) => `<div class="lane"><h2>${lane}</h2>
    ${cards.filter((card) => card[1] === lane).map(([name]) => `<div class="slip" data-do="open" data-of="${name}">${name}</div>`).join("")}</div>`).join("")}</div>
    ${sheet() || ""}${question() || ""}`, (kind, of) => {
    if (kind === "open") state.open = of;
    if (kind === "move") cards = cards.map((card) => (card[0] === state.open ? [card[0], of] : card));
    if (kind === "delete") cards = cards.filter((card) => card[0] !== state.open);
    if (kind !== "open" && kind !== "ask") tell(`card.${kind}`, { name: state.open, to: of || "" });
    state.asking = kind === "ask";
    if (kind === "close" || kind === "delete") state.open = "";
    show();
  });
  show();
}

function showPanes(root) {
  const rows = (name, count) => Array.from({ length: count }, (_, n) => `<div class="row" data-do="pick" data-of="${name} ${n + 1}">${name} ${n + 1}</div>`).join("");
  draw(root, `<div class="pane">${rows("Harbour", 25)}</div>
    <div class="pane">${rows("Boat", 4)}<div class="inner">${rows("Crate", 12)}</div>${rows("Net", 10)}</div>
    <div class="pane">${rows("Lamp", 40)}</div>`, (_, of) => {
    tell("pane.picked", { name: of });
    document.title = `Picked ${of}`;
  });
}
