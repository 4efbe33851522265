// An answer judged against the truth of its film, for a file without a server: the rules of
// explorer/school/judging/judged.py.

const NEAR_POINT = 0.015; // of the film's longer side: a finger covers more than a point
const CALLED_OUTCOMES = ["hit", "false alarm"];
const HALF_A_PIXEL = Math.SQRT1_2; // a mask extends to the edges of its pixels

// `truth`: {labels, sides, masks: finding -> {size: [h, w], runs}, boxes, pair, normal, target: the finding that the
// film was chosen for, or null, covers: present finding -> the broader findings it implies}.
export function judgeAnswer(question, answer, truth) {
  const { kind, finding } = question;
  if (kind === "findings") return judgeNamedFindings(answer.findings, truth);
  if (kind === "point") return judgePoint(finding, answer.point, truth);
  if (kind === "normal") return judgeNormal(answer.normal, truth.normal);
  if (kind === "pair") return makeVerdict(truth.pair === null ? null : answer.picked === truth.pair);
  const outcome = outcomeOf(finding, answer.present, truth);
  return makeVerdict(isRight(outcome), outcome ? { [finding]: outcome } : {});
}

const makeVerdict = (right, outcomes = {}, sides = {}, inside = null, credit = null) => ({ right, outcomes, sides, inside, credit });

// Named findings count as called, all others as not called; an answer without any says Normal. A narrow finding that is
// present implies its broader ones, and a broader name for a present finding is not a false alarm.
function judgeNamedFindings(answer, truth) {
  const names = Object.keys(answer).length ? Object.keys(answer) : ["Normal"];
  const presentFindings = Object.keys(truth.labels).filter((finding) => truth.labels[finding] === "present");
  const covers = (finding, other) => (truth.covers[finding] ?? []).includes(other);
  const called = [...names, ...presentFindings.filter((other) => names.some((finding) => presentFindings.includes(finding) && covers(finding, other)))];
  const broad = names.filter((word) => !presentFindings.includes(word) && presentFindings.some((finding) => covers(finding, word)));
  const outcomes = {};
  const sides = {};
  for (const finding of Object.keys(truth.labels).filter((each) => !broad.includes(each))) {
    const outcome = outcomeOf(finding, called.includes(finding), truth);
    if (outcome) outcomes[finding] = outcome;
    const side = truth.sides[finding] ?? "none";
    if (outcome === "hit" && answer[finding] && side !== "none") sides[finding] = answer[finding] === side;
  }
  const counted = Object.entries(outcomes).filter(([finding]) => finding !== "Normal");
  if (!counted.length) return makeVerdict(null, outcomes, sides);
  const broaderNamed = presentFindings.filter((finding) => !called.includes(finding) && names.some((word) => covers(finding, word)));
  const matters = ([finding, outcome]) => !truth.target || finding === truth.target || CALLED_OUTCOMES.includes(outcome);
  const right = counted.filter(matters).every(([, outcome]) => isRight(outcome)) && Object.values(sides).every(Boolean);
  return makeVerdict(right, outcomes, sides, null, computeCredit(counted, sides, broaderNamed));
}

// The share of the present or named findings that is right; a wrong side or a broader name counts half.
function computeCredit(counted, sides, broaderNamed) {
  const relevant = counted.filter(([, outcome]) => outcome !== "correct rejection");
  const halves = relevant.map(([finding, outcome]) => (outcome !== "hit" ? Number(broaderNamed.includes(finding)) : sides[finding] === false ? 1 : 2));
  return relevant.length ? halves.reduce((sum, each) => sum + each, 0) / (2 * relevant.length) : 1;
}

function judgeNormal(answeredNormal, isNormal) {
  return isNormal === null ? makeVerdict(null) : makeVerdict(answeredNormal === isNormal, { Normal: outcomeFor(answeredNormal, isNormal) });
}

function judgePoint(finding, point, truth) {
  const outcome = outcomeOf(finding, point !== null, truth);
  const inside = point !== null && truth.labels[finding] === "present" ? isInside(finding, point, truth) : null;
  return makeVerdict(inside ?? isRight(outcome), outcome ? { [finding]: outcome } : {}, {}, inside);
}

function outcomeOf(finding, called, { labels }) {
  return ["present", "absent"].includes(labels[finding]) ? outcomeFor(called, labels[finding] === "present") : null;
}

function outcomeFor(called, isPresent) {
  if (isPresent) return called ? "hit" : "miss";
  return called ? "false alarm" : "correct rejection";
}

const isRight = (outcome) => (outcome ? outcome === "hit" || outcome === "correct rejection" : null);

// Whether the point lies inside the finding's drawing; null without a drawing.
function isInside(finding, point, { masks, boxes }) {
  const drawn = boxes.filter((box) => box.finding === finding);
  if (!masks[finding] && !drawn.length) return null;
  return Boolean(masks[finding] && isInMask(point, masks[finding])) || drawn.some((box) => isInBox(point, box));
}

function isInMask([x, y], { size: [height, width], runs }) {
  let nearest = Infinity;
  let at = 0;
  runs.forEach((length, place) => {
    if (place % 2) nearest = Math.min(nearest, ...rowDistances(at, length, [x * width, y * height], width));
    at += length;
  });
  return nearest <= NEAR_POINT * Math.max(height, width) + HALF_A_PIXEL;
}

// Distances from a point to the nearest pixel center of a run in each row.
function rowDistances(start, length, [across, down], width) {
  const found = [];
  for (let at = start; at < start + length; ) {
    const row = Math.floor(at / width);
    const end = Math.min(start + length, (row + 1) * width);
    const [first, last] = [at - row * width, end - 1 - row * width];
    const column = Math.min(last, Math.max(first, Math.floor(across)));
    found.push(Math.hypot(row + 0.5 - down, column + 0.5 - across));
    at = end;
  }
  return found;
}

function isInBox([x, y], box) {
  return box.x - NEAR_POINT <= x && x <= box.x + box.width + NEAR_POINT && box.y - NEAR_POINT <= y && y <= box.y + box.height + NEAR_POINT;
}
