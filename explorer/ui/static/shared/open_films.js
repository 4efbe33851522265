// The open films, shared by the tabs: Read keeps them, Ask shows them too and asks Read for changes. A module is loaded
// once per page, so this is the only channel between the tabs.

class OpenFilms extends EventTarget {
  films = {}; // by slot, as in read.js
  active = "a";
  opinionHidden = false;
  filmFirst = false;
  windows = {}; // the window by slot
  keeper = null; // of Read: models (which one was chosen), showFilm, activate, takeDown, anyway, amend, setFilmFirst, server (its calls)

  get now() {
    return this.films[this.active];
  }

  // Undefined if the film was closed meanwhile.
  slotOf(item) {
    return Object.keys(this.films).find((slot) => this.films[slot] === item);
  }

  update(state) {
    Object.assign(this, state);
    this.dispatchEvent(new Event("change"));
  }

  // The window of a film is the same in both tabs: the visitor changed it in `lightbox`.
  shareWindows(lightbox) {
    this.windows = lightbox.windows;
    this.dispatchEvent(new CustomEvent("window", { detail: lightbox }));
  }

  takeWindows(lightbox) {
    this.addEventListener("window", (/** @type {CustomEvent} */ { detail: other }) => other !== lightbox && (lightbox.windows = this.windows));
  }
}

export const openFilms = new OpenFilms();
