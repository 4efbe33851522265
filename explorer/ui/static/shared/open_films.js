// The films that are open, shared by the tabs: Read keeps them, Ask shows them too and asks Read for what is to change.
// A module is loaded once for the whole page, so this is the one channel between the tabs.

class OpenFilms extends EventTarget {
  films = {}; // by slot, as read.js has them
  active = "a";
  opinionHidden = false;
  filmFirst = false;
  windows = {}; // by slot, as the visitor sees the films
  keeper = null; // of Read: models (which one was chosen), showFilm, activate, takeDown, anyway, amend, setFilmFirst

  get now() {
    return this.films[this.active];
  }

  // Undefined where it was taken down meanwhile.
  slotOf(item) {
    return Object.keys(this.films).find((slot) => this.films[slot] === item);
  }

  tell(state) {
    Object.assign(this, state);
    this.dispatchEvent(new Event("change"));
  }

  // The window of a film is the same in both tabs: `lightbox` has set it.
  look(lightbox) {
    this.windows = lightbox.windows;
    this.dispatchEvent(new CustomEvent("window", { detail: lightbox }));
  }

  followLook(lightbox) {
    this.addEventListener("window", (/** @type {CustomEvent} */ { detail: other }) => other !== lightbox && (lightbox.windows = this.windows));
  }
}

export const openFilms = new OpenFilms();
