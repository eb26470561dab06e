// Cards between columns by HTML5 drag and drop; a ranking by pointer events.
const names = { backlog: "Backlog", doing: "Doing", done: "Done" };
let dragged = null;

function draw(columns) {
  $("#columns").replaceChildren(...Object.entries(columns).map(([key, cards]) => {
    const column = document.createElement("section");
    column.className = "column";
    column.setAttribute("aria-label", names[key]);
    column.innerHTML = `<h3>${names[key]}</h3>`;
    cards.forEach((text) => {
      const card = document.createElement("div");
      card.className = "chip";
      card.draggable = true;
      card.textContent = text;
      card.ondragstart = (event) => { dragged = text; event.dataTransfer.setData("text/plain", text); };
      column.append(card);
    });
    column.ondragover = (event) => { event.preventDefault(); column.classList.add("over"); };
    column.ondragleave = () => column.classList.remove("over");
    column.ondrop = async (event) => {
      event.preventDefault();
      draw(await post("/api/board", { card: event.dataTransfer.getData("text/plain") || dragged, to: key }));
    };
    return column;
  }));
}

const ranking = $("#ranking");
function rank(order) {
  ranking.replaceChildren(...order.map((text) => {
    const item = document.createElement("div");
    item.className = "chip";
    item.textContent = text;
    item.onpointerdown = (event) => { item.setPointerCapture(event.pointerId); item.classList.add("held"); };
    item.onpointermove = (event) => { if (item.classList.contains("held")) shift(item, event); };
    item.onpointerup = () => {
      item.classList.remove("held");
      post("/api/ranking", { order: [...ranking.children].map((child) => child.textContent) });
    };
    return item;
  }));
}
function shift(item, { clientY: y, pointerId }) {
  const others = [...ranking.children].filter((child) => child !== item);
  const next = others.find((other) => { const box = other.getBoundingClientRect(); return y < box.top + box.height / 2; });
  if (item.nextElementSibling === (next || null)) return;
  ranking.insertBefore(item, next || null);
  item.setPointerCapture(pointerId);  // moving it in the page let go of the pointer
}

fetch("/api/board").then((r) => r.json()).then(draw);
fetch("/api/ranking").then((r) => r.json()).then(rank);
