// Resolves when the DOM has rested for `quiet` ms, two frames were drawn and short animations are over, or after `cap`.
// Also waits for what scripts fade in and out, but no longer than fading usually takes.
([quiet, cap, fade = 450]) =>
  new Promise((done) => {
    let timer;
    let frames = document.hidden ? 2 : 0;
    const draw = () => ++frames < 2 && requestAnimationFrame(draw);
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
    const rest = () => (frames < 2 ? wait(8) : moving() ? wait(quiet) : finish());
    const wait = (time) => {
      clearTimeout(timer);
      timer = setTimeout(rest, time);
    };
    const began = performance.now();
    const fading = ({ target }) => performance.now() - began < fade && /opacity|height/.test(target.getAttribute("style"));
    const observer = new MutationObserver((records) => {
      if (records.some((record) => record.attributeName !== "style" || fading(record))) wait(quiet);
    });
    const limit = setTimeout(finish, cap);
    observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    requestAnimationFrame(draw);
    wait(quiet);
  });
