// Pointer input on a map: drawing around films lassoes them, a click opens one, hovering names it.

import { make } from "../shared/elements.js";
import { cornersOf } from "./map_area.js";

const SVG = "http://www.w3.org/2000/svg";
const STILL_DISTANCE = 4; // px that a click may move
const REACH = 12; // px from a point that still select it
const PREVIEW = 96; // px

export class MapPointer {
  constructor(place, panel, { side }) {
    this.place = place;
    this.panel = panel;
    this.side = side;
    this.sheet = document.createElementNS(SVG, "svg");
    this.sheet.setAttribute("class", "map-sheet");
    this.sheet.setAttribute("viewBox", "0 0 100 100");
    this.sheet.setAttribute("aria-hidden", "true");
    this.area = this.makeShape("polygon", "map-area");
    this.trail = this.makeShape("polyline", "map-trail");
    this.mark = this.makeShape("circle", "map-mark");
    this.star = this.makeShape("path", "map-own-mark");
    this.preview = make("div", "map-preview small");
    this.preview.hidden = true;
    place.append(this.sheet, this.preview);
    this.drawing = this.makeDrawingSwitch();
    place.addEventListener("pointerdown", (event) => this.begin(event));
    place.addEventListener("pointermove", (event) => (this.path ? this.follow(event) : this.hover(event)));
    place.addEventListener("pointerup", (event) => this.end(event));
    place.addEventListener("pointercancel", () => this.forget());
    place.addEventListener("pointerleave", () => this.leave());
    place.addEventListener("keydown", (event) => event.key === "Escape" && this.forget());
  }

  // A finger on the map scrolls the page until drawing is switched on.
  makeDrawingSwitch() {
    const button = make("button", "panel-way control map-drawing", "Draw an area");
    button.type = "button";
    button.dataset.key = "map drawing";
    button.setAttribute("aria-pressed", "false");
    button.addEventListener("click", () => {
      const on = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", String(on));
      this.place.classList.toggle("drawing", on);
    });
    return button;
  }

  makeShape(kind, className) {
    const shape = document.createElementNS(SVG, kind);
    shape.setAttribute("class", className);
    shape.setAttribute("visibility", "hidden");
    this.sheet.append(shape);
    return shape;
  }

  // The area and the visitor's own film in an answer.
  show({ corners, cell, own }) {
    const ends = corners.map(([x, y]) => this.sheetPercent((x + 0.5) * cell, (y + 0.5) * cell).join(","));
    this.area.setAttribute("points", ends.join(" "));
    this.area.setAttribute("visibility", corners.length ? "visible" : "hidden");
    this.forget();
    const hasPlace = own && own.x !== null;
    this.star.setAttribute("visibility", hasPlace ? "visible" : "hidden");
    if (!hasPlace) return;
    const [x, y] = this.sheetPercent(own.x, own.y);
    this.star.setAttribute("d", `M${x - 3} ${y}H${x + 3}M${x} ${y - 3}V${y + 3}M${x - 1.8} ${y}A1.8 1.8 0 1 0 ${x + 1.8} ${y}A1.8 1.8 0 1 0 ${x - 1.8} ${y}`);
  }

  // Units of the map -> percent of the sheet, and the reverse for the pointer.
  sheetPercent(x, y) {
    return [(100 * x) / this.side, 100 - (100 * y) / this.side];
  }

  mapPoint({ clientX, clientY }) {
    const box = this.place.getBoundingClientRect();
    return [((clientX - box.left) / box.width) * this.side, (1 - (clientY - box.top) / box.height) * this.side];
  }

  begin(event) {
    if (event.button !== 0) return;
    event.preventDefault();
    this.place.setPointerCapture(event.pointerId);
    this.start = [event.clientX, event.clientY];
    this.path = [this.mapPoint(event)];
    this.hide();
  }

  follow(event) {
    for (const each of event.getCoalescedEvents?.() ?? [event]) this.path.push(this.mapPoint(each));
    this.path.push(this.mapPoint(event));
    this.trail.setAttribute("points", this.path.map(([x, y]) => this.sheetPercent(x, y).join(",")).join(" "));
    this.trail.setAttribute("visibility", "visible");
  }

  end(event) {
    if (!this.path) return;
    const path = this.path;
    this.forget();
    if (Math.hypot(event.clientX - this.start[0], event.clientY - this.start[1]) <= STILL_DISTANCE && path.length < 4) return this.click(event);
    const corners = cornersOf(path, this.panel.answer);
    if (corners) this.panel.setArea(corners);
    else this.panel.showWords("The area is empty: draw around some films.");
  }

  click(event) {
    const found = this.nearestPoint(event);
    if (found >= 0) this.panel.openCase(found);
  }

  nearestPoint(event) {
    const radius = (REACH / this.place.clientWidth) * this.side;
    return this.panel.data ? this.panel.data.nearest(...this.mapPoint(event), radius) : -1;
  }

  forget() {
    this.path = null;
    this.trail.setAttribute("visibility", "hidden");
  }

  leave() {
    if (!this.path) this.hide();
  }

  hide() {
    this.preview.hidden = true;
    this.mark.setAttribute("visibility", "hidden");
    this.hovered = -1;
  }

  hover(event) {
    if (event.pointerType === "touch") return;
    const found = this.nearestPoint(event);
    if (found === this.hovered) return;
    if (found < 0) return this.hide();
    this.hovered = found;
    const { data, explore } = this.panel;
    const [x, y] = this.sheetPercent(data.x[found], data.y[found]);
    for (const [name, value] of Object.entries({ cx: x, cy: y, r: 1.2, visibility: "visible" })) this.mark.setAttribute(name, value);
    const image = make("img", "");
    Object.assign(image, { alt: "", width: PREVIEW, height: PREVIEW, src: "/tailscope/thumb/" + explore.state.cohort + "/" + data.idOf(found) + ".webp" });
    image.addEventListener("error", () => image.remove());
    this.preview.replaceChildren(image, make("span", "", this.panel.nameOfPoint(found)));
    this.preview.hidden = false;
    Object.assign(this.preview.style, { left: x > 50 ? "auto" : x + 2 + "%", right: x > 50 ? 102 - x + "%" : "auto", top: y > 50 ? "auto" : y + 2 + "%", bottom: y > 50 ? 102 - y + "%" : "auto" });
  }
}
