// Thumbnails of films that are simulated for this playlist: made by the server, a few at a time.

const TOGETHER = 4;
const TRIES = 5; // if the playlist is changed meanwhile
const LATER = 400; // ms

export class Pictures {
  // `now()`: {rows, version} of the editor.
  constructor(teach, now) {
    this.teach = teach;
    this.now = now;
    this.turn = 0;
  }

  async load(key) {
    const turn = ++this.turn;
    const wanted = this.now().rows.filter(({ film }) => film.made);
    let tries = TRIES;
    while (wanted.length && tries && turn === this.turn) {
      const some = wanted.splice(0, TOGETHER);
      const places = new Map(some.map((row) => [String(row.at), row]));
      const answer = await this.teach.ask("playlist_pictures", { key, version: this.now().version, films: some.map(({ at }) => at) });
      if (turn !== this.turn) return;
      if (answer.stage === "pictures") for (const [at, picture] of Object.entries(answer.pictures)) places.get(at).showPicture(picture);
      else {
        wanted.unshift(...some);
        tries -= 1;
        await new Promise((done) => setTimeout(done, LATER));
      }
    }
  }
}
