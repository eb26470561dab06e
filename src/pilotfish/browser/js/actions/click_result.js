// Whether the click reached the element, else what it would have reached.
() => {
  const guard = globalThis.pilotfishClick;
  if (!guard) return null;
  guard.end();
  return { hit: guard.hit, miss: guard.miss, pressed: guard.pressed };
};
