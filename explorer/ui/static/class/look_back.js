// Links to films whose reveal can be seen again.

import { make } from "../shared/elements.js";

export function makeLookBack(room, current) {
  const row = make("nav", "class-look-back");
  const films = room.state.revealed.filter((film) => film !== current);
  row.hidden = !films.length;
  row.setAttribute("aria-label", "Films seen before");
  row.append(make("span", "class-legend", "Look again at film"), ...films.map((film) => {
    const button = make("button", "class-film-button", String(film + 1));
    Object.assign(button, { type: "button", ariaLabel: "Film " + (film + 1) });
    button.addEventListener("click", () => room.goTo(film));
    return button;
  }));
  return row;
}
