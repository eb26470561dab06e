// Finds what leads to further rows of a list: next, more, or the number of a page.

const NEXT_WORDS = new Set(
  `next|next page|next results|older|older posts|older entries|weiter|nächste|nächste seite|ältere beiträge|suivant|suivante|page suivante|
  siguiente|página siguiente|próxima|próximo|próxima página|avanti|successiva|successivo|pagina successiva|volgende|volgende pagina|nästa|neste|næste|
  dalej|następna|další|следующая|далее|下一页|下一頁|次へ|次のページ|다음|›|»|→|>|>>|❯|▶|⟩|chevron right|arrow right`.split(/\|\s*/),
);
const PREVIOUS_WORDS = new Set(
  `previous|prev|previous page|newer|zurück|vorherige|vorherige seite|précédent|précédente|anterior|página anterior|precedente|vorige|föregående|forrige|
  poprzednia|předchozí|предыдущая|назад|上一页|前へ|이전|‹|«|←|<|<<|❮|◀|⟨|chevron left|arrow left`.split(/\|\s*/),
);
const MORE_WORDS = new Set(
  `load more|show more|see more|view more|more|more results|more items|load more results|show more results|mehr|mehr laden|mehr anzeigen|weitere laden|
  weitere anzeigen|afficher plus|voir plus|plus de résultats|cargar más|ver más|mostrar más|carregar mais|ver mais|mostrar mais|carica altri|carica altro|mostra altri|
  mostra altro|meer laden|meer tonen|toon meer|ladda fler|visa fler|vis flere|załaduj więcej|pokaż więcej|načíst další|показать ещё|загрузить ещё|加载更多|查看更多|もっと見る|더보기`.split(/\|\s*/),
);
const MORE_OF = /^(show|load|see|view) (\d+ )?more\b|^weitere .{0,30}(laden|anzeigen)$|^mehr .{0,30}(laden|anzeigen)$|^(afficher|voir|charger) plus\b|^(ver|mostrar|cargar) más\b/;
const PAGER = /(^|[\s_-])(pag(er|es|ing|inat\w*|enav\w*)|nav-links|nav-next|next|more)([\s_-]|$)/i;

// What leads to further rows (`on`), to other pages and back (`ways`); which page this is and the last that is named.
function pagingOf(list, lists) {
  const own = new Set(list.rows);
  const inRow = (el) => {
    for (let up = el; up; up = parentOf(up)) if (own.has(up)) return true;
    return false;
  };
  const roots = [document, ...shadowRoots(document)];
  const all = roots.flatMap((root) => [...root.querySelectorAll("a,button,[role=button],[role=link],input[type=button],input[type=submit]")]);
  const turns = all.filter((el) => el.checkVisibility(SEEN) && !inRow(el) && turnable(el)).map((el) => ({ el, ...turnOf(el) }));
  const near = turns.filter(({ el, way }) => way && ownerOf(el, list, lists) === list);
  const here = near.find(({ way, now }) => way === "number" && now)?.number ?? currentNumber(near);
  const numbered = near.filter(({ way, number }) => way === "number" && here && number === here + 1);
  const ranked = [...near.filter(({ way }) => way === "next"), ...numbered, ...near.filter(({ way }) => way === "more")];
  const open = ({ el }) => !disabled(el) && !/(^|[\s_-])disabled([\s_-]|$)/i.test(`${el.getAttribute("class") || ""} ${el.parentElement?.getAttribute("class") || ""}`);
  const look = fresh(true);
  const describeTurn = ({ el, way, number }) => {
    const node = control(look, el, spokenRole(el, roleOf(el)), el.getBoundingClientRect(), { parent: -1, level: 0 }, null);
    return { h: node.h, r: node.r, n: node.n, way, number: number || 0 };
  };
  const numbers = near.filter(({ way }) => way === "number").map(({ number }) => number);
  return { here: here || 0, last: Math.max(0, here || 0, ...numbers), on: ranked.filter(open).slice(0, 1).map(describeTurn), ways: near.filter(({ way }) => way === "number" || way === "previous").filter(open).map(describeTurn).slice(0, 12) };
}

// Only what asks for a page of this site or acts within this one; forms that send something are no paging.
function turnable(el) {
  if (el.getAttribute("target") === "_blank" || el.closest("[role=dialog]:not(:has(table,ul,ol))")) return false;
  if (el.form && (el.type === "submit" || el.tagName === "INPUT") && String(el.form.method).toLowerCase() !== "get") return false;
  if (el.tagName !== "A" || !el.hasAttribute("href")) return true;
  return el.protocol === "javascript:" || (el.host === location.host && !el.hasAttribute("download"));
}

// Which way a control leads: next, previous, more, or to the page of a number.
function turnOf(el) {
  const rel = (el.getAttribute("rel") || "").toLowerCase().split(/\s+/);
  const name = tidy(ownLabel(el, roleOf(el)));
  const plain = name.toLowerCase().replace(/[\d()[\]….,:!]+/g, "").replace(/(?<![\s→›»>❯▶])\s*[→›»>❯▶]+$/u, (sign) => (name.length > 2 ? "" : sign)).trim();
  const text = tidy(el.innerText || "").toLowerCase();
  const number = /^\d{1,4}$/.test(text) ? Number(text) : /^(page|seite|página|pagina) \d{1,4}$/i.test(name) ? Number(name.match(/\d+/)[0]) : 0;
  if (rel.includes("next")) return { way: "next" };
  if (rel.includes("prev")) return { way: "previous" };
  if (number) return paged(el) ? { way: "number", number, now: Boolean(el.getAttribute("aria-current")) || isCurrent(el) } : { way: "" };
  if (MORE_WORDS.has(plain) || MORE_WORDS.has(text) || (el.tagName === "BUTTON" && name.length < 40 && MORE_OF.test(plain))) return { way: "more" };
  if (NEXT_WORDS.has(plain) || NEXT_WORDS.has(text)) return { way: el.href || paged(el) ? "next" : "" };
  return { way: PREVIOUS_WORDS.has(plain) || PREVIOUS_WORDS.has(text) ? "previous" : "" };
}

function isCurrent(el) {
  return /(^|[\s_-])(active|current|selected)([\s_-]|$)/i.test(`${el.getAttribute("class") || ""} ${el.parentElement?.getAttribute("class") || ""}`);
}

// Whether a control stands among others that turn pages, or in a box that is called so.
function paged(el) {
  for (let up = el, level = 0; up && level < 4; up = parentOf(up), level++) {
    if (PAGER.test(`${up.getAttribute("class") || ""} ${up.id} ${up.getAttribute("aria-label") || ""} ${up.getAttribute("data-testid") || ""}`)) return true;
    const beside = level ? [...up.querySelectorAll("a,button,[role=button]")] : [];
    if (beside.length > 40) return false;
    if (beside.some((other) => other !== el && (PREVIOUS_WORDS.has(tidy(ownLabel(other, roleOf(other))).toLowerCase()) || /^\d{1,4}$/.test(tidy(other.innerText || ""))))) return true;
  }
  return false;
}

// The page number that is no link, between those that are.
function currentNumber(turns) {
  const numbers = turns.filter(({ way }) => way === "number");
  if (numbers.length < 1) return 0;
  let box = numbers[0].el.parentElement;
  while (box && !numbers.every(({ el }) => box.contains(el))) box = box.parentElement;
  for (let level = 0; box && level < 2; level++, box = box.parentElement) {
    const texts = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const text = texts.currentNode.data.trim();
      if (/^\d{1,4}$/.test(text) && !numbers.some(({ el }) => el.contains(texts.currentNode))) return Number(text);
    }
  }
  return 0;
}

// The list that a paging control belongs to: the weightiest of those in the nearest box around it that holds any.
function ownerOf(el, list, lists) {
  const rivals = lists.filter((each) => each === list || (each.score > list.score * 0.25 && !holds(list.box, each.box) && !each.rows.some((row) => holds(row, list.box))));
  for (let up = parentOf(el); up; up = parentOf(up)) {
    const inside = rivals.filter((each) => !holds(each.box, el) && holds(up, each.box) || (each === list && holds(each.box, el) && up === each.box));
    if (inside.length) return inside.includes(list) && inside.every((each) => each.score <= list.score || holds(each.box, list.box)) ? list : inside[0];
  }
  return null;
}
