// The viewer's buttons and the slider: shows a state and passes on clicks, without decisions of its own.

export const NO_RULER = "No ruler: the file does not state the distance between its pixels.";

export class Toolbar {
  // Remove buttons that are not among `commands`.
  constructor(side, commands, keys, run) {
    this.side = side;
    this.buttons = {};
    for (const button of side.querySelectorAll("[data-command]")) {
      const { command } = button.dataset;
      if (!commands[command]) {
        button.remove();
        continue;
      }
      this.buttons[command] = button;
      button.addEventListener("click", () => run(command));
      this.describe(button, keys.find((each) => each.name === command));
    }
    this.slider = side.querySelector(".opacity input");
    this.slider.addEventListener("input", () => this.applyOpacity());
    this.applyOpacity();
  }

  describe(button, command) {
    if (!command) return; // it has no key; its title is in the markup
    button.title = command.words + " (" + command.shown + ")";
    button.setAttribute("aria-keyshortcuts", command.keys.map((key) => (key === " " ? "Space" : key)).join(" "));
  }

  // Opacity of the maps in [0, 1]: a style, so that nothing is drawn again.
  get opacity() {
    return this.slider.value / 100;
  }

  applyOpacity() {
    this.side.style.setProperty("--heat-opacity", this.opacity);
    this.side.querySelector(".opacity-figure").textContent = this.slider.value + " %";
  }

  setPressed(command, on) {
    this.buttons[command]?.setAttribute("aria-pressed", String(on));
  }

  // `pressed`: command -> whether it is on.
  show({ pressed, measurable, boxed, masked, two, insertable }) {
    for (const [command, on] of Object.entries(pressed)) this.setPressed(command, on);
    const { ruler, boxes, masks, link, compare, finding } = this.buttons;
    ruler.disabled = !measurable;
    ruler.title = measurable ? "Ruler (R)" : NO_RULER;
    link.hidden = !two;
    if (boxes) boxes.disabled = !boxed;
    if (masks) masks.disabled = !masked;
    if (compare) compare.hidden = two;
    if (finding) finding.hidden = !insertable;
  }
}
