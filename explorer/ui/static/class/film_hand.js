// Mouse, pen and fingers on a film of a class. One finger taps, moves a zoomed film, or changes the contrast while its
// sliders are open; two fingers zoom and move. A mouse drag changes the contrast; with Shift or the right button it
// moves the film.

const STILL_DISTANCE = 8; // px: a press that moves less is a tap
const SWIPE_DISTANCE = 60; // px

export class FilmPointer {
  constructor(stage, view) {
    this.stage = stage;
    this.view = view;
    this.pointers = new Map();
    this.press = null;
    const on = (name, handle, options) => stage.addEventListener(name, handle.bind(this), options);
    on("pointerdown", this.down);
    on("pointermove", this.moved);
    on("pointerup", this.up);
    on("pointercancel", this.cancelled);
    on("wheel", this.wheel, { passive: false });
    on("dblclick", ({ target }) => target.closest(".class-stage[data-pointing]") || view.fit());
    on("contextmenu", (event) => event.preventDefault());
  }

  stagePoint({ clientX, clientY }) {
    const box = this.stage.getBoundingClientRect();
    return [clientX - box.left, clientY - box.top];
  }

  down(event) {
    this.stage.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, this.stagePoint(event));
    if (this.pointers.size > 1) {
      this.press = { kind: "pinch", from: this.midpointAndDistance() };
      return;
    }
    const at = this.stagePoint(event);
    this.press = { kind: "tap", drag: this.dragKind(event), from: at, last: at };
    this.view.begin();
  }

  // What a drag does.
  dragKind({ pointerType, button, shiftKey }) {
    if (pointerType === "mouse") return button !== 0 || shiftKey ? "pan" : "window";
    if (this.view.tell.adjusts()) return "window";
    return this.view.camera.fitted ? "swipe" : "pan";
  }

  // Midpoint of two fingers and their distance.
  midpointAndDistance() {
    const [[x1, y1], [x2, y2]] = this.pointers.values();
    return [(x1 + x2) / 2, (y1 + y2) / 2, Math.max(1, Math.hypot(x2 - x1, y2 - y1))];
  }

  moved(event) {
    if (!this.press || !this.pointers.has(event.pointerId)) return;
    const at = this.stagePoint(event);
    this.pointers.set(event.pointerId, at);
    if (this.press.kind === "pinch") return this.pinch();
    const { from, last, drag } = this.press;
    if (this.press.kind === "tap" && Math.hypot(at[0] - from[0], at[1] - from[1]) <= STILL_DISTANCE) return;
    this.press.kind = drag;
    this.press.last = at;
    if (drag === "pan") this.view.pan(at[0] - last[0], at[1] - last[1]);
    if (drag === "window") this.view.adjust(at[0] - from[0], at[1] - from[1]);
  }

  pinch() {
    if (this.pointers.size !== 2) return;
    const [x, y, distance] = this.midpointAndDistance();
    const [oldX, oldY, oldDistance] = this.press.from;
    this.view.pan(x - oldX, y - oldY);
    this.view.zoomBy(distance / oldDistance, x, y);
    this.press.from = [x, y, distance];
  }

  up(event) {
    const { press } = this;
    if (!this.pointers.delete(event.pointerId) || !press) return;
    const [x, y] = this.stagePoint(event);
    if (press.kind === "tap" && event.button === 0) this.view.tap(x, y);
    if (press.kind === "swipe" && Math.abs(x - press.from[0]) > SWIPE_DISTANCE) this.view.tell.swiped(x < press.from[0] ? 1 : -1);
    this.press = this.pointers.size === 2 ? { kind: "pinch", from: this.midpointAndDistance() } : null;
  }

  cancelled(event) {
    this.pointers.delete(event.pointerId);
    this.press = null;
  }

  wheel(event) {
    event.preventDefault();
    const unit = [1, 16, 400][event.deltaMode]; // pixels, lines, pages
    const speed = event.ctrlKey ? 0.01 : 0.0015; // a trackpad's pinch arrives as small steps with ctrl
    this.view.zoomBy(Math.exp(-event.deltaY * unit * speed), ...this.stagePoint(event));
  }
}
