// What the page's origin keeps in the browser, as [origin, [[name, value], …]]; null where it may keep nothing.
() => {
  try {
    return JSON.stringify([location.origin, Object.entries(localStorage)]);
  } catch {
    return null;
  }
};
