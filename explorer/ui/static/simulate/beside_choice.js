// The choice of what stands beside the film: nothing, the other center, or the same patient exposed again.

import { make } from "../shared/elements.js";
import { OTHER_CENTER } from "./state.js";

const MIDDLE = 3; // the strength that comes first
const EXPOSED_AGAIN = "The same patient, exposed again";

export class BesideChoice {
  // `exposures`: {name, title, strengths}, as the server lists them; `want(how)`: another choice was made.
  constructor(line, exposures, want) {
    this.exposures = new Map(exposures.map((each) => [each.name, each]));
    this.select = line.querySelector("select");
    this.slider = line.querySelector("input");
    this.words = line.querySelector(".sim-dial");
    const group = Object.assign(make("optgroup", ""), { label: EXPOSED_AGAIN });
    group.append(...exposures.map(({ name, title }) => new Option(title, name)));
    this.select.append(new Option("nothing", ""), new Option("the other center", OTHER_CENTER), group);
    this.select.addEventListener("change", () => want(this.named(MIDDLE)));
    this.slider.addEventListener("input", () => want(this.named(Number(this.slider.value))));
  }

  named(strength) {
    const strengths = this.exposures.get(this.select.value)?.strengths ?? [];
    return strengths.length ? this.select.value + "-" + strength : this.select.value;
  }

  // `how`: as in the address: a way's name, with its strength if it has any.
  show(how) {
    const [, name, strength] = how.match(/^(.*?)(?:-([1-5]))?$/);
    const strengths = this.exposures.get(name)?.strengths ?? [];
    this.select.value = name;
    this.slider.hidden = this.words.hidden = !strengths.length || !strength;
    if (this.slider.hidden) return;
    this.slider.value = strength;
    this.words.textContent = this.slider.ariaValueText = strengths[Number(strength) - 1];
  }
}
