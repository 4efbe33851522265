// The visitor's exports of a film: its picture, a report to print, or its numbers in a file.

import { caption, download, fileName, mayLeave } from "../shared/exports.js";
import { refusalWords } from "../shared/refusal.js";
import { call, whyGone } from "../shared/server_calls.js";
import { saveDicom } from "./dicom.js";
import { printReport } from "./report.js";

// `item`: the active film in `lightbox`; `chosen()`: the chosen finding; `note(words)` shows a failure.
export async function save(kind, item, { room, server, lightbox, chosen, note }) {
  if (kind === "report") return saveReport(item, lightbox.picture(lightbox.active, []), { room, server, chosen });
  if (kind === "png") return savePicture(item, lightbox.picture(lightbox.active, caption(item, chosen())), { room, server, chosen });
  if (kind === "dicom") return saveDicom(item, { room, server, viewer: lightbox.viewers[lightbox.active] });
  const answer = (await call(server.export, { token: item.token, kind })) ?? (await whyGone(server, item.token));
  if (answer.stage) return note(refusalWords(answer));
  download(new Blob([answer.text], { type: answer.type }), nameOf(item, kind));
}

// Printed with the map only where the page shows one.
async function saveReport(item, canvas, { room, server, chosen }) {
  if (await pictureMayLeave(item, room, server)) await printReport(room, item, canvas, chosen());
}

// The picture is made before the question: another film may be shown by the time of the answer.
async function savePicture(item, canvas, { room, server, chosen }) {
  const name = nameOf(item, "png", chosen() ?? "");
  if (await pictureMayLeave(item, room, server)) canvas.toBlob((blob) => download(blob, name));
}

async function pictureMayLeave(item, room, server) {
  const hasText = await call(server.text, item.token); // without an answer, better one question too many
  return mayLeave(room.querySelector(".burned-in"), hasText !== false);
}

function nameOf({ opinion, film }, kind, finding) {
  return fileName(kind, { tab: "read", model: opinion.model.name, finding, sha256: film.sha256 });
}
