// Files that the visitor saves: the finding list from the server's record, the image from the viewer.

import { scoreText } from "./figures.js";
import { STATE_WORDS, warningWords } from "./finding_words.js";

export function download(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000); // a browser may still be reading it
}

// For example tailscope_read_nih-mini_pleural-effusion_20261124-1405_3f2a51c0.png: ten exports from one morning sort by
// time. It contains no file name, header value or typed word; the film's hash identifies the film.
/**
 * @param {string} kind
 * @param {{tab: string, model?: string, finding?: string, sha256: string}} about
 */
export function fileName(kind, { tab, model, finding = "", sha256 }, now = new Date()) {
  const two = (number) => String(number).padStart(2, "0");
  const day = now.getFullYear() + two(now.getMonth() + 1) + two(now.getDate());
  const about = finding.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
  const parts = ["tailscope", tab, model, about, day + "-" + two(now.getHours()) + two(now.getMinutes()), sha256.slice(0, 8)];
  return parts.filter(Boolean).join("_") + "." + kind;
}

// Lines below an exported image: changes to the film, the chosen finding, the model, the gate's verdict, and the limits
// of use.
export function captionLines({ opinion, film }, chosen) {
  const { rows, model, verdict } = opinion;
  const row = rows.find(({ finding }) => finding === chosen);
  const lines = [...film.notes, ...(row ? [scoreWords(row)] : []), model.name + " on " + model.device];
  if (row?.warning) lines.push(warningWords(row));
  if (!verdict.readable) lines.push("Read anyway. " + verdict.reason);
  return [...lines, "Not for medical use"];
}

function scoreWords(row) {
  const cut = row.threshold === null ? "no threshold" : "threshold " + scoreText(row.threshold);
  const state = row.state === null ? "" : ", " + STATE_WORDS[row.state];
  return row.finding + ": score " + scoreText(row.score) + ", " + cut + state;
}

// Asks before an image with text on it is saved; resolves to whether to proceed.
export function confirmBurnedInText(dialog, hasText) {
  if (!hasText) return Promise.resolve(true);
  dialog.returnValue = "leave";
  dialog.showModal();
  return new Promise((settle) => {
    dialog.addEventListener("close", () => settle(dialog.returnValue === "keep"), { once: true });
  });
}
