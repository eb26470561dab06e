// Resolves when the page has answered what was typed: with a change that comes later than the keys themselves and then
// rests for `quiet` ms. Without one, after `patience` ms without a change; in any case after `cap` ms.
([patience, quiet, cap]) =>
  new Promise((done) => {
    const SYNCHRONOUS = 60;
    const began = performance.now();
    let timer;
    const finish = () => {
      observer.disconnect();
      clearTimeout(timer);
      clearTimeout(limit);
      done(1);
    };
    const wait = (time) => {
      clearTimeout(timer);
      timer = setTimeout(finish, time);
    };
    const observer = new MutationObserver(() => wait(performance.now() - began > SYNCHRONOUS ? quiet : patience));
    const limit = setTimeout(finish, cap);
    observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
    wait(patience);
  });
