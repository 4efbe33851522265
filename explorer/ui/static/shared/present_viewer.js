// The film viewer of a tab, presented: its film, heat map and outlines, with the same keys in every tab.

import { Present } from "./present.js";

// As Present; `lightbox`: the viewer in `host`. A film can be presented once the viewer has one.
/** @param {{lightbox: any, callbacks: any, host: HTMLElement, tab: string, words?: object, always?: boolean}} given */
export function presentViewer({ lightbox, callbacks, ...others }) {
  const marks = ["masks", "boxes"].filter((each) => lightbox.commands[each]);
  const said = () => {
    const words = callbacks.said();
    return { ...words, lines: [...(words.lines ?? []), heatWords(lightbox)].filter(Boolean) };
  };
  return new Present({
    ...others,
    callbacks: {
      ready: () => lightbox.enabled,
      heat: () => lightbox.setOverlay(!lightbox.overlayOn),
      outline: () => marks.forEach((each) => lightbox.run(each)),
      ...callbacks,
      said,
    },
  });
}

// Which map lies over the film, or why none does.
function heatWords({ now, opinionHidden }) {
  const { overlay } = now;
  if (opinionHidden) return "";
  if (!overlay.isShown) return overlay.map ? "" : overlay.words ?? "";
  const { finding, maximum, worth } = overlay.legendWords;
  return ["Heat map of " + finding + ", brightest at " + maximum, worth].filter(Boolean).join(". ") + ".";
}
