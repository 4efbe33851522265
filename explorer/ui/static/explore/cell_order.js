// In which order the findings of the table stand: by name, by their positives, worst first, or by the largest gap.

const SORTS = {
  finding: (one, other) => one.finding.localeCompare(other.finding),
  positives: (one, other) => other.pooled.positives - one.pooled.positives,
  sensitivity: worstFirst((line) => line.pooled.sensitivity.value),
  specificity: worstFirst((line) => line.pooled.specificity.value),
  precision: worstFirst((line) => line.pooled.precision.value),
};

// Ascending, what is undefined last.
function worstFirst(value) {
  return (one, other) => (value(one) ?? Infinity) - (value(other) ?? Infinity) || one.finding.localeCompare(other.finding);
}

function largestFirst(value) {
  return worstFirst((line) => {
    const known = value(line) ?? null;
    return known === null ? null : -Math.abs(known);
  });
}

// How to compare two lines, by the name that the address has for the order; the gap is that of the measure shown.
export const sortsOf = (measure) => ({ ...SORTS, gap: largestFirst(({ gaps }) => gaps?.[measure].value) });
