// The visitor's exports of a film: its picture, a report to print, or its numbers in a file.

import { captionLines, confirmBurnedInText, download, fileName } from "../shared/exports.js";
import { refusalWords } from "../shared/refusal.js";
import { callServer, explainMissingFilm } from "../shared/server_calls.js";
import { saveDicom } from "./dicom.js";
import { placeLines } from "../shared/insertion_answers.js";
import { insertedLines } from "../shared/insertion_panel.js";
import { printReport } from "./report.js";

// `item`: the active film in `lightbox`; `chosen()`: the chosen finding; `pair`: the two open films; `insertion`: the
// finding that was put into it, which only the picture alone has; `note(words)` shows a failure.
export async function saveFilm(kind, item, { room, server, lightbox, chosen, pair, insertion, note }) {
  const picture = (lines) => lightbox.makePicture(lightbox.active, lines);
  if (kind === "report") return saveReport(item, insertion.withoutFinding(item, () => picture([])), { room, server, chosen, study: pair.summary });
  if (kind === "png") {
    const answer = insertion.shownOn(item);
    const places = insertion.placesOn(item);
    const without = [...(places ? placeLines(places) : []), ...captionLines(item, chosen())];
    const made = picture(answer ? insertedLines(item, answer) : without);
    return savePicture(item, made, { room, server, finding: answer ? "simulated " + answer.finding : (chosen() ?? "") });
  }
  if (kind === "dicom") return saveDicom(item, { room, server, viewer: lightbox.viewers[lightbox.active] });
  const answer = (await callServer(server.export, { token: item.token, kind, ...pair.besideRequest(lightbox.active) })) ?? (await explainMissingFilm(server, item.token));
  if (answer.stage) return note(refusalWords(answer));
  download(new Blob([answer.text], { type: answer.type }), exportName(item, kind));
}

// Printed with the map only where the page shows one.
async function saveReport(item, canvas, { room, server, chosen, study }) {
  if (await pictureMayLeave(item, room, server)) await printReport(room, item, canvas, { finding: chosen(), study });
}

// The picture is made before the question: another film may be shown by the time of the answer.
async function savePicture(item, canvas, { room, server, finding }) {
  const name = exportName(item, "png", finding);
  if (await pictureMayLeave(item, room, server)) canvas.toBlob((blob) => download(blob, name));
}

async function pictureMayLeave(item, room, server) {
  const hasText = await callServer(server.text, item.token); // without an answer, better one question too many
  return confirmBurnedInText(room.querySelector(".burned-in"), hasText !== false);
}

function exportName({ opinion, film }, kind, finding) {
  return fileName(kind, { tab: "read", model: opinion.model.name, finding, sha256: film.sha256 });
}
