// The film beside the cohort behind its model: nearest cases under the film, rates among the numbers.

import { breakable, make } from "../shared/elements.js";
import { DOT, NO_NEGATIVES, NO_POSITIVES, plural, rate, score, whole } from "../shared/figures.js";
import { FAR, labelWords } from "../shared/finding_words.js";
import { term } from "../shared/glossary.js";
import { inBrackets, originsOf } from "../shared/origin_words.js";
import { showOutcome } from "../shared/outcome.js";
import { SOURCES } from "./numbers.js";
import { ownErrors, suchFilms } from "./plain_words.js";

// Cases are addressed by ids that say nothing; Explore reads the fragment, which no server sees.
function caseLink({ cohort, model }, id, finding) {
  return "#explore?" + new URLSearchParams({ cohort: cohort.id, model: model.id, case: id, ...(finding ? { look: finding } : {}) });
}

const TALL = 1000; // pixels of a window in which the film keeps enough height above the open strip

export class Alike {
  // `choose(cohort)`: set the film beside another cohort.
  constructor(strip, choose) {
    this.strip = strip;
    strip.open = innerHeight >= TALL; // else on request: the film comes first
    this.part("cohort").addEventListener("change", (event) => choose(event.target.value));
    this.clear();
  }

  part(name) {
    return this.strip.querySelector(".alike-" + name);
  }

  clear() {
    this.strip.hidden = true;
    this.join = null;
  }

  // Its place is kept from the moment a film is shown: the film does not move when the cases come or go.
  wait(words) {
    this.clear();
    this.strip.hidden = false;
    this.head("Nearest cases", words);
    this.part("cases").replaceChildren();
    this.part("cohort").hidden = true;
  }

  head(title, words, warns = false) {
    this.part("title").textContent = title;
    this.part("words").textContent = this.part("words").title = words;
    this.part("words").classList.toggle("warns", warns);
  }

  show(join, finding) {
    if (join !== this.join) this.draw(join);
    this.join = join;
    if (join.stage === "join") this.outcomes(finding);
  }

  /** @param {ui.read.join_payload.JoinPayload | ui.shared.refusals.RefusedPayload} join */
  draw(join) {
    const there = join.stage === "join";
    if (there) this.head(title(join), words(join), join.far || join.copy);
    else this.head(join.title, "", true);
    this.part("cases").replaceChildren(...(there ? join.alike.map((each) => this.case(join, each)) : [make("li", "alike-none", join.detail)]));
    this.part("cohort").hidden = !there || join.cohorts.length < 2;
    if (there) this.part("cohort").replaceChildren(...join.cohorts.map((each) => this.option(each, join.cohort.id)));
  }

  option({ id, name }, chosen) {
    const option = make("option", "", name);
    option.value = id;
    option.selected = id === chosen;
    return option;
  }

  /**
   * @param {ui.read.join_payload.JoinPayload} join
   * @param {ui.read.join_payload.SimilarCasePayload} each
   */
  case(join, each) {
    const item = make("li", "alike-case");
    const link = make("a", "alike-link");
    link.href = caseLink(join, each.id, null);
    link.title = facts(each);
    const text = make("span", "alike-text");
    text.append(make("span", "alike-labels", labelWords(each)));
    text.append(make("span", "alike-distance", distance(each)), make("span", "outcome alike-outcome"));
    link.append(this.picture(each), text);
    item.append(link);
    return item;
  }

  // The film where its folder was given, else the name of its file.
  picture({ thumb, file }) {
    const missing = () => breakable("alike-film alike-missing", file || "no file");
    if (!thumb) return missing();
    const image = new Image(72, 72);
    image.className = "alike-film";
    image.alt = "";
    image.addEventListener("error", () => image.replaceWith(missing()));
    image.src = thumb;
    return image;
  }

  // What became of the chosen finding on each of them.
  outcomes(finding) {
    const items = [...this.part("cases").children];
    this.join.alike.forEach(({ id, scored }, place) => {
      const said = scored[finding];
      items[place].querySelector(".alike-link").href = caseLink(this.join, id, finding); // it opens on this finding
      const outcome = items[place].querySelector(".alike-outcome");
      showOutcome(outcome, said?.outcome, said ? "no outcome" : finding ? "not scored" : "");
      outcome.title = said ? finding + ": score " + score(said.score) + ", labeled " + said.label : "";
    });
  }
}

/** @param {ui.read.join_payload.JoinPayload} join */
function title({ cohort, alike }) {
  const kind = cohort.simulated ? " (SIMULATED)" : "";
  return (alike.length ? "Nearest cases in " : "No features to compare with in ") + cohort.name + kind;
}

/** @param {ui.read.join_payload.JoinPayload} join */
function words({ far, copy }) {
  if (copy) return "The first one is this film, or a copy of it.";
  return far ? "None of them is much like this film." : "";
}

// How near the nearest case is, of a film that is none of the cohort and not far from it.
/** @param {ui.read.join_payload.JoinPayload} join */
function typical({ far, copy, alike }) {
  const nearest = alike[0]?.nearer;
  if (!nearest || far || copy) return [];
  const percent = Math.floor(100 - nearest.percent);
  const closer = "its nearest case is closer than that of " + percent + " % of " + plural(nearest.n, "film") + ".";
  return [make("p", "caveat join-typical", "Typical of the test films: " + closer)];
}

// The percentile says how near that is: films of the cohort differ too.
function distance({ distance: apart, nearer }) {
  return nearer ? "more alike than " + Math.floor(100 - nearer.percent) + " % of pairs" : "distance " + score(apart);
}

/** @param {ui.read.join_payload.SimilarCasePayload} alike */
function facts({ center, view, sex, age, present, none_of_these: none, distance: apart, nearer }) {
  const film = [center, view === "unknown" ? "" : view, sex === "unknown" ? "" : sex, age === null ? "" : age + " years"];
  const rank =
    nearer &&
    "nearer than " + Math.floor(100 - nearer.percent) + " % of " + plural(nearer.n, "film") + " of the cohort are to their own nearest of another patient";
  const lines = [film.filter(Boolean).join(", "), "Labeled: " + labelWords({ present, none_of_these: none })];
  return [...lines, "Cosine distance of features " + score(apart) + (rank ? ": " + rank : "")].join("\n");
}

// What the cohort says of films like that, for the numbers of the chosen finding: {clause, sentences, caution, details}.
// Where the model's own sensitivity and specificity were counted on this very cohort they are not said again, nor their
// thresholds.
/**
 * @param {ui.read.join_payload.JoinPayload | ui.shared.refusals.RefusedPayload} join
 * @param {reading.finding_json.FindingAnswer} row
 */
export function joinWords(join, row) {
  if (join.stage !== "join") return { ...NOTHING_BEHIND, clause: row.right_words || ownErrors(row), caution: join.title + "." }; // the strip says why
  const { cohort, thresholds, findings } = join;
  const behind = findings[row.finding];
  const same = behind && isSaid(row, behind.overall);
  const head = make("h3", "join-title", "In " + cohort.name + " this model");
  head.append(make("span", "join-version", " version " + cohort.version));
  if (!behind) return { ...NOTHING_BEHIND, clause: row.right_words || ownErrors(row), sentences: ["In " + cohort.name + " it has no score for " + row.finding + "."] };
  const origin = originsOf(behind.centers);
  const alone = origin && behind.centers.every((each) => each.origin === origin); // said once, not in every line
  if (alone) head.append(DOT, term(make("span", "join-version", origin), origin));
  const list = make("dl", "number-lines join-lines");
  for (const [name, wrong, of] of scopes(behind, alone ? "" : origin)) {
    list.append(make("dt", "", name), same && wrong === behind.overall ? make("dd", "", "the counts above") : wrongWords(wrong, of));
  }
  const made = same ? [] : [make("p", "caveat", "Thresholds: " + thresholds + "; 95 % intervals.")];
  const such = row.state && suchFilms(row, behind.such);
  return { clause: such || row.right_words || ownErrors(row), sentences: [], caution: join.far ? FAR : "", details: [head, list, ...made, ...typical(join)] };
}

export const NOTHING_BEHIND = { clause: "", sentences: [], caution: "", details: [] };

// Whether the numbers of the finding have these counts already.
function isSaid({ sensitivity, specificity }, { missed, called }) {
  const same = (right, wrong) => right && right.n === wrong.n && right.n - right.hits === wrong.hits;
  return Boolean(same(sensitivity, missed) && same(specificity, called));
}

// [name, rates, of what] of all films, of each center where there are several, of the frequency group.
/** @param {ui.read.join_payload.EvidencePayload} behind */
function scopes({ overall, centers, group }, origin) {
  const all = inBrackets(origin);
  /** @type {[string, ui.read.join_payload.ErrorRatesPayload, string?][]} */
  const lines = [["Overall" + all, overall]];
  if (centers.length > 1) {
    for (const each of centers) lines.push([each.name + inBrackets(origin && each.origin), each]);
  }
  if (group) lines.push([group.name + " (" + SOURCES[group.source] + ")" + all, group, group.findings.length + " findings: "]);
  return lines;
}

function wrongWords({ missed, called }, of = "") {
  const words = make("dd", "");
  if (!missed.n && !called.n) return words.append("no labels: nothing can be counted"), words;
  const part = ({ n, hits, ...counted }, what, none) =>
    make("span", "join-part", n ? what + " " + whole(hits) + " of " + whole(n) + ": " + rate({ n, hits, ...counted }) : none);
  words.append(of, part(missed, "missed", NO_POSITIVES), "; ", part(called, "falsely called", NO_NEGATIVES));
  return words;
}
