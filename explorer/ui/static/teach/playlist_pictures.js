// Thumbnails of films that are simulated for this playlist: made by the server, a few at a time.

const AT_A_TIME = 4;
const TRIES = 5; // if the playlist is changed meanwhile
const RETRY_AFTER = 400; // ms

export class PlaylistPictures {
  // `now()`: {rows, version} of the editor.
  constructor(teach, now) {
    this.teach = teach;
    this.now = now;
    this.turn = 0;
  }

  async load(key) {
    const turn = ++this.turn;
    const missing = this.now().rows.filter(({ film }) => film.made);
    let tries = TRIES;
    while (missing.length && tries && turn === this.turn) {
      const batch = missing.splice(0, AT_A_TIME);
      const places = new Map(batch.map((row) => [String(row.at), row]));
      const answer = await this.teach.ask("playlist_pictures", { key, version: this.now().version, films: batch.map(({ at }) => at) });
      if (turn !== this.turn) return;
      if (answer.stage === "pictures") for (const [at, picture] of Object.entries(answer.pictures)) places.get(at).showPicture(picture);
      else {
        missing.unshift(...batch);
        tries -= 1;
        await new Promise((done) => setTimeout(done, RETRY_AFTER));
      }
    }
  }
}
