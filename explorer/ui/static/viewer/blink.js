// T as a blink comparator: a press switches, and a held key switches back when it is released.
// The key's own time counts: a page that was busy in between must not mistake a tap for a hold.

const HELD = 300; // ms

// `turned()`: whether a press has switched; `back()` switches back.
export function bindBlink(turned, back) {
  let since = 0;
  document.addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() === "t" && !event.repeat) since = event.timeStamp;
  });
  document.addEventListener("keyup", (event) => {
    if (event.key.toLowerCase() === "t" && turned() && event.timeStamp - since > HELD) back();
  });
}
