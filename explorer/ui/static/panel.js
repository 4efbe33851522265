// The column beside the film: which film, whether it can be read, what the model says, the ways on.

const REMEDIES = {
  invert: "Invert and read",
  "turn left": "Turn left and read",
  "turn right": "Turn right and read",
  "turn around": "Turn upside up and read",
};

class Panel {
  // `told`: choose(index), activate(slot), anyway(), amend(remedy), reveal(), save(kind).
  constructor(room, told) {
    this.room = room;
    this.told = told;
    this.findings = new Findings(this.part("findings"), told.choose);
    this.part("exports").addEventListener("click", (event) => {
      const button = event.target.closest("[data-export]");
      if (button) told.save(button.dataset.export);
    });
  }

  part(name) {
    return this.room.querySelector("." + name);
  }

  say(title, detail = "", verdict = "") {
    this.part("word-title").textContent = title;
    this.part("word-detail").textContent = detail;
    this.part("verdict").textContent = verdict;
    this.part("ways").replaceChildren();
  }

  // What went wrong beside the film on show, which stays.
  note(text) {
    this.part("aside").textContent = text;
    this.part("aside").hidden = !text;
  }

  clear() {
    this.findings.clear();
    this.part("numbers").hidden = this.part("exports").hidden = true;
    for (const name of ["notes", "made-model", "made-times"]) this.part(name).replaceChildren();
  }

  names(films, active) {
    const slots = Object.keys(films);
    const buttons = slots.map((slot) => {
      const button = make("button", "film-name", films[slot].name);
      button.type = "button";
      button.title = films[slot].name;
      button.disabled = slots.length === 1;
      button.setAttribute("aria-pressed", String(slot === active));
      button.addEventListener("click", () => this.told.activate(slot));
      return button;
    });
    this.part("film-names").replaceChildren(...buttons);
  }

  film({ film, opinion }) {
    this.part("notes").replaceChildren(...film.notes.map((note) => make("li", "note", note)));
    this.part("made-times").textContent = times(film, opinion);
  }

  opinion({ opinion, film }, others) {
    const { model, verdict, rows, not_looked_for: unknown } = opinion;
    const { title, detail } = summary(rows, unknown);
    this.say(title, detail, verdict.readable ? "Can be read as a frontal chest film" : "Read anyway. " + verdict.reason);
    this.part("verdict").classList.toggle("overruled", !verdict.readable);
    this.findings.show(rows, unknown, others);
    this.part("made-model").textContent = [model.name + ": " + model.title, model.device].join(DOT);
    this.part("made-times").textContent = times(film, opinion);
    this.part("exports").hidden = false;
  }

  chosen({ opinion, chosen }) {
    this.findings.mark(chosen);
    const row = opinion.rows[chosen];
    showNumbers(this.part("numbers"), row, opinion.model, this.findings.others[row.finding]);
  }

  // The gate's refusal takes the summary's place.
  refused({ reason, advice, remedy }) {
    this.say(reason, advice);
    if (remedy) this.way(REMEDIES[remedy], "way-remedy", () => this.told.amend(remedy));
    this.way("Read it anyway", "way-anyway", this.told.anyway);
  }

  hidden() {
    this.say("The model's opinion is hidden", "Look at the film first.");
    this.way("Reveal", "way-reveal", this.told.reveal);
    const label = make("label", "film-first");
    const box = make("input", "");
    box.type = "checkbox";
    label.append(box, "Hide it for the next films too");
    this.part("ways").append(label);
  }

  way(words, className, take) {
    const button = make("button", "way " + className, words);
    button.type = "button";
    button.addEventListener("click", take);
    this.part("ways").append(button);
  }
}

function times(film, opinion) {
  const steps = { decode: film.decode_ms, ...(opinion ? opinion.times_ms : {}), draw: film.draw_ms };
  const shown = Object.entries(steps).filter(([, ms]) => ms !== undefined && ms >= 0.5);
  return shown.map(([step, ms]) => step.replaceAll("_", " ") + " " + Math.round(ms) + " ms").join("   ");
}
