// The order of the findings in the table: by name, by positives, worst first, or by the largest difference.

const COMPARATORS = {
  finding: (one, other) => one.finding.localeCompare(other.finding),
  positives: (one, other) => other.pooled.positives - one.pooled.positives,
  sensitivity: worstFirst((line) => line.pooled.sensitivity.value),
  specificity: worstFirst((line) => line.pooled.specificity.value),
  precision: worstFirst((line) => line.pooled.precision.value),
};

// Ascending, undefined last.
function worstFirst(value) {
  return (one, other) => (value(one) ?? Infinity) - (value(other) ?? Infinity) || one.finding.localeCompare(other.finding);
}

function largestFirst(value) {
  return worstFirst((line) => {
    const known = value(line) ?? null;
    return known === null ? null : -Math.abs(known);
  });
}

// Comparators of two lines, by the address word of the order; differences are of the displayed measure.
export const comparatorsFor = (measure) => ({ ...COMPARATORS, gap: largestFirst(({ gaps }) => gaps?.[measure].value) });
