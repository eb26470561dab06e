// Whether the element that was clicked last looks different from before.
(el) => {
  const known = globalThis.pilotfishLook;
  return known?.el === el && known.look() !== known.before;
};
