// Who is in a class, and how many films each has answered, never what; the teacher removes learners, and closes the
// class to newcomers.

import { make } from "../shared/elements.js";
import { countText } from "../shared/figures.js";

export class ClassLearners {
  // `room` has the elements; `step(name, argument)`: a step of the class.
  constructor(room, step) {
    this.room = room;
    this.step = step;
    this.lets = true;
    this.contentKey = "";
    this.dialog = this.find("class-remove");
    this.bindClick("class-remove-button", () => this.openRemoveDialog());
    this.bindClick("class-clear-button", () => step("class_clear"));
    this.bindClick("class-let-in-button", () => step("class_let_in", !this.lets));
    this.dialog.addEventListener("close", () => this.dialog.returnValue === "remove" && this.remove());
  }

  find(name) {
    return this.room.querySelector("." + name);
  }

  bindClick(name, take) {
    this.find(name).addEventListener("click", take);
  }

  /** @param {school.classroom.teacher_screen.BoardPayload} board */
  show({ learners, films, stage, removed, full, lets_in: lets }) {
    const contentKey = JSON.stringify([learners, films, stage, removed, full, lets]);
    if (contentKey === this.contentKey) return;
    this.contentKey = contentKey;
    this.learners = learners;
    this.lets = lets;
    const silent = learners.filter(({ answered }) => !answered).length;
    const ended = stage === "ended";
    this.find("class-learners-title").textContent = countText(learners.length, "learner");
    this.find("class-learners").replaceChildren(...learners.map((each) => makeLearner(each, films)));
    this.find("class-doorkeeper").textContent = doorWords({ full, removed, lets: lets || ended });
    this.find("class-learner-ways").hidden = ended;
    this.find("class-remove-button").disabled = !learners.length;
    const clear = this.find("class-clear-button");
    clear.hidden = stage === "waiting" || !silent; // nobody can have answered before the first film
    clear.textContent = "Clear " + silent + " who answered nothing";
    this.find("class-let-in-button").textContent = lets ? "Let nobody else in" : "Let learners in";
  }

  openRemoveDialog() {
    const name = this.find("class-remove-name");
    name.replaceChildren(...this.learners.map(({ nickname }) => make("option", "", nickname)));
    this.dialog.returnValue = "";
    this.dialog.querySelector("form").reset();
    this.dialog.showModal();
  }

  remove() {
    const keep = this.dialog.querySelector("[name=class-removed]:checked").value === "keep";
    this.step("class_remove", { nickname: this.find("class-remove-name").value, keep, again: this.find("class-remove-again").checked });
  }
}

function makeLearner({ nickname, answered }, films) {
  const item = make("li", "");
  item.append(make("span", "class-nickname", nickname), make("span", "class-answered", answered + " of " + films));
  return item;
}

function doorWords({ full, removed, lets }) {
  const words = [];
  if (removed) words.push(removed + " removed, answers kept.");
  if (!lets) words.push("Nobody else is let in.");
  else if (full) words.push("The class is full. A learner without answers who is silent for a minute loses the place to the next.");
  return words.join(" ");
}
