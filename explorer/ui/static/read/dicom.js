// Save as DICOM: the dialog lists what will be written, and nothing is made before the visitor confirms.

import { download, fileName } from "../shared/exports.js";
import { showRefusal } from "../shared/refusal.js";
import { callServer, explainMissingFilm } from "../shared/server_calls.js";

// `item`: the film in `viewer`, whose window and map are those of the moment: another film may take its place later.
export async function saveDicom(item, { room, server, viewer }) {
  const dialog = room.querySelector("dialog.dicom");
  const form = dialog.querySelector("form");
  const part = (name) => dialog.querySelector(".dicom-" + name);
  const { width, level, inverted } = viewer.window;
  const finding = viewer.overlay.isShown ? viewer.overlay.legendWords.finding : "";
  const order = { token: item.token, finding, window: { width, level, inverted } };
  form.reset();
  part("wrong").textContent = "";
  part("text").hidden = true;
  part("written").textContent = writtenWords(item, finding);
  const sayWhose = () => {
    const { patient, study } = form.elements;
    part("patient").textContent = patient.value.trim() ? "The ID as you typed it." : "An anonymous ID, new with each save.";
    part("study").textContent = study.value.trim() ? "The study that you typed." : "A new study of these two files.";
  };
  sayWhose();
  form.oninput = sayWhose;
  part("ways").querySelector(".leave").onclick = () => dialog.close();
  form.onsubmit = (event) => {
    event.preventDefault();
    writeDicom(item, order, { form, part, dialog, server });
  };
  dialog.showModal();
  const hasText = await callServer(server.text, item.token);
  part("text").hidden = hasText === false; // without an answer, better one warning too many
}

function writtenWords({ opinion }, finding) {
  const map = finding ? `with the map of ${finding}` : "without a map";
  return `The film in its present window, ${map}; every score and threshold; what was done to the film before it was read; ${opinion.model.name} and its weights' hash; Tailscope's version; date and time.`;
}

async function writeDicom(item, order, { form, part, dialog, server }) {
  const { patient, study, confirmed } = form.elements;
  const save = part("ways").querySelector(".keep");
  save.disabled = true;
  part("wrong").textContent = "";
  const request = { ...order, patient: patient.value, study: study.value, confirmed: confirmed.checked };
  const answer = (await callServer(server.dicom, request)) ?? (await explainMissingFilm(server, item.token));
  save.disabled = false;
  if (answer.stage) return showRefusal(part("wrong"), answer);
  const bytes = Uint8Array.from(atob(answer.zip), (letter) => letter.charCodeAt(0));
  // Without the film's hash, which is part of every other export's name.
  const name = fileName("zip", { tab: "dicom", model: item.opinion.model.name, finding: order.finding, sha256: "" });
  dialog.close();
  download(new Blob([bytes], { type: "application/zip" }), name);
}
