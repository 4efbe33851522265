// The answers to a class in a file, kept in this browser where it allows that.

const STORAGE_PREFIX = "tailscope-class-file-"; // with the file's digest: pages opened from a disk may share one storage

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

  find(film) {
    return this.given[film];
  }

  // The first answer counts.
  put(film, answer) {
    this.given[film] ??= answer;
    try {
      localStorage.setItem(this.place, JSON.stringify(this.given));
    } catch {
      this.isLasting = false;
    }
  }
}
