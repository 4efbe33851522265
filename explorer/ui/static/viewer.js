// The film and the map over it. Knows nothing of the list beside it.

class Viewer {
  constructor(room) {
    this.stage = room.querySelector(".stage");
    this.frame = room.querySelector(".film");
    this.film = room.querySelector(".film-canvas");
    this.heat = room.querySelector(".heat-canvas");
    this.legend = room.querySelector(".legend");
    drawScale(room.querySelector(".legend-scale"));
    new ResizeObserver(() => this.fit()).observe(this.stage);
  }

  async show(source) {
    const image = new Image();
    image.src = source;
    await image.decode();
    this.film.width = image.naturalWidth;
    this.film.height = image.naturalHeight;
    this.film.getContext("2d").drawImage(image, 0, 0);
    this.clearHeat();
    this.fit();
  }

  // As large as the stage allows, never distorted.
  fit() {
    const { clientWidth, clientHeight } = this.stage;
    const scale = Math.min(clientWidth / this.film.width, clientHeight / this.film.height);
    this.frame.style.width = Math.round(this.film.width * scale) + "px";
    this.frame.style.height = Math.round(this.film.height * scale) + "px";
  }

  showHeat(opinion, index) {
    drawHeat(this.heat, opinion, index, this.film.width, this.film.height);
    const maximum = heatMaximum(opinion).toFixed(1);
    this.legend.querySelector(".legend-finding").textContent = opinion.rows[index].finding;
    this.legend.querySelector(".legend-maximum").textContent =
      opinion.heat_maximum ? maximum + " logit" : maximum + " logit, this film only";
    this.legend.hidden = false;
  }

  clearHeat() {
    this.heat.getContext("2d").clearRect(0, 0, this.heat.width, this.heat.height);
    this.legend.hidden = true;
  }
}
