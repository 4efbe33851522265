// The progress of a folder in one line.

import { DOT_BETWEEN, countText, wholeText } from "../shared/figures.js";

/** @param {ui.folder.payload.FolderPayload} folder */
export function progressText({ expected, read, not_read: refused, passed_over: passed, running, seconds_left: left, model }) {
  const done = read + refused + passed;
  const parts = running ? [wholeText(done) + " of " + countText(expected, "file"), wholeText(read) + " read"] : [countText(read, "film") + " read"];
  if (refused) parts.push(wholeText(refused) + " not read");
  if (running && left !== null) parts.push(timeLeftText(left));
  if (!running && model) parts.push("by " + model);
  return parts.join(DOT_BETWEEN);
}

// A sentence if Read names a model other than the one that read the films; an empty name is the default model.
export function otherModelWords(read, chosen) {
  const other = chosen || "the default model";
  const scores = read ? `These scores are by ${read}` : "No film was read";
  return { says: `${scores}; Read by now names ${other}.`, offers: `Read again by ${other}` };
}

function timeLeftText(seconds) {
  if (seconds < 5) return "a few seconds left";
  if (seconds < 100) return "about " + Math.ceil(seconds / 5) * 5 + " s left";
  return "about " + countText(Math.ceil(seconds / 60), "minute") + " left";
}
