// Thumbnails of the gallery, a few at a time: a browser opens six connections to one host, and those that wait for a
// new thumbnail would delay the visitor's next request.

const AT_A_TIME = 3; // at a time

export class Thumbnails {
  waiting = []; // {image, address}
  loading = 0;

  // Forget thumbnails that are not loading yet: other films are on the page.
  forget() {
    this.waiting = [];
  }

  load(image, address) {
    this.waiting.push({ image, address });
    this.loadNext();
  }

  loadNext() {
    if (this.loading >= AT_A_TIME || !this.waiting.length) return;
    const { image, address } = this.waiting.shift();
    this.loading += 1;
    const done = () => {
      this.loading -= 1;
      this.loadNext();
    };
    image.addEventListener("load", done, { once: true });
    image.addEventListener("error", done, { once: true });
    image.src = address;
  }
}
