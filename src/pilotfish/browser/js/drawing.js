// Names of shapes and coloured boxes without text: size, colour and form.

const FORMS = new Set(["circle", "ellipse", "rect", "polygon", "text"]);
const SIDES = { 3: "triangle", 4: "quadrilateral", 5: "pentagon", 6: "hexagon", 7: "heptagon", 8: "octagon" };
// A drawing of more shapes than this is a picture or a chart; its parts are not listed.
const SHAPES = 30;
// Among more than these, the side does not distinguish one.
const TWINS = 8;
const HUES = [
  [15, "red"], [42, "orange"], [66, "yellow"], [165, "green"], [195, "cyan"], [255, "blue"], [290, "purple"],
  [315, "magenta"], [335, "pink"], [361, "red"],
];

const PALE = new Set(["black", "white", "grey", ""]);

// The shapes of a drawing that a person could point at.
function shapesOf(svg) {
  if (nameOf(svg) || svg.getAttribute("aria-hidden") === "true") return [];
  const found = [...svg.querySelectorAll("circle,ellipse,rect,polygon,path,text")].filter((el) => {
    const rect = el.getBoundingClientRect();
    const plain = FORMS.has(el.tagName) || listenerKinds.has(el) || styleOf(el).cursor === "pointer";
    return plain && rect.width >= 4 && rect.height >= 4 && el.checkVisibility({ opacityProperty: true });
  });
  return found.length <= SHAPES ? found : [];
}

function isShape(el) {
  return el.namespaceURI === SVG && (FORMS.has(el.tagName) || el.tagName === "path");
}

// "small red circle"; of two empty shapes alike, into which something may be put, also on which side it is.
function shapeName(el) {
  const name = plainName(el);
  const others = / ?empty /.test(name) ? [...el.ownerSVGElement.querySelectorAll(el.tagName)] : [];
  const twins = others.length <= TWINS ? others.filter((other) => other !== el && plainName(other) === name) : [];
  if (twins.length !== 1) return name;
  const [here, there] = [el, twins[0]].map((one) => one.getBoundingClientRect());
  const across = here.left - there.left;
  const down = here.top - there.top;
  if (Math.abs(across) >= Math.abs(down)) return `${across < 0 ? "left" : "right"} ${name}`;
  return `${down < 0 ? "upper" : "lower"} ${name}`;
}

// The name of a shape without its side; a drawn word is its own name.
function plainName(el) {
  const style = getComputedStyle(el);
  const fill = colourOf(style.fill);
  if (el.tagName === "text") return wordName(el, fill);
  const colour = fill || (/^(rgb|none)/.test(style.fill) ? "empty" : "");
  return [sizeOf(el), colour, formOf(el)].filter(Boolean).join(" ");
}

// The name of a drawn word with its colour, unless that is pale; of a letter or digit among shapes also size and kind.
function wordName(el, fill) {
  const said = tidy(el.textContent);
  const among = el.ownerSVGElement.querySelector("circle,ellipse,rect,polygon");
  const kind = !among ? "" : /^\p{L}$/u.test(said) ? "letter" : /^\p{N}$/u.test(said) ? "digit" : "";
  const colour = PALE.has(fill) && !(kind && fill === "black") ? "" : fill;
  return [kind && sizeOf(el), colour, kind, said].filter(Boolean).join(" ");
}

// "large" or "small", if the shapes of the drawing clearly differ in size; else "".
function sizeOf(el) {
  const across = (one) => {
    const rect = one.getBoundingClientRect();
    return Math.max(rect.width, rect.height);
  };
  const sizes = [...el.ownerSVGElement.querySelectorAll(el.tagName === "path" ? "path" : "circle,ellipse,rect,polygon,text")].map(across);
  const least = Math.min(...sizes);
  const most = Math.max(...sizes);
  if (most < least * 1.4) return "";
  return across(el) > (least + most) / 2 ? "large" : "small";
}

function formOf(el) {
  const { width, height } = el.getBoundingClientRect();
  if (el.tagName === "rect") return Math.abs(width - height) <= Math.max(width, height) * 0.1 ? "square" : "rectangle";
  if (el.tagName === "polygon") return SIDES[el.points.numberOfItems] || `shape with ${el.points.numberOfItems} sides`;
  return el.tagName === "path" ? SIDES[corners(el)] || "shape" : el.tagName;
}

// The number of corners of a path of straight lines, 0 for other paths.
function corners(el) {
  const steps = (el.getAttribute("d") || "").match(/[a-z]/gi) || [];
  return steps.every((step) => /[mlhvz]/i.test(step)) ? steps.filter((step) => !/z/i.test(step)).length : 0;
}

// The colour of a box that shows nothing else.
function boxColour(el) {
  if (el.tagName === "CANVAS" || el.firstElementChild || (el.textContent || "").trim()) return "";
  const style = getComputedStyle(el);
  const colour = colourOf(style.backgroundColor);
  return colour === "white" && style.borderTopStyle === "none" ? "" : colour;
}

// The name of a CSS colour; "" for patterns and colours of other colour spaces.
function colourOf(css) {
  const [red, green, blue, alpha] = parseColour(css);
  if (Number.isNaN(red) || alpha < 0.2) return "";
  const most = Math.max(red, green, blue) / 255;
  const least = Math.min(red, green, blue) / 255;
  const light = (most + least) / 2;
  const depth = most - least;
  const dull = depth < 0.04 || depth / (1 - Math.abs(2 * light - 1)) < 0.15;
  if (dull) return light > 0.93 ? "white" : light < 0.12 ? "black" : "grey";
  const turn = most * 255 === red ? ((green - blue) / 255 / depth + 6) % 6 : most * 255 === green ? (blue - red) / 255 / depth + 2 : (red - green) / 255 / depth + 4;
  const hue = HUES.find(([end]) => turn * 60 < end)[1];
  if (hue === "orange" && light < 0.35) return "brown";
  if (hue === "purple" && light > 0.6) return "violet";
  return hue === "red" && light > 0.75 ? "pink" : hue;
}
