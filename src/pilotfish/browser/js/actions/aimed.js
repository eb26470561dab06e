// Whether the click that was let through met the element, or what it would have met instead.
() => {
  const aim = globalThis.pilotfishAim;
  if (!aim) return null;
  aim.end();
  return { hit: aim.hit, miss: aim.miss, pressed: aim.pressed };
};
