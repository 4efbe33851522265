// What is simulated, and the address's fragment that holds it: a link is a film.
// {center, seed, requests: [{finding, side, severity}], show: of SHOWN}; a side or severity that is null is drawn by the seed.

const SIMULATE = "#simulate";
const SHOWN = ["film", "twin", "difference", "masks"]; // a view and the masks over it; none of them: the film with masks
const FIRST = Object.freeze({ center: "A", seed: 300041, requests: [{ finding: "Pleural Effusion", side: "left", severity: 0.6 }], show: [] });

// A link to a lesson is followed by the lesson's bar.
export const isSimulate = (hash) => hash === SIMULATE || (hash.startsWith(SIMULATE + "?") && !hash.startsWith(SIMULATE + "?lesson="));

// A finding stands as Pleural+Effusion=left,0.62; other words of a damaged link are left to the server to refuse.
export function readState(hash) {
  if (!isSimulate(hash) || hash === SIMULATE) return FIRST;
  const words = [...new URLSearchParams(hash.slice(SIMULATE.length + 1))];
  const one = (name) => words.find(([word]) => word === name)?.[1];
  const seed = Number(one("seed") ?? FIRST.seed);
  const requests = words.filter(([word]) => !["center", "seed", "show", "present"].includes(word)).map(readRequest);
  const show = (one("show") ?? "").split(",").filter((each) => SHOWN.includes(each));
  return { center: one("center") ?? FIRST.center, seed: Number.isSafeInteger(seed) ? seed : -1, requests, show };
}

function readRequest([finding, said]) {
  const [side, severity] = said.split(",");
  return { finding, side: side || null, severity: severity ? Number(severity) : null };
}

export function addressOf({ center, seed, requests, show }) {
  const plus = (text) => encodeURIComponent(text).replaceAll("%20", "+");
  const words = ["center=" + plus(center), "seed=" + seed];
  for (const { finding, side, severity } of requests) {
    words.push(plus(finding) + "=" + plus(side ?? "") + "," + (severity === null ? "" : severity.toFixed(2)));
  }
  if (show.length) words.push("show=" + show.join(","));
  return SIMULATE + "?" + words.join("&");
}

// What is wanted on show: a view, and whether the masks lie over it.
export const viewOf = ({ show }) => show.find((each) => each !== "masks") ?? "film";
export const masksOf = ({ show }) => !show.length || show.includes("masks");
export const showing = (view, masks) => (view === "film" && masks ? [] : masks ? [view, "masks"] : [view]);

// What a film depends on.
export const filmKey = ({ center, seed, requests }) => addressOf({ center, seed, requests, show: [] });
export const patientKey = ({ center, seed }) => center + seed;
export const orderOf = ({ center, seed, requests }) => ({ center, seed, requests });
