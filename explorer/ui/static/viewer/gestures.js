// Mouse, pen and fingers on one stage. Tells `viewer` what is meant; knows nothing of pixels.

export class Gestures {
  constructor(stage, viewer) {
    this.stage = stage;
    this.viewer = viewer;
    this.pointers = new Map(); // id -> [x, y] on the stage, those that are down
    this.drag = null; // {kind, from}
    const on = (name, handle, options) => stage.addEventListener(name, handle.bind(this), options);
    on("pointerdown", this.down);
    on("pointermove", this.moved);
    on("lostpointercapture", this.up); // follows every end of a press, the unusual ones too
    on("pointerleave", this.left);
    on("wheel", this.wheel, { passive: false });
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
    this.drag = { kind: this.kind(event), from };
    this.viewer.begin(this.drag.kind, from);
  }

  kind(event) {
    if (event.button === 1 || event.button === 2 || event.shiftKey) return "pan";
    return this.viewer.measuring ? "ruler" : "window";
  }

  // A second finger: what the first began is taken back, and both move the film.
  pinch() {
    if (this.drag && this.drag.kind !== "pinch") this.viewer.cancel(this.drag.kind);
    this.drag = { kind: "pinch", from: this.hold() };
  }

  // Middle of the fingers and their distance.
  hold() {
    const [[x1, y1], [x2, y2]] = this.pointers.values();
    return [(x1 + x2) / 2, (y1 + y2) / 2, Math.max(1, Math.hypot(x2 - x1, y2 - y1))];
  }

  moved(event) {
    const at = this.place(event);
    if (this.pointers.has(event.pointerId)) this.pointers.set(event.pointerId, at);
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
    if (!this.pointers.delete(event.pointerId)) return;
    if (this.pointers.size === 0) this.drag = null;
    else if (this.drag) this.drag = { kind: "pinch", from: this.pointers.size === 2 ? this.hold() : null };
    if (event.pointerType === "touch" && !this.drag) this.viewer.probe(this.place(event));
  }

  left(event) {
    if (event.pointerType !== "touch") this.viewer.probe(null); // what a finger touched stays in the line
  }

  wheel(event) {
    event.preventDefault();
    const unit = [1, 16, 400][event.deltaMode]; // pixels, lines, pages
    const speed = event.ctrlKey ? 0.01 : 0.0015; // a trackpad's pinch comes as small steps with ctrl
    this.viewer.zoom(Math.exp(-event.deltaY * unit * speed), ...this.place(event));
  }
}
