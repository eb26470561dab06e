// Shared by all pages: reporting to the server's log, and short notices.
async function post(path, body, method = "POST") {
  const reply = await fetch(path, { method, headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  return reply.json();
}

const act = (kind, details = {}) => post("/api/widgets", { kind, ...details });
// What is only looked at changes nothing: it is measured.
const measure = (kind, details = {}) => post("/api/metrics", { kind, ...details });
const $ = (selector, root = document) => root.querySelector(selector);
const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];

function toast(text, action, run) {
  const box = document.createElement("div");
  box.className = "toast";
  box.append(text);
  if (action) {
    const button = document.createElement("button");
    button.textContent = action;
    button.onclick = () => { box.remove(); run(); };
    box.append(button);
  }
  $("#toasts").append(box);
  setTimeout(() => box.remove(), 6000);
}

document.addEventListener("click", async (event) => {
  const heart = event.target.closest(".heart");
  if (heart) {
    const { on } = await post("/api/wish", { slug: heart.dataset.slug });
    heart.classList.toggle("on", on);
    toast(on ? "Saved to your wishlist" : "Taken off your wishlist");
  }
  const star = event.target.closest(".star");
  if (star) {
    const { on } = await post(`/api/mail/${star.dataset.id}/star`, {});
    star.textContent = on ? "★" : "☆";
  }
});
