// Controls made by hand: combobox, autocomplete, tags, stars, switches, a slider of divs.
const form = { size: "", city: "", tags: [], stars: 0, news: false, quiet: true, volume: 30 };

const combo = $("#size");
const list = $("[role=listbox]", combo);
const shown = $(".shown", combo);
const open = (yes) => { list.hidden = !yes; shown.setAttribute("aria-expanded", yes); };
shown.onclick = () => open(list.hidden);
shown.onkeydown = (event) => {
  const options = $$("[role=option]", list);
  const now = options.findIndex((o) => o.getAttribute("aria-selected") === "true");
  if (event.key === "ArrowDown") { open(true); pick(options[Math.min(now + 1, options.length - 1)]); event.preventDefault(); }
  if (event.key === "ArrowUp") { pick(options[Math.max(now - 1, 0)]); event.preventDefault(); }
  if (event.key === "Enter" || event.key === "Escape") open(false);
};
function pick(option) {
  $$("[role=option]", list).forEach((o) => o.setAttribute("aria-selected", o === option));
  form.size = shown.textContent = option.textContent;
}
list.onclick = (event) => {
  const option = event.target.closest("[role=option]");
  if (option) { pick(option); open(false); }
};

const city = $("#city");
const found = $("#found");
let asked = 0;
city.oninput = async () => {
  form.city = "";
  const mine = ++asked;
  const reply = await fetch(`/api/cities?q=${encodeURIComponent(city.value)}`);
  const cities = await reply.json();
  if (mine !== asked) return;
  found.replaceChildren(...cities.map((c) => {
    const option = document.createElement("div");
    option.setAttribute("role", "option");
    option.textContent = `${c.name}, ${c.country}`;
    option.onmousedown = (event) => { event.preventDefault(); city.value = form.city = c.name; found.hidden = true; };
    return option;
  }));
  found.hidden = !cities.length;
};
city.onblur = () => { found.hidden = true; if (!form.city) city.value = ""; };

const tagbox = $("#tags");
function tags() {
  $$(".tag", tagbox).forEach((t) => t.remove());
  form.tags.forEach((text) => {
    const tag = document.createElement("span");
    tag.className = "tag";
    tag.append(text);
    const cross = document.createElement("b");
    cross.textContent = "×";
    cross.onclick = () => { form.tags = form.tags.filter((t) => t !== text); tags(); };
    tag.append(cross);
    $("input", tagbox).before(tag);
  });
}
$("input", tagbox).onkeydown = (event) => {
  const text = event.target.value.trim();
  if ((event.key === "Enter" || event.key === ",") && text) {
    event.preventDefault();
    if (!form.tags.includes(text)) form.tags.push(text);
    event.target.value = "";
    tags();
  }
};

$$("#stars span").forEach((star, n, all) => {
  star.onclick = () => { form.stars = n + 1; all.forEach((s, i) => s.classList.toggle("lit", i <= n)); };
});

$$(".switch").forEach((toggle) => {
  const turn = () => {
    form[toggle.dataset.name] = !form[toggle.dataset.name];
    toggle.setAttribute("aria-checked", form[toggle.dataset.name]);
  };
  toggle.onclick = turn;
  toggle.onkeydown = (event) => { if (event.key === " ") { event.preventDefault(); turn(); } };
});

const rail = $("#volume");
const thumb = $(".thumb", rail);
function volume(value) {
  form.volume = Math.max(0, Math.min(100, Math.round(value)));
  thumb.style.left = `${form.volume}%`;
  rail.setAttribute("aria-valuenow", form.volume);
  $("#loud").textContent = form.volume;
}
const slide = (event) => {
  const box = rail.getBoundingClientRect();
  volume(((event.clientX - box.left) / box.width) * 100);
};
rail.onpointerdown = (event) => { rail.setPointerCapture(event.pointerId); slide(event); rail.onpointermove = slide; };
rail.onpointerup = () => { rail.onpointermove = null; };
rail.onkeydown = (event) => {
  const by = { ArrowRight: 1, ArrowLeft: -1, PageUp: 10, PageDown: -10 }[event.key];
  if (by) { event.preventDefault(); volume(form.volume + by); }
};
volume(form.volume);

$("#send").onclick = async () => {
  await post("/api/forms/custom", { ...form, story: $("#story").innerText.trim() });
  $("#send").textContent = "Sent";
  toast("Your wishes were saved");
};
