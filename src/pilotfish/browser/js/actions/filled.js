// Resolves when the page no longer shows that it is loading: a spinner, a placeholder, a short text that ends in dots,
// or nothing but what moves by itself though scripts run. True when it is filled, false after `cap` ms.
([rest, cap]) =>
  new Promise((done) => {
    const WAITING = /(^|[\s_-])(spinner|loader|loading|skeleton|shimmer)([\s_-]|$)/i;
    const PLACES = '[aria-busy="true"],[role=progressbar]:not([aria-valuenow]),[class*="spinner" i],[class*="load" i],[class*="skeleton" i],[class*="shimmer" i]';
    const SHOWN = "img,video,canvas,svg,iframe,object,embed,input,button";
    const SHORT = 120;
    const onScreen = (el) => {
      const { top, bottom, left, right, width, height } = el.getBoundingClientRect();
      const near = bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
      return near && width > 3 && height > 3 && el.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    };
    const stands = (el) => onScreen(el) && !el.getAnimations({ subtree: true }).some((one) => one.effect?.getTiming().iterations === Infinity);
    const marked = (el) => el.matches('[aria-busy="true"],[role=progressbar]') || WAITING.test(el.getAttribute("class") || "");
    const loading = () => {
      if (document.readyState === "loading" || !document.body) return true;
      const text = document.body.innerText.trim();
      if (text.length < SHORT && /(…|\.\.\.)$/.test(text)) return true;
      if (!text && document.scripts.length && ![...document.querySelectorAll(SHOWN)].slice(0, 200).some(stands)) return true;
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
