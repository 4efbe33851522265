// What is simulated, and the address's fragment that holds it: a link is a film.
// {center, seed, version, requests: [{finding, side, severity}], show: of SHOWN, look: the finding chosen first, seal, quiz}; a side or severity that is null is
// drawn by the seed. A hidden film has its sealed name alone, "" where it is still to be drawn; an open one null.
// `quiz`: {question: {kind, finding}, normals}, or null.

const SIMULATE = "#simulate";
const FIRST_VERSION = 1; // of the simulator: links from its time name none
export const NEWEST_VERSION = 2; // what is made here is drawn by
const SHOWN = ["film", "twin", "difference", "masks", "centers"]; // a view and the masks over it; none of them: the film with masks
const FIRST = Object.freeze({ center: "A", seed: 300041, version: NEWEST_VERSION, requests: [{ finding: "Pleural Effusion", side: "left", severity: 0.6 }], show: [], look: null, seal: null, quiz: null });
const NOTHING = { center: null, seed: null, version: null, requests: [], show: ["film"], look: null };
const WORDS = ["center", "seed", "version", "show", "sealed", "quiz", "about", "healthy", "look", "present"]; // all others are findings
export const NORMALS = 0.3; // of the films of a quiz

// A link to a lesson is followed by the lesson's bar.
export const isSimulate = (hash) => hash === SIMULATE || (hash.startsWith(SIMULATE + "?") && !hash.startsWith(SIMULATE + "?lesson="));

// A finding stands as Pleural+Effusion=left,0.62; other words of a damaged link are left to the server to refuse.
export function readState(hash) {
  if (!isSimulate(hash) || hash === SIMULATE) return FIRST;
  const words = [...new URLSearchParams(hash.slice(SIMULATE.length + 1))];
  const one = (name) => words.find(([word]) => word === name)?.[1];
  const quiz = readQuiz(one);
  const seal = one("sealed") ?? (quiz && one("seed") === undefined ? "" : null);
  if (seal !== null) return hiddenState({ seal, quiz });
  const seed = Number(one("seed") ?? FIRST.seed);
  const version = Number(one("version") ?? FIRST_VERSION);
  const requests = words.filter(([word]) => !WORDS.includes(word)).map(readRequest);
  const show = (one("show") ?? "").split(",").filter((each) => SHOWN.includes(each));
  return { center: one("center") ?? FIRST.center, seed: Number.isSafeInteger(seed) ? seed : -1, version, requests, show, look: one("look") ?? null, seal, quiz };
}

// Of a film that nobody may know of yet, no more than this is kept.
export const hiddenState = ({ seal, quiz = null }) => ({ ...NOTHING, seal, quiz });

function readQuiz(one) {
  const kind = one("quiz");
  if (!kind) return null;
  const normals = Number(one("healthy") ?? NORMALS);
  return { question: { kind, finding: one("about") ?? null }, normals: Number.isFinite(normals) ? normals : NORMALS };
}

function readRequest([finding, said]) {
  const [side, severity] = said.split(",");
  return { finding, side: side || null, severity: severity ? Number(severity) : null };
}

const plus = (text) => encodeURIComponent(text).replaceAll("%20", "+");

export function addressOf(state) {
  const words = [...(isOpen(state) ? filmWords(state) : state.seal ? ["sealed=" + plus(state.seal)] : []), ...quizWords(state.quiz)];
  if (isOpen(state) && state.show.length) words.push("show=" + state.show.join(","));
  if (isOpen(state) && state.look) words.push("look=" + plus(state.look));
  return SIMULATE + "?" + words.join("&");
}

function filmWords({ center, seed, version, requests }) {
  const words = ["center=" + plus(center), "seed=" + seed, ...(version === FIRST_VERSION ? [] : ["version=" + version])];
  for (const { finding, side, severity } of requests) {
    words.push(plus(finding) + "=" + plus(side ?? "") + "," + (severity === null ? "" : severity.toFixed(2)));
  }
  return words;
}

function quizWords(quiz) {
  if (!quiz) return [];
  const { kind, finding } = quiz.question;
  return ["quiz=" + plus(kind), ...(finding ? ["about=" + plus(finding)] : []), "healthy=" + quiz.normals];
}

// What is wanted on show: a view, and whether the masks lie over it.
export const viewOf = ({ show }) => show.find((each) => !["masks", "centers"].includes(each)) ?? "film";
export const masksOf = ({ show }) => !show.length || show.includes("masks");
// Whether the same patient at the other center stands beside it.
export const centersOf = ({ show }) => show.includes("centers");
export function showing(view, masks, centers = false) {
  if (view === "film" && masks && !centers) return [];
  return [view, ...(masks ? ["masks"] : []), ...(centers ? ["centers"] : [])];
}

// Orders have no seal, unless they are of a hidden film.
const isOpen = ({ seal = null }) => seal === null;

// What a film depends on.
export const filmKey = (state) => (isOpen(state) ? filmWords(state).join("&") : "sealed=" + state.seal);
export const patientKey = (state) => (isOpen(state) ? [state.center, state.seed, state.version].join() : "sealed=" + state.seal);
// What the server is asked for: a film, a hidden one by its sealed name, or one drawn for the quiz.
export function orderOf({ center, seed, version, requests, seal, quiz }) {
  if (seal === null) return { center, seed, version, requests };
  return seal ? { seal } : { question: quiz.question, normals: quiz.normals };
}
