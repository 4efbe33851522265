// Where the displayed film can go: to Read and Ask, where the address opens it like a sample; into a playlist, or as a
// link.

import { AddFilm } from "../shared/add_film.js";
import { showWithCommands } from "../shared/refusal.js";
import { SendToTab } from "../shared/send_to_tab.js";
import { copyLink } from "./copy_link.js";

export class FilmDestinations {
  // `shown()`: {name, address} of the displayed film, or null; `order()`: its request, in the server's form; `known`:
  // all findings of the simulator.
  constructor(room, { trigger, props, watch, server }, { shown, order, known }) {
    const part = (name) => room.querySelector("." + name);
    const say = (words) => showWithCommands(part("sim-said"), words);
    const toTab = new SendToTab({ order: (what) => trigger("sample", what), say });
    const open = (tab) => shown() && toTab.open(tab, shown().name + " (simulated)", { key: shown().address });
    this.tabs = [part("sim-read"), part("sim-ask"), part("sim-add-film")];
    this.tabs[0].addEventListener("click", () => open("read"));
    this.tabs[1].addEventListener("click", () => open("ask"));
    const addFilm = new AddFilm({ call: (question, sent) => server[question](sent).catch(() => undefined), question: "simulated_to_playlist" });
    this.tabs[2].addEventListener("click", () => {
      const asked = order();
      const findings = asked.requests.map(({ finding }) => finding);
      addFilm.open({ words: "this film", sent: () => ({ order: asked }), findings: findings.length ? findings : known, pairs: findings });
    });
    part("sim-copy").addEventListener("click", (event) => copyLink(event.currentTarget, say));
    const arrive = () => toTab.takeAnswer(props.value ?? {});
    watch("value", arrive);
    arrive(); // it may have arrived before this script
  }

  // A hidden film has no address to open.
  hide(hidden) {
    for (const way of this.tabs) way.hidden = hidden;
  }
}
