// The simulated film, and the address's fragment that holds it: a link is a film.
// {center, seed, version, requests: [{finding, side, severity}], show: a view, masks, what is beside, look: the finding chosen first, seal,
// quiz}; the seed decides a side or severity that is null. A hidden film has only its sealed name, "" while it is still
// to be drawn; an open one null. `quiz`: {question: {kind, finding}, normals}, or null.

const SIMULATE = "#simulate";
const FIRST_VERSION = 1; // of the simulator: links of that version have no number
export const NEWEST_VERSION = 2; // of the simulator that draws new films
const VIEWS = ["film", "twin", "difference"]; // without any word: the film with masks
const MASKS = "masks";
export const OTHER_CENTER = "centers"; // beside the film, as may be a level of the server's exposures
const FIRST_FILM = Object.freeze({ center: "A", seed: 300041, version: NEWEST_VERSION, requests: [{ finding: "Pleural Effusion", side: "left", severity: 0.6 }], show: [], look: null, seal: null, quiz: null });
const HIDDEN_FILM = { center: null, seed: null, version: null, requests: [], show: ["film"], look: null };
const STATE_WORDS = ["center", "seed", "version", "show", "sealed", "quiz", "about", "healthy", "look", "present"]; // all others are findings
export const DEFAULT_NORMALS = 0.3; // the share of normal films in a quiz

// Links to lessons belong to the lesson bar.
export const isSimulateAddress = (hash) => hash === SIMULATE || (hash.startsWith(SIMULATE + "?") && !hash.startsWith(SIMULATE + "?lesson="));

// A finding is written as Pleural+Effusion=left,0.62; the server refuses other words of a damaged link.
export function readSimulateAddress(hash) {
  if (!isSimulateAddress(hash) || hash === SIMULATE) return FIRST_FILM;
  const words = [...new URLSearchParams(hash.slice(SIMULATE.length + 1))];
  const one = (name) => words.find(([word]) => word === name)?.[1];
  const quiz = readQuiz(one);
  const seal = one("sealed") ?? (quiz && one("seed") === undefined ? "" : null);
  if (seal !== null) return hiddenState({ seal, quiz });
  const seed = Number(one("seed") ?? FIRST_FILM.seed);
  const version = Number(one("version") ?? FIRST_VERSION);
  const requests = words.filter(([word]) => !STATE_WORDS.includes(word)).map(readRequest);
  const show = (one("show") ?? "").split(",").filter((each) => /^[a-z]+(-[a-z]+)*(-[1-5])?$/.test(each));
  return { center: one("center") ?? FIRST_FILM.center, seed: Number.isSafeInteger(seed) ? seed : -1, version, requests, show, look: one("look") ?? null, seal, quiz };
}

// Only this is kept of a film that must stay hidden.
export const hiddenState = ({ seal, quiz = null }) => ({ ...HIDDEN_FILM, seal, quiz });

function readQuiz(one) {
  const kind = one("quiz");
  if (!kind) return null;
  const normals = Number(one("healthy") ?? DEFAULT_NORMALS);
  return { question: { kind, finding: one("about") ?? null }, normals: Number.isFinite(normals) ? normals : DEFAULT_NORMALS };
}

function readRequest([finding, value]) {
  const [side, severity] = value.split(",");
  return { finding, side: side || null, severity: severity ? Number(severity) : null };
}

const withPlus = (text) => encodeURIComponent(text).replaceAll("%20", "+");

export function simulateAddress(state) {
  const words = [...(isOpen(state) ? filmWords(state) : state.seal ? ["sealed=" + withPlus(state.seal)] : []), ...quizWords(state.quiz)];
  if (isOpen(state) && state.show.length) words.push("show=" + state.show.join(","));
  if (isOpen(state) && state.look) words.push("look=" + withPlus(state.look));
  return SIMULATE + "?" + words.join("&");
}

function filmWords({ center, seed, version, requests }) {
  const words = ["center=" + withPlus(center), "seed=" + seed, ...(version === FIRST_VERSION ? [] : ["version=" + version])];
  for (const { finding, side, severity } of requests) {
    words.push(withPlus(finding) + "=" + withPlus(side ?? "") + "," + (severity === null ? "" : severity.toFixed(2)));
  }
  return words;
}

function quizWords(quiz) {
  if (!quiz) return [];
  const { kind, finding } = quiz.question;
  return ["quiz=" + withPlus(kind), ...(finding ? ["about=" + withPlus(finding)] : []), "healthy=" + quiz.normals];
}

// The displayed view, and whether masks lie over it.
export const shownView = ({ show }) => show.find((each) => VIEWS.includes(each)) ?? "film";
export const showsMasks = ({ show }) => !show.length || show.includes(MASKS);
// How the same patient is imaged in the film beside it; "": there is none.
export const shownBeside = ({ show }) => show.find((each) => ![...VIEWS, MASKS].includes(each)) ?? "";
export function showWordsFor(view, masks, beside = "") {
  if (view === "film" && masks && !beside) return [];
  return [view, ...(masks ? [MASKS] : []), ...(beside ? [beside] : [])];
}

// An order has no seal, unless it is for a hidden film.
const isOpen = ({ seal = null }) => seal === null;

// What a film depends on.
export const filmKey = (state) => (isOpen(state) ? filmWords(state).join("&") : "sealed=" + state.seal);
export const patientKey = (state) => (isOpen(state) ? [state.center, state.seed, state.version].join() : "sealed=" + state.seal);
// The server's request: a film, a hidden one by its sealed name, or one drawn for the quiz.
export function filmOrder({ center, seed, version, requests, seal, quiz }) {
  if (seal === null) return { center, seed, version, requests };
  return seal ? { seal } : { question: quiz.question, normals: quiz.normals };
}
