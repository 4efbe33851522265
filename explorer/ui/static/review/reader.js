// The readers' page of a review: enter a code, vote on one film after another, go on where the work stopped.

import { make } from "../shared/elements.js";
import { refusalWords } from "../shared/refusal.js";
import { makeHeading } from "../class/doors.js";
import { makeFilmScreen } from "../class/film_screen.js";
import { FilmSide } from "../class/film_side.js";
import { makeOverheard } from "../class/overheard.js";
import { Refused, retryUntilReached } from "../class/refused.js";
import { PendingVote } from "./pending_vote.js";
import { ReviewTransport } from "./transport.js";
import { VotePart } from "./vote.js";

const NOT_ENTERED = 401;
const CONNECTION_LOST = "Connection lost. Your vote is kept on this device and sent automatically.";

class ReviewRoom {
  constructor(page, transport) {
    this.page = page;
    this.transport = transport;
    this.pending = new PendingVote();
    this.status = document.querySelector(".class-status");
    this.part = null; // the vote on the film on show
    document.addEventListener("keydown", (event) => this.part?.handleKey(event));
    this.lost = (lost) => this.showStatus(lost ? CONNECTION_LOST : "");
  }

  showStatus(words) {
    this.status.hidden = !words;
    this.status.textContent = words;
  }

  ask(call) {
    return retryUntilReached(call, this.lost);
  }

  async begin() {
    await this.guard(async () => this.goOn(await this.ask(() => this.transport.me())));
  }

  // Run a step; a device that is not in the review enters its code again.
  async guard(step) {
    try {
      await step();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (error.status === NOT_ENTERED) return this.showDoor();
      this.showStatus(refusalWords(error));
    }
  }

  showDoor() {
    const form = make("form", "class-door");
    const label = make("label", "class-field", "Your code");
    const input = Object.assign(make("input", "class-input"), { required: true, spellcheck: false, autocomplete: "off" });
    input.setAttribute("autocapitalize", "characters");
    input.value = location.hash.slice(1);
    label.append(input);
    const problem = make("p", "class-problem");
    problem.setAttribute("role", "alert");
    const enter = make("button", "class-main-button", "Enter");
    form.append(makeHeading("Enter the review"), label, ...makeOverheard("your code and votes"), problem, enter);
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      enter.disabled = true;
      problem.textContent = "";
      try {
        await this.goOn(await this.ask(() => this.transport.enter(input.value.trim())));
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        problem.textContent = refusalWords(error);
      }
      enter.disabled = false;
    });
    this.show("outside", form);
  }

  // `work`: how far the reader is, as /me answers.
  async goOn(work) {
    this.work = await this.sendWaiting(work);
    document.title = this.work.title + " - Tailscope review";
    await this.showFilm(this.work.next);
  }

  // A vote that waited on this device is sent first; one for a film that is closed by now was sent from elsewhere.
  async sendWaiting(work) {
    const vote = this.pending.of(work.title);
    if (!vote) return work;
    try {
      return await this.ask(() => this.transport.vote(vote));
    } catch (error) {
      if (!(error instanceof Refused) || error.status === NOT_ENTERED) throw error;
      this.showStatus(refusalWords(error));
      return work;
    } finally {
      this.pending.forget();
    }
  }

  async showFilm(place) {
    if (place >= this.work.films) return this.show("done", this.makeEnd());
    const asked = await this.ask(() => this.transport.film(place));
    const side = new FilmSide(asked, this.work.films);
    this.part = new VotePart(asked, this.work, {
      vote: (vote) => this.vote(vote),
      back: place > 0 && place === this.work.next ? () => this.guard(() => this.showFilm(place - 1)) : null,
    });
    this.show("film", makeFilmScreen(side, this.part).element);
  }

  async vote(vote) {
    this.pending.put(this.work.title, vote);
    await this.guard(async () => {
      this.work = await this.ask(() => this.transport.vote(vote));
      this.pending.forget();
      this.showStatus("");
      await this.showFilm(this.work.next);
    });
  }

  makeEnd() {
    const screen = make("section", "class-door");
    const change = make("button", "class-quiet-button", "Change my last vote");
    change.type = "button";
    change.addEventListener("click", () => this.guard(() => this.showFilm(this.work.films - 1)));
    const words = "You voted on all " + this.work.films + " films. Every vote is saved; you can close this page.";
    screen.append(makeHeading("All done"), make("p", "class-text", words), change);
    return screen;
  }

  show(name, element) {
    this.page.dataset.screen = name;
    this.page.replaceChildren(element);
    this.page.querySelector("[data-first]")?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }
}

const page = document.getElementById("class-page");
if (page) new ReviewRoom(page, new ReviewTransport()).begin();
