// The films that hang, shown by two tabs: Read keeps them, Ask looks on and asks Read for what is to change.
// Each tab's script has a scope of its own, so this is the one thing they share: whichever comes first makes it.

class Hung extends EventTarget {
  films = {}; // by slot, as read.js has them
  active = "a";
  opinionHidden = false;
  filmFirst = false;
  windows = {}; // by slot, as the visitor sees the films
  keeper = null; // of Read: hang, activate, takeDown, anyway, amend, setFilmFirst

  get now() {
    return this.films[this.active];
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
    this.addEventListener("window", ({ detail: other }) => other !== lightbox && (lightbox.windows = this.windows));
  }
}

const hung = (window.tailscopeHung ??= new Hung());
