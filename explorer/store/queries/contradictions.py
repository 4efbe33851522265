"""Labels that contradict one another, among the films of a slice's population."""

from __future__ import annotations

from explorer.core.findings import COMPATIBLE_WITH_NORMAL
from explorer.store.cursor import Cursor
from explorer.store.prepared.tables import Tables
from explorer.store.results import Contradiction
from explorer.store.slices import Slice


def contradictions(cursor: Cursor, tables: Tables, chosen: Slice) -> tuple[Contradiction, ...]:
    """Return contradictions between Normal and findings, between sources of a film, and between films of a study."""
    where = tables.where(chosen.population())
    films = f"(SELECT DISTINCT film FROM {tables.pairs} WHERE {where.sql})"
    source = "counts" if chosen.label_source is None else "source = ?"
    own = () if chosen.label_source is None else (chosen.label_source,)
    said = f"""films AS {films}, said AS (
        SELECT film, finding::VARCHAR AS finding,
            bool_or(label = 'present') AS present, min(source::VARCHAR) FILTER (label = 'present') AS here,
            bool_or(label = 'absent') AS absent, min(source::VARCHAR) FILTER (label = 'absent') AS there
        FROM {tables.cohort}.said SEMI JOIN films USING (film) WHERE {source} GROUP BY ALL)"""
    asked = (*where.parameters, *own)
    normal = cursor.rows(
        f"""WITH {said}, normal AS (SELECT film FROM said WHERE finding = 'Normal' AND present)
        SELECT "case", list(finding ORDER BY finding) FROM said SEMI JOIN normal USING (film)
            JOIN {tables.cohort}.cases USING (film)
        WHERE present AND finding NOT IN (?, ?) GROUP BY film, "case" ORDER BY film""",
        (*asked, *COMPATIBLE_WITH_NORMAL),
    )
    sources = cursor.rows(
        f"""WITH {said} SELECT "case", finding, here, there FROM said JOIN {tables.cohort}.cases USING (film)
        WHERE present AND absent ORDER BY film, finding""",
        asked,
    )
    studies = cursor.rows(
        f"""WITH {said} SELECT finding, min("case") FILTER (present), min("case") FILTER (absent)
        FROM said JOIN {tables.cohort}.cases USING (film)
        WHERE study IS NOT NULL AND present <> absent
        GROUP BY center, patient, study, finding HAVING bool_or(present) AND bool_or(absent) ORDER BY ALL""",
        asked,
    )
    return (
        *(Contradiction("normal", (case,), tuple(findings), ()) for case, findings in normal),
        *(Contradiction("sources", (case,), (finding,), (here, there)) for case, finding, here, there in sources),
        *(Contradiction("study", (one, other), (finding,), ()) for finding, one, other in studies),
    )
