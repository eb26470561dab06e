// Whether the click reached the element, else what it would have reached.
() => {
  const aim = globalThis.pilotfishAim;
  if (!aim) return null;
  aim.end();
  return { hit: aim.hit, miss: aim.miss, pressed: aim.pressed };
};
