// Resolves when the page no longer shows that it is loading: a spinner, a placeholder, a short text that ends in dots,
// nothing but what moves by itself though scripts run, or a splash: a box over the whole screen that says little and has
// nothing to act on. True when it is filled, false after `cap` ms.
([rest, cap]) =>
  new Promise((done) => {
    const WAITING = /(^|[\s_-])(spinner|loader|loading|skeleton|shimmer)([\s_-]|$)/i;
    const PLACES = '[aria-busy="true"],[role=progressbar]:not([aria-valuenow]),[class*="spinner" i],[class*="load" i],[class*="skeleton" i],[class*="shimmer" i]';
    const SHOWN = "img,video,canvas,svg,iframe,object,embed,input,button";
    const ACTED = "a[href],button,input,select,textarea,summary,canvas,video,iframe,[tabindex],[onclick],[contenteditable]";
    const POINTS = [[0.5, 0.5], [0.25, 0.25], [0.75, 0.25], [0.25, 0.75], [0.75, 0.75], [0.02, 0.5], [0.98, 0.5]];
    const SHORT = 120;
    const onScreen = (el) => {
      const { top, bottom, left, right, width, height } = el.getBoundingClientRect();
      const near = bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
      return near && width > 3 && height > 3 && el.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    };
    const stands = (el) => onScreen(el) && !el.getAnimations({ subtree: true }).some((one) => one.effect?.getTiming().iterations === Infinity);
    const marked = (el) => el.matches('[aria-busy="true"],[role=progressbar]') || WAITING.test(el.getAttribute("class") || "");
    const splash = () => {
      const hits = POINTS.map(([x, y]) => document.elementFromPoint(innerWidth * x, innerHeight * y));
      let box = hits[0];
      while (box && box !== document.body && !hits.every((hit) => box.contains(hit))) box = box.parentElement;
      let held = box;
      while (held && held !== document.body && !/fixed|absolute/.test(getComputedStyle(held).position)) held = held.parentElement;
      if (!document.scripts.length || !held || held === document.body || held === document.documentElement) return false;
      const whole = getComputedStyle(held).position === "fixed" || document.documentElement.scrollHeight <= innerHeight + 1;
      return whole && held.innerText !== undefined && held.innerText.trim().length < SHORT && !held.querySelector(ACTED) && !held.matches(ACTED);
    };
    const loading = () => {
      if (document.readyState === "loading" || !document.body) return true;
      const text = document.body.innerText.trim();
      if (text.length < SHORT && /(…|\.\.\.)$/.test(text)) return true;
      if (!text && document.scripts.length && ![...document.querySelectorAll(SHOWN)].slice(0, 200).some(stands)) return true;
      if (splash()) return true;
      return [...document.querySelectorAll(PLACES)].slice(0, 200).some((el) => el !== document.body && marked(el) && onScreen(el));
    };
    if (!loading()) return done(true);
    let timer;
    const finish = (filled) => {
      observer.disconnect();
      clearTimeout(timer);
      clearTimeout(limit);
      done(filled);
    };
    const check = () => {
      clearTimeout(timer);
      timer = setTimeout(() => loading() || finish(true), rest);
    };
    const observer = new MutationObserver(check);
    const limit = setTimeout(() => finish(!loading()), cap);
    observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  });
