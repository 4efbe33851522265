// The film side: the film, its twin or their difference in the very same place, with masks and a map.

import { make } from "../shared/elements.js";
import { COMMANDS } from "../viewer/keys.js";
import { Lightbox } from "../viewer/lightbox.js";
import { TOP_LEVEL } from "../viewer/packed.js";

const DIFFERENCE_GAIN = 4; // of the difference: a step of 1 % of the range is shown as 4 %
const SIM_WORDS = {
  next: "Next finding on this film",
  previous: "Previous finding on this film",
  hide: "Hide or reveal findings and scores",
};
const SIM_KEYS = [
  { name: "twin", keys: ["t"], shown: "T", words: "The same patient without the findings; held, as long as it is held" },
  { name: "difference", keys: ["d"], shown: "D", words: "What differs between the film and its twin" },
  { name: "masks", keys: ["m"], shown: "M", words: "Show or hide the exact masks" },
  { name: "centers", keys: ["c"], shown: "C", words: "The same patient at the other center beside it" },
  { name: "another", keys: ["p"], shown: "P", words: "Another patient" },
  ...COMMANDS.filter(({ name }) => !["link", "other"].includes(name)).map((command) => ({
    ...command,
    words: SIM_WORDS[command.name] ?? command.words,
  })),
];
const VIEW_WORDS = {
  film: "",
  twin: "TWIN: the same patient without a finding",
  difference: "DIFFERENCE x " + DIFFERENCE_GAIN + ": bright is denser with the findings, mid-gray the same",
};

export class SimFilms {
  // `callbacks`: step(delta), toggleOpinion(), turn(view), toggleMasks(), toggleCenters(), another(), present().
  constructor(side, callbacks) {
    this.side = side;
    this.addTools(side.querySelector(".tools:nth-child(2)"));
    this.lightbox = new Lightbox(
      side,
      {
        step: callbacks.step,
        toggleOpinion: callbacks.toggleOpinion,
        activated: () => {},
        closed: () => {},
        more: {
          masks: callbacks.toggleMasks,
          centers: callbacks.toggleCenters,
          twin: () => callbacks.turn("twin"),
          difference: () => callbacks.turn("difference"),
          another: callbacks.another,
          present: callbacks.present,
        },
      },
      SIM_KEYS,
    );
  }

  // Buttons that no other viewer has.
  addTools(tools) {
    for (const [command, first, rest] of [["twin", "T", "win"], ["difference", "D", "ifference"], ["centers", "C", "enters"]]) {
      const button = make("button", "", undefined);
      Object.assign(button, { type: "button" });
      Object.assign(button.dataset, { command });
      button.append(make("u", "", first), rest);
      tools.append(button);
    }
  }

  // `shown`: {film, pixels, masks}; `view`: a key of VIEW_WORDS. Window, zoom and position stay.
  show({ film, pixels, masks }, view, chosen) {
    const labeled = { ...film, changes: [VIEW_WORDS[view]].filter(Boolean) };
    if (this.lightbox.enabled) this.lightbox.now.replaceFilm(labeled, pixels);
    else this.lightbox.showFilm("a", labeled, pixels);
    this.lightbox.showMasks("a", masks, chosen);
    for (const name of ["twin", "difference"]) this.lightbox.toolbar.setPressed(name, view === name);
    this.side.dataset.view = view;
  }

  // Show the map of a finding; `why` it is not shown by default, or words in its place.
  showHeat(opinion, index, why) {
    if (!opinion) return this.lightbox.clearHeat("a");
    const show = () => this.lightbox.showHeat("a", opinion, index);
    if (why) this.lightbox.showNoHeat("a", why, "Show the map anyway", show);
    else show();
  }
}

// A low-resolution film enlarged to full size: bilinear between the centers of its pixels.
export function enlarge({ width, height, levels, intact }, fullSide) {
  if (width === fullSide) return { width, height, levels, intact };
  const large = new Uint16Array(fullSide * fullSide);
  const at = Float32Array.from({ length: fullSide }, (_, i) => Math.min(width - 1, Math.max(0, ((i + 0.5) * width) / fullSide - 0.5)));
  for (let y = 0, i = 0; y < fullSide; y++) {
    const top = Math.floor(at[y]) * width;
    const bottom = Math.min(Math.floor(at[y]) + 1, height - 1) * width;
    const down = at[y] % 1;
    for (let x = 0; x < fullSide; x++, i++) {
      const left = Math.floor(at[x]);
      const right = Math.min(left + 1, width - 1);
      const across = at[x] % 1;
      const above = levels[top + left] + (levels[top + right] - levels[top + left]) * across;
      const below = levels[bottom + left] + (levels[bottom + right] - levels[bottom + left]) * across;
      large[i] = above + (below - above) * down;
    }
  }
  return { width: fullSide, height: fullSide, levels: large, intact };
}

// Film minus twin about mid-gray, multiplied by GAIN.
export function subtractTwin(film, twin) {
  const levels = new Uint16Array(film.levels.length);
  for (let i = 0; i < levels.length; i++) {
    levels[i] = Math.min(TOP_LEVEL, Math.max(0, 32768 + DIFFERENCE_GAIN * (film.levels[i] - twin.levels[i])));
  }
  return { ...film, levels };
}
