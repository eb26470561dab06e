// Resolves when the DOM has rested for `quiet` ms and short animations are over, or after `cap` ms.
([quiet, cap]) =>
  new Promise((done) => {
    let timer;
    const finish = () => {
      observer.disconnect();
      clearTimeout(timer);
      clearTimeout(limit);
      done(1);
    };
    const moving = () =>
      document.getAnimations().some((animation) => {
        const timing = animation.effect?.getComputedTiming();
        const left = timing ? timing.endTime - (animation.currentTime ?? 0) : Infinity;
        return animation.playState === "running" && left < cap;
      });
    const rest = () => (moving() ? wait() : finish());
    const wait = () => {
      clearTimeout(timer);
      timer = setTimeout(rest, quiet);
    };
    const observer = new MutationObserver((records) => {
      if (records.some((record) => record.attributeName !== "style")) wait();
    });
    const limit = setTimeout(finish, cap);
    observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    wait();
  });
