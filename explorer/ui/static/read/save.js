// What the visitor saves of a film: its picture, a report to print, or its numbers in a file.

import { caption, download, fileName, mayLeave } from "../shared/exports.js";
import { refusalWords } from "../shared/refusal.js";
import { call, whyGone } from "../shared/server_calls.js";
import { saveDicom } from "./dicom.js";
import { printReport } from "./report.js";

// `item`: the film that is active in `lightbox`; `chosen()`: the finding that is looked at; `note(words)` says why not.
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

// The picture is made before anybody is asked: another film may be shown by the time of the answer.
async function savePicture(item, canvas, { room, server, chosen }) {
  const name = nameOf(item, "png", chosen() ?? "");
  if (await pictureMayLeave(item, room, server)) canvas.toBlob((blob) => download(blob, name));
}

async function pictureMayLeave(item, room, server) {
  const hasText = await call(server.text, item.token); // where nobody answers, better ask once too often
  return mayLeave(room.querySelector(".burned-in"), hasText !== false);
}

function nameOf({ opinion, film }, kind, finding) {
  return fileName(kind, { tab: "read", model: opinion.model.name, finding, sha256: film.sha256 });
}
