// Mouse, pen and fingers on one stage, passed to `viewer` as commands; nothing here is about pixels. One finger that
// moves at once scrolls the page. One that rests first holds the film.

const HOLD = 300; // ms
const STILL = 8; // px that a resting finger may move

export class Gestures {
  constructor(stage, viewer) {
    this.stage = stage;
    this.viewer = viewer;
    this.pointers = new Map(); // id -> [x, y] on the stage, those that are down
    this.drag = null; // {kind, from}
    this.resting = null; // the timer of a finger that does not hold the film yet
    const on = (name, handle, options) => stage.addEventListener(name, handle.bind(this), options);
    on("pointerdown", this.down);
    on("pointermove", this.moved);
    on("lostpointercapture", this.up); // follows every end of a press, including cancellation
    on("pointerleave", this.left);
    on("wheel", this.wheel, { passive: false });
    on("touchmove", (event) => (this.drag || event.touches.length > 1) && event.cancelable && event.preventDefault(), { passive: false });
    on("dblclick", () => this.viewer.reset());
    on("contextmenu", (event) => event.preventDefault());
    on("mousedown", (event) => event.button === 1 && event.preventDefault()); // the middle button would scroll the page
  }

  place(event) {
    const box = this.stage.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  down(event) {
    this.stage.setPointerCapture(event.pointerId);
    const from = this.place(event);
    this.pointers.set(event.pointerId, from);
    if (this.pointers.size > 1) return this.pinch();
    if (event.pointerType === "touch") this.resting = setTimeout(() => this.begin(event, from), HOLD);
    else this.begin(event, from);
  }

  begin(event, from) {
    this.resting = null;
    this.drag = { kind: this.kind(event), from };
    this.viewer.begin(this.drag.kind, from);
  }

  letGo() {
    clearTimeout(this.resting);
    this.resting = null;
  }

  kind(event) {
    if (event.button === 1 || event.button === 2 || event.shiftKey) return "pan";
    return this.viewer.measuring ? "ruler" : "window";
  }

  // A second finger: the first one's gesture is undone, and both move the film.
  pinch() {
    this.letGo();
    if (this.drag && this.drag.kind !== "pinch") this.viewer.cancel(this.drag.kind);
    this.drag = { kind: "pinch", from: this.hold() };
  }

  // Midpoint of the fingers and their distance.
  hold() {
    const [[x1, y1], [x2, y2]] = this.pointers.values();
    return [(x1 + x2) / 2, (y1 + y2) / 2, Math.max(1, Math.hypot(x2 - x1, y2 - y1))];
  }

  moved(event) {
    const at = this.place(event);
    const before = this.pointers.get(event.pointerId);
    if (this.resting && Math.hypot(at[0] - before[0], at[1] - before[1]) > STILL) this.letGo(); // a swipe
    if (before && !this.resting) this.pointers.set(event.pointerId, at);
    if (event.pointerType !== "touch") this.viewer.probe(at);
    if (!this.drag) return;
    if (this.drag.kind === "pinch") return this.pinched();
    this.viewer.drag(this.drag.kind, this.drag.from, at);
  }

  pinched() {
    if (this.pointers.size !== 2) return;
    const [x, y, distance] = this.hold();
    const [oldX, oldY, oldDistance] = this.drag.from;
    this.viewer.pinch(x - oldX, y - oldY, distance / oldDistance, x, y);
    this.drag.from = [x, y, distance];
  }

  up(event) {
    this.letGo();
    if (!this.pointers.delete(event.pointerId)) return;
    if (this.pointers.size === 0) this.drag = null;
    else if (this.drag) this.drag = { kind: "pinch", from: this.pointers.size === 2 ? this.hold() : null };
    if (event.pointerType === "touch" && !this.drag) this.viewer.probe(this.place(event));
  }

  left(event) {
    if (event.pointerType !== "touch") this.viewer.probe(null); // the readout keeps what a finger touched
  }

  wheel(event) {
    event.preventDefault();
    const unit = [1, 16, 400][event.deltaMode]; // pixels, lines, pages
    const speed = event.ctrlKey ? 0.01 : 0.0015; // a trackpad's pinch arrives as small steps with ctrl
    this.viewer.zoom(Math.exp(-event.deltaY * unit * speed), ...this.place(event));
  }
}
