// Mouse, pen and fingers on one stage, passed to `viewer` as commands; nothing here is about pixels. One finger that
// moves at once scrolls the page. One that rests first holds the film.

const HOLD_TIME = 300; // ms
const CLICK_DISTANCE = 4; // px between press and release of a click
const STILL_DISTANCE = 8; // px that a resting finger may move

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
    on("pointerleave", this.pointerLeft);
    on("wheel", this.wheel, { passive: false });
    on("touchmove", (event) => (this.drag || event.touches.length > 1) && event.cancelable && event.preventDefault(), { passive: false });
    on("click", this.clicked);
    on("dblclick", () => this.viewer.reset());
    on("contextmenu", (event) => event.preventDefault());
    on("mousedown", (event) => event.button === 1 && event.preventDefault()); // the middle button would scroll the page
  }

  stagePoint(event) {
    const box = this.stage.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  down(event) {
    this.stage.setPointerCapture(event.pointerId);
    const from = this.stagePoint(event);
    this.pressed = from;
    this.pointers.set(event.pointerId, from);
    if (this.pointers.size > 1) return this.beginPinch();
    if (event.pointerType === "touch") this.resting = setTimeout(() => this.begin(event, from), HOLD_TIME);
    else this.begin(event, from);
  }

  clicked(event) {
    const at = this.stagePoint(event);
    if (this.pressed && Math.hypot(at[0] - this.pressed[0], at[1] - this.pressed[1]) <= CLICK_DISTANCE) this.viewer.click(at);
  }

  begin(event, from) {
    this.resting = null;
    this.drag = { kind: this.dragKind(event), from };
    this.viewer.begin(this.drag.kind, from);
  }

  cancelHold() {
    clearTimeout(this.resting);
    this.resting = null;
  }

  dragKind(event) {
    if (event.button === 1 || event.button === 2 || event.shiftKey) return "pan";
    return this.viewer.measuring ? "ruler" : "window";
  }

  // A second finger: the first one's gesture is undone, and both move the film.
  beginPinch() {
    this.cancelHold();
    if (this.drag && this.drag.kind !== "pinch") this.viewer.cancel(this.drag.kind);
    this.drag = { kind: "pinch", from: this.midpointAndDistance() };
  }

  // Midpoint of the fingers and their distance.
  midpointAndDistance() {
    const [[x1, y1], [x2, y2]] = this.pointers.values();
    return [(x1 + x2) / 2, (y1 + y2) / 2, Math.max(1, Math.hypot(x2 - x1, y2 - y1))];
  }

  moved(event) {
    const at = this.stagePoint(event);
    const previous = this.pointers.get(event.pointerId);
    if (this.resting && Math.hypot(at[0] - previous[0], at[1] - previous[1]) > STILL_DISTANCE) this.cancelHold(); // a swipe
    if (previous && !this.resting) this.pointers.set(event.pointerId, at);
    if (event.pointerType !== "touch") this.viewer.probe(at);
    if (!this.drag) return;
    if (this.drag.kind === "pinch") return this.pinched();
    this.viewer.drag(this.drag.kind, this.drag.from, at);
  }

  pinched() {
    if (this.pointers.size !== 2) return;
    const [x, y, distance] = this.midpointAndDistance();
    const [oldX, oldY, oldDistance] = this.drag.from;
    this.viewer.pinchBy(x - oldX, y - oldY, distance / oldDistance, x, y);
    this.drag.from = [x, y, distance];
  }

  up(event) {
    this.cancelHold();
    if (!this.pointers.delete(event.pointerId)) return;
    if (this.pointers.size === 0) this.drag = null;
    else if (this.drag) this.drag = { kind: "pinch", from: this.pointers.size === 2 ? this.midpointAndDistance() : null };
    if (event.pointerType === "touch" && !this.drag) this.viewer.probe(this.stagePoint(event));
  }

  pointerLeft(event) {
    if (event.pointerType !== "touch") this.viewer.probe(null); // the readout keeps what a finger touched
  }

  wheel(event) {
    event.preventDefault();
    const unit = [1, 16, 400][event.deltaMode]; // pixels, lines, pages
    const speed = event.ctrlKey ? 0.01 : 0.0015; // a trackpad's pinch arrives as small steps with ctrl
    this.viewer.zoom(Math.exp(-event.deltaY * unit * speed), ...this.stagePoint(event));
  }
}
