// The answers to a class in a file, kept in this browser where it allows that.

const STORAGE_PREFIX = "tailscope-class-file-"; // with the file's digest: pages opened from a disk may share one storage

const keyOf = (film, second) => film + (second ? "+" : "");

export class FileAnswers {
  constructor(digest) {
    this.place = STORAGE_PREFIX + digest;
    this.given = {};
    this.isLasting = true; // whether answers survive closing the file
    try {
      this.given = JSON.parse(localStorage.getItem(this.place) ?? "{}");
      localStorage.setItem(this.place, JSON.stringify(this.given));
    } catch {
      this.isLasting = false;
    }
  }

  // `second`: the answer after seeing the model's.
  find(film, second = false) {
    return this.given[keyOf(film, second)];
  }

  // What was answered first under a key counts.
  put(film, answer, second = false) {
    this.given[keyOf(film, second)] ??= answer;
    try {
      localStorage.setItem(this.place, JSON.stringify(this.given));
    } catch {
      this.isLasting = false;
    }
  }
}
