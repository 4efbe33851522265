// Who is in a class, and how many films each has answered, never what; the teacher removes learners, and closes the
// class to newcomers.

import { make } from "../shared/elements.js";
import { plural } from "../shared/figures.js";

export class ClassLearners {
  // `room` has the elements; `step(name, argument)`: a step of the class.
  constructor(room, step) {
    this.room = room;
    this.step = step;
    this.lets = true;
    this.shown = "";
    this.dialog = this.part("class-remove");
    this.on("class-remove-button", () => this.ask());
    this.on("class-clear-button", () => step("class_clear"));
    this.on("class-let-in-button", () => step("class_let_in", !this.lets));
    this.dialog.addEventListener("close", () => this.dialog.returnValue === "remove" && this.remove());
  }

  part(name) {
    return this.room.querySelector("." + name);
  }

  on(name, take) {
    this.part(name).addEventListener("click", take);
  }

  /** @param {classroom.board.BoardPayload} board */
  show({ learners, films, stage, removed, full, lets_in: lets }) {
    const shown = JSON.stringify([learners, films, stage, removed, full, lets]);
    if (shown === this.shown) return;
    this.shown = shown;
    this.learners = learners;
    this.lets = lets;
    const silent = learners.filter(({ answered }) => !answered).length;
    const ended = stage === "ended";
    this.part("class-learners-title").textContent = plural(learners.length, "learner");
    this.part("class-learners").replaceChildren(...learners.map((each) => line(each, films)));
    this.part("class-doorkeeper").textContent = doorWords({ full, removed, lets: lets || ended });
    this.part("class-learner-ways").hidden = ended;
    this.part("class-remove-button").disabled = !learners.length;
    const clear = this.part("class-clear-button");
    clear.hidden = stage === "waiting" || !silent; // before the first film nobody can have answered
    clear.textContent = "Clear " + silent + " who answered nothing";
    this.part("class-let-in-button").textContent = lets ? "Let nobody else in" : "Let learners in";
  }

  ask() {
    const name = this.part("class-remove-name");
    name.replaceChildren(...this.learners.map(({ nickname }) => make("option", "", nickname)));
    this.dialog.returnValue = "";
    this.dialog.querySelector("form").reset();
    this.dialog.showModal();
  }

  remove() {
    const keep = this.dialog.querySelector("[name=class-removed]:checked").value === "keep";
    this.step("class_remove", { nickname: this.part("class-remove-name").value, keep, again: this.part("class-remove-again").checked });
  }
}

function line({ nickname, answered }, films) {
  const item = make("li", "");
  item.append(make("span", "class-nickname", nickname), make("span", "class-answered", answered + " of " + films));
  return item;
}

function doorWords({ full, removed, lets }) {
  const words = [];
  if (removed) words.push(removed + " removed, answers kept.");
  if (!lets) words.push("Nobody else is let in.");
  else if (full) words.push("The class is full. Whoever answered nothing and is silent for a minute gives the place to the next.");
  return words.join(" ");
}
