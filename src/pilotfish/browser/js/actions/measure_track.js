// The width and height of a slider's track: its own box if that is long, else the nearest long box around its knob.
(el) => {
  const box = (one) => one.getBoundingClientRect();
  const knob = box(el);
  let track = el;
  if (knob.width < 3 * knob.height && knob.height < 3 * knob.width) {
    const long = (one) => box(one).width >= 4 * knob.width || box(one).height >= 4 * knob.height;
    for (track = el.parentElement; track && !long(track); track = track.parentElement);
  }
  const { width, height } = box(track ?? el);
  return [width, height];
};
