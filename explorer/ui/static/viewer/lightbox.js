// One film, or two side by side: which is active, the state that both share, and the toolbar. Tabs use this part alone.

import { makePicture } from "./exported_picture.js";
import { autoWindow } from "./gray_window.js";
import { COMMANDS, KeyList, bindKeys, isInFront } from "./keys.js";
import { NO_RULER, Toolbar } from "./toolbar.js";
import { Viewer } from "./viewer.js";

// For the style sheet: the width of a part, which differs from the window's. Gradio drops container queries.
function followWidth(part, narrow, wide) {
  const measure = () => {
    const width = part.clientWidth;
    part.dataset.width = width < narrow ? "narrow" : width < wide ? "middle" : "wide";
  };
  new ResizeObserver(measure).observe(part);
}

export class Lightbox {
  // `callbacks`: step(delta), toggleOpinion(), activated(slot), closed(slot), windowed(windows) and clicked(slot, [x, y]
  // in shares of the film), both optional; and `more`: commands that only the tab can carry out.
  // `keys`: this viewer's table of keys.
  constructor(side, callbacks, keys = COMMANDS) {
    this.side = side;
    this.callbacks = callbacks;
    this.views = side.querySelector(".views");
    this.spareView = this.views.querySelector(".view").cloneNode(true); // the element for the second film
    this.viewers = { a: this.viewerOf(this.views.querySelector(".view")) };
    this.active = "a";
    this.linked = true;
    this.measuring = false;
    this.overlayOn = true;
    this.opinionHidden = false;
    this.boxesOn = true;
    this.masksOn = true;
    this.finding = null;
    this.commands = { ...this.commandTable(), ...callbacks.more };
    keys = keys.filter(({ name }) => this.commands[name]);
    this.keyList = new KeyList(side.querySelector(".keys"), keys);
    this.toolbar = new Toolbar(side, this.commands, keys, (name) => this.run(name));
    document.addEventListener("fullscreenchange", () => this.refresh());
    bindKeys(
      keys,
      () => this.enabled && this.keyList.keysOn && isInFront(side),
      (name) => this.run(name),
      (across, down) => this.now.move(across, down),
    );
    followWidth(side, 560, 760);
    this.refresh();
  }

  get enabled() {
    return Boolean(this.viewers.a.film);
  }

  get now() {
    return this.viewers[this.active];
  }

  get both() {
    return Object.values(this.viewers);
  }

  get hasTwo() {
    return this.both.length === 2;
  }

  viewerOf(view) {
    const slot = () => view.dataset.slot; // the second film becomes the first when that is closed
    const viewer = new Viewer(view, {
      windowed: (changed) => this.windowed(changed),
      moved: (changed) => this.moved(changed),
      clicked: (place) => this.callbacks.clicked?.(slot(), place),
    });
    followWidth(view, 480, 860);
    view.addEventListener("pointerdown", () => this.activate(slot()));
    view.addEventListener("focusin", () => this.activate(slot()));
    view.querySelector(".close").addEventListener("click", () => this.callbacks.closed(slot()));
    view.querySelector(".evidence-show").addEventListener("click", () => this.setOverlay(true));
    return viewer;
  }

  // Films

  // `pixels`: from unpackFilm.
  showFilm(slot, film, pixels) {
    if (slot === "b" && !this.hasTwo) this.addView();
    this.side.classList.add("has-film"); // a hidden stage has no size
    const viewer = this.viewers[slot];
    viewer.show(film, pixels);
    viewer.setMeasuring(this.measuring);
    const other = this.both.find((each) => each !== viewer);
    if (this.linked && other) this.follow(viewer, other);
    this.refresh();
  }

  addView() {
    const view = this.spareView.cloneNode(true);
    this.showName(view, "b");
    this.views.append(view);
    this.views.classList.add("two"); // the first stage shrinks before the second film is fitted
    this.viewers.b = this.viewerOf(view);
  }

  showName(view, slot) {
    view.dataset.slot = slot;
    for (const kind of ["film", "heat"]) {
      view.querySelector("." + kind + "-canvas").id = this.side.dataset.ids + kind + "-canvas" + (slot === "b" ? "-b" : "");
    }
  }

  // Close a film; if there are two, the other stays as it is.
  clear(slot) {
    const { view } = this.viewers[slot];
    const focused = view.contains(document.activeElement);
    if (this.hasTwo) {
      view.remove();
      this.viewers = { a: this.viewers[slot === "a" ? "b" : "a"] };
      this.showName(this.viewers.a.view, "a");
    } else this.viewers.a.removeFilm();
    this.active = "a";
    this.refresh();
    if (focused && this.enabled) this.now.stage.focus(); // it belonged to the closed film
  }

  activate(slot) {
    if (slot === this.active || !this.viewers[slot]) return;
    this.active = slot;
    this.refresh();
    this.callbacks.activated(slot);
  }

  // The visitor changed the window of one film: the other follows if they are linked.
  windowed(changed) {
    if (this.linked) for (const viewer of this.both) if (viewer !== changed) viewer.setWindow(changed.window);
    this.toolbar.setPressed("invert", this.now.window.inverted);
    this.callbacks.windowed?.(this.windows);
  }

  // The same for zoom and position.
  moved(changed) {
    if (this.linked) for (const viewer of this.both) if (viewer !== changed && viewer.film) viewer.showPart(changed.camera.visiblePart);
  }

  follow(viewer, other) {
    viewer.setWindow(other.window);
    viewer.showPart(other.camera.visiblePart);
  }

  // `films`: by slot, each with a name, shown above it where there are two.
  showNames(films) {
    for (const [slot, { view }] of Object.entries(this.viewers)) {
      const name = view.querySelector(".pane-name");
      name.textContent = name.title = films[slot]?.name ?? "";
    }
  }

  // By slot; for another lightbox that shows the same films.
  get windows() {
    return Object.fromEntries(Object.entries(this.viewers).map(([slot, viewer]) => [slot, viewer.window]));
  }

  set windows(windows) {
    for (const [slot, viewer] of Object.entries(this.viewers)) {
      if (viewer.film && windows[slot] && viewer.window !== windows[slot]) viewer.setWindow(windows[slot]);
    }
    this.toolbar.setPressed("invert", this.now.window.inverted);
  }

  // Opinion

  showHeat(slot, opinion, index) {
    const viewer = this.viewers[slot];
    viewer.overlay.showHeat(opinion, index, viewer.pixels);
    this.refresh();
  }

  showNoHeat(slot, words, button, onShow) {
    this.viewers[slot].overlay.showNoHeat(words, button, onShow);
    this.refresh();
  }

  clearHeat(slot) {
    this.viewers[slot].overlay.clear();
    this.refresh();
  }

  // Another picture of the film in a slot, of the same size; `mark` stands above it.
  showPicture(slot, film, pixels, mark = "") {
    const viewer = this.viewers[slot];
    viewer.replaceFilm(film, pixels);
    if (mark) viewer.part("simulated-mark").textContent = mark;
  }

  // `shown`: whether the active film shows a finding that was put into it; null: none was.
  showFinding(shown) {
    this.finding = shown;
    this.refresh();
  }

  // Boxes that a reader drew: {finding, x, y, width, height} as shares of the film.
  showBoxes(slot, boxes, finding) {
    this.viewers[slot].boxes.show(boxes, finding);
    this.refresh();
  }

  setBoxes(on) {
    this.boxesOn = on;
    this.refresh();
  }

  // Exact masks, as in masks.js; the mask of `finding` is the chosen one.
  showMasks(slot, masks, finding) {
    this.viewers[slot].masks.show(masks, finding);
    this.refresh();
  }

  setMasks(on) {
    this.masksOn = on;
    this.refresh();
  }

  hideOpinion(hidden) {
    this.opinionHidden = hidden;
    this.refresh();
  }

  setOverlay(on) {
    this.overlayOn = on;
    this.refresh();
  }

  makePicture(slot, lines) {
    return makePicture(this.viewers[slot], this.toolbar.opacity, lines);
  }

  // Commands

  commandTable() {
    const turn = (change) => this.now.changeWindowByVisitor({ ...this.now.window, ...change(this.now.window) });
    return {
      reset: () => this.now.reset(),
      fit: () => this.now.fit(),
      one: () => this.now.oneToOne(),
      larger: () => this.now.zoom(1.25),
      smaller: () => this.now.zoom(0.8),
      invert: () => turn(({ inverted }) => ({ inverted: !inverted })),
      auto: () => turn(({ inverted }) => autoWindow(this.now.pixels.levels, inverted)),
      narrower: () => turn(({ width }) => ({ width: width / 1.1 })),
      wider: () => turn(({ width }) => ({ width: width * 1.1 })),
      darker: () => turn(({ level, width }) => ({ level: level + width / 20 })),
      brighter: () => turn(({ level, width }) => ({ level: level - width / 20 })),
      next: () => this.callbacks.step(1),
      previous: () => this.callbacks.step(-1),
      overlay: () => this.setOverlay(!this.overlayOn),
      hide: () => this.callbacks.toggleOpinion(),
      ruler: () => this.toggleRuler(),
      link: () => this.hasTwo && this.toggleLink(),
      other: () => this.hasTwo && this.viewers[this.active === "a" ? "b" : "a"].stage.focus(),
      full: () => this.toggleFullScreen(),
      help: () => this.keyList.open(),
    };
  }

  run(name) {
    this.now.showReadoutWords("");
    this.commands[name]();
    this.refresh();
  }

  toggleRuler() {
    if (!this.now.film.spacing) return this.now.showReadoutWords(NO_RULER);
    this.measuring = !this.measuring;
    for (const viewer of this.both) viewer.setMeasuring(this.measuring);
  }

  toggleLink() {
    this.linked = !this.linked;
    if (!this.linked) return;
    this.windowed(this.now);
    this.moved(this.now);
  }

  toggleFullScreen() {
    if (document.fullscreenElement) document.exitFullscreen();
    else this.side.requestFullscreen().catch(() => this.now.showReadoutWords("This browser does not allow full screen here."));
  }

  // Draw everything that follows from the state.
  refresh() {
    const { side, now } = this;
    side.classList.toggle("has-film", this.enabled);
    this.views.classList.toggle("two", this.hasTwo);
    for (const [slot, viewer] of Object.entries(this.viewers)) {
      viewer.view.classList.toggle("active", slot === this.active);
      viewer.overlay.set(this.overlayOn, this.opinionHidden);
      viewer.setBoxes(this.boxesOn && !this.opinionHidden);
      viewer.setMasks(this.masksOn && !this.opinionHidden);
      viewer.probe(viewer.pointer);
    }
    const measurable = Boolean(now.film?.spacing);
    const boxed = now.boxes.hasMarks && !this.opinionHidden;
    const masked = now.masks.hasMarks && !this.opinionHidden;
    const pressed = {
      invert: now.window.inverted,
      overlay: this.overlayOn,
      boxes: this.boxesOn && boxed,
      masks: this.masksOn && masked,
      hide: this.opinionHidden,
      ruler: this.measuring && measurable,
      finding: this.finding === true,
      link: this.linked,
      full: document.fullscreenElement === side,
    };
    this.toolbar.show({ pressed, measurable, boxed, masked, two: this.hasTwo, insertable: this.finding !== null });
  }
}
