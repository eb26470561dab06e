// Ports that suggest themselves, a calendar that opens under its field, and crossings to choose from.
const PORTS = ["Fernhill (FRN)", "Fern Rock (FRK)", "Gull Island (GUL)", "Gullholm (GLH)", "Harrow Point (HRP)", "Salt Quay (SLQ)"];
const TRIPS = [
  ["Lantern Line", "07:40", "1 h 25 min", 24], ["Heron Ferries", "09:15", "55 min", 31],
  ["Tern & Sons", "12:30", "2 h 10 min", 17], ["Lantern Line", "16:05", "1 h 20 min", 28],
];
const MONTHS = "January February March April May June July August September October November December".split(" ");
const form = { from: "", to: "", day: "" };

for (const name of ["from", "to"]) {
  const field = $(`#${name}`);
  const list = field.nextElementSibling;
  let pause = 0;
  field.oninput = () => {
    form[name] = "";
    clearTimeout(pause);
    pause = setTimeout(offer, 250);
  };
  const offer = () => {
    const wanted = field.value.trim().toLowerCase();
    const ports = wanted ? PORTS.filter((port) => port.toLowerCase().includes(wanted)) : [];
    list.replaceChildren(...ports.map((port) => {
      const item = document.createElement("li");
      item.textContent = port;
      item.onmousedown = (event) => { event.preventDefault(); field.value = form[name] = port; list.hidden = true; };
      return item;
    }));
    list.hidden = !ports.length;
  };
  field.onblur = () => { clearTimeout(pause); list.hidden = true; };
}

const day = $("#day");
const sheet = day.nextElementSibling;
const shown = new Date(2027, 5, 1);
function turn(by) {
  shown.setMonth(shown.getMonth() + by);
  $("b", sheet).textContent = `${MONTHS[shown.getMonth()]} ${shown.getFullYear()}`;
  const blank = (shown.getDay() + 6) % 7;
  const last = new Date(shown.getFullYear(), shown.getMonth() + 1, 0).getDate();
  const rows = [];
  for (let at = 1 - blank; at <= last; at += 7) {
    const row = document.createElement("tr");
    for (let n = at; n < at + 7; n++) {
      const cell = row.insertCell();
      if (n < 1 || n > last) continue;
      const link = document.createElement("a");
      link.href = "#";
      link.textContent = n;
      link.onclick = (event) => {
        event.preventDefault();
        form.day = `${shown.getFullYear()}-${String(shown.getMonth() + 1).padStart(2, "0")}-${String(n).padStart(2, "0")}`;
        day.value = form.day;
        sheet.hidden = true;
      };
      cell.append(link);
    }
    rows.push(row);
  }
  $("table", sheet).replaceChildren(...rows);
}
const [earlier, later] = $$("p a", sheet);
earlier.onclick = (event) => { event.preventDefault(); turn(-1); };
later.onclick = (event) => { event.preventDefault(); turn(1); };
day.onfocus = day.onclick = () => { sheet.hidden = false; };
document.addEventListener("mousedown", (event) => { if (!event.target.closest(".combo")) sheet.hidden = true; });
turn(0);

$("#search").onsubmit = (event) => {
  event.preventDefault();
  const missing = Object.keys(form).filter((name) => !form[name]);
  $("#trouble").textContent = missing.length ? `Choose from the list: ${missing.join(", ")}.` : "";
  if (missing.length) return;
  $("#found").replaceChildren(...TRIPS.map(([line, departs, lasts, price]) => {
    const trip = document.createElement("div");
    trip.className = "trip";
    trip.innerHTML = `<span>${line}</span><span>departs ${departs}</span><span>${lasts}</span><button>Book for €${price}</button>`;
    $("button", trip).onclick = async () => {
      await post("/api/forms/crossing", { ...form, line, departs, price });
      $("#found").innerHTML = `<p role="status">Booked: ${line} at ${departs} on ${form.day}.</p>`;
    };
    return trip;
  }));
};
