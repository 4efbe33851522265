// What the server answers, by the Python module that declares it. Written by `python -m tests.payload_types`.

declare namespace analysis.cases.cohort_context_json {
  interface SimilarScoresAnswer {
    as_high: reading.finding_json.RateAnswer;
    as_low: reading.finding_json.RateAnswer;
    labeled: reading.finding_json.RateAnswer;
  }
  interface ErrorRatesAnswer {
    as_high: reading.finding_json.RateAnswer;
    as_low: reading.finding_json.RateAnswer;
    labeled: reading.finding_json.RateAnswer;
    finding: string;
    missed: reading.finding_json.RateAnswer;
    called: reading.finding_json.RateAnswer;
  }
  interface TrainingFilmAnswer {
    says: string;
    cohort: string;
    unseen: Record<string, number>;
  }
  interface CohortAnswer {
    name: string;
    title: string;
    version: string;
    simulated: boolean;
    split: string;
    thresholds: string;
    origins: Record<string, "in-sample" | "possibly in-sample" | "internal" | "external by name" | "external">;
    far: boolean;
    findings: analysis.cases.cohort_context_json.ErrorRatesAnswer[];
  }
}

declare namespace analysis.leaderboard.columns {
  interface BoardFigure {
    value: number | null;
    low: number | null;
    high: number | null;
    p: number | null;
    p_adjusted: number | null;
  }
}

declare namespace analysis.leaderboard.means {
  interface Winner {
    finding: string;
    frequency_group: "normal" | "common" | "medium" | "rare" | "very rare" | null;
    films: number;
    positives: number;
    models: string[];
    AP: number | null;
    p_first: number | null;
  }
}

declare namespace analysis.leaderboard.rows {
  interface BoardAnswer {
    tailscope_version: string;
    use: string;
    title: string;
    notes: string[];
    resamples: number;
    reference: string;
    rows: (Record<string, string | number | null>)[];
    winners: analysis.leaderboard.means.Winner[];
  }
}

declare namespace asking.answer_json {
  interface NearAnswer {
    finding: string;
    similarity: number;
  }
  interface CautionAnswer {
    kind: "several findings" | "not radiographic" | "unknown word" | "not English" | "unclear abbreviation" | "negated" | "side or size" | "abbreviation" | "known weakness" | "cut" | "two meanings";
    words: string;
    instead: string | null;
  }
  interface PromptAnswer {
    positive: string;
    negative: string;
    score: number;
    place: number;
    above: boolean;
    paraphrase: boolean;
  }
  interface SpreadAnswer {
    unit: "percentile" | "margin";
    ends: number[];
    answer: number;
    threshold: number;
    above: number;
    against: number;
    unstable: boolean;
    rule: string;
    prompts: asking.answer_json.PromptAnswer[];
  }
  interface PredictedAnswer {
    share: number;
    low: number;
    high: number;
    prevalence: number;
    typed: boolean;
  }
  interface EstimateAnswer {
    value: number;
    low: number;
    high: number;
  }
  interface MeasuredAnswer {
    finding: string;
    cohort: string;
    n: number;
    positives: number;
    prevalence: number;
    auroc: asking.answer_json.EstimateAnswer | null;
    average_precision: asking.answer_json.EstimateAnswer | null;
    sensitivity: reading.finding_json.RateAnswer | null;
    specificity: reading.finding_json.RateAnswer | null;
  }
  interface ClassifierScoreAnswer {
    model: string;
    finding: string;
    score: number;
    threshold: number | null;
    percentile: reading.finding_json.PercentileAnswer | null;
    difference: number | null;
    same_tower: boolean;
  }
  interface AskAnswer {
    question: string;
    scored: string;
    templates: string[][];
    verdict: "likely" | "possible" | "seldom correct" | "too few films" | "flagged" | "not flagged" | "cannot judge";
    said: string;
    why: string;
    predicted: asking.answer_json.PredictedAnswer | null;
    far: boolean;
    score: number;
    threshold_score: number;
    margin: number;
    threshold: number;
    threshold_rule: string;
    fitted: boolean;
    spread: asking.answer_json.SpreadAnswer;
    percentile: reading.finding_json.PercentileAnswer | null;
    taken_for: asking.answer_json.NearAnswer | null;
    nearest: asking.answer_json.NearAnswer[];
    in_captions: boolean | null;
    warnings: asking.answer_json.CautionAnswer[];
    measured: asking.answer_json.MeasuredAnswer | null;
    beside: asking.answer_json.ClassifierScoreAnswer | null;
    model: string;
    device: string;
    simulated: boolean;
    timings_ms: Record<string, number>;
    use: string;
  }
}

declare namespace reading.anatomy_json {
  interface HeartSizeAnswer {
    ratio: number | null;
    lines: number[][];
    says: string;
  }
  interface MapPlaceAnswer {
    finding: string;
    place: string;
    caution: string;
  }
  interface AnatomyAnswer {
    heart: reading.anatomy_json.HeartSizeAnswer;
    maps: reading.anatomy_json.MapPlaceAnswer[];
  }
}

declare namespace reading.finding_json {
  interface RateAnswer {
    value: number | null;
    low: number | null;
    high: number | null;
    hits: number;
    n: number;
  }
  interface GroupAnswer {
    name: string;
    source: string;
    count: number | null;
    films: number | null;
  }
  interface PercentileAnswer {
    value: number;
    n: number;
  }
  interface MapWorthAnswer {
    found: reading.finding_json.RateAnswer | null;
    usual: reading.finding_json.RateAnswer | null;
    measured: string | null;
    shown: boolean | null;
    says: string;
    brief: string;
  }
  interface FindingAnswer {
    finding: string;
    score: number;
    threshold: number | null;
    margin: number | null;
    above: boolean | null;
    state: "above" | "unsure" | "below" | "cannot judge" | null;
    band: number[] | null;
    free_in_band: reading.finding_json.RateAnswer | null;
    sensitivity: reading.finding_json.RateAnswer | null;
    specificity: reading.finding_json.RateAnswer | null;
    positives: number | null;
    rule: string | null;
    group: reading.finding_json.GroupAnswer | null;
    percentile: reading.finding_json.PercentileAnswer | null;
    warning: string | null;
    map: reading.finding_json.MapWorthAnswer;
    relations: string[];
    chosen_here: boolean;
    verdict: "likely" | "possible" | "seldom correct" | "too few films" | "not known" | "unreliable" | null;
    right: reading.finding_json.RateAnswer | null;
    right_words: string;
  }
  interface FindingFreeAnswer {
    films: number;
    above: number;
    above_interval: number[];
    unsure: number;
    unsure_interval: number[];
    measured: string;
    says: string;
  }
}

declare namespace reading.stability_json {
  interface FindingStabilityAnswer {
    finding: string;
    low: number;
    high: number;
    above: number | null;
    turned: number | null;
    stable: boolean | null;
    says: string;
  }
  interface StabilityAnswer {
    changes: string[];
    findings: reading.stability_json.FindingStabilityAnswer[];
    says: string;
  }
}

declare namespace reading.study_json {
  interface StudyScoreAnswer {
    finding: string;
    score: number;
    state: "above" | "unsure" | "below" | "cannot judge" | null;
  }
  interface StudyScoresAnswer {
    rule: "maximum" | "mean";
    films: number;
    films_read: number;
    findings: reading.study_json.StudyScoreAnswer[];
  }
}

declare namespace school.class_file.class_file {
  interface FileFilmPayload {
    kind: string;
    finding: string | null;
    words: string;
    before: string;
    width: number;
    height: number;
    simulated: boolean;
    places: string[] | null;
    pictures: string[];
    sealed: school.class_file.sealed_parts.SealedPartPayload;
    model: school.class_file.sealed_parts.SealedPartPayload | null;
  }
}

declare namespace school.class_file.sealed_parts {
  interface SealedPartPayload {
    salt: string;
    iv: string;
    data: string;
  }
}

declare namespace school.classroom.payloads {
  interface MePayload {
    nickname: string;
    title: string;
    about: string;
    films: number;
    own_pace: boolean;
  }
  interface StatePayload {
    version: number;
    stage: "waiting" | "open" | "revealed" | "ended";
    film: number;
    films: number;
    own_pace: boolean;
    answered: boolean[];
    again: (boolean | null)[];
    open: number[];
    revealed: number[];
    learners: number;
    committed: number;
    closing: string;
  }
  interface LearnerFilmPayload {
    film: number;
    kind: string;
    finding: string | null;
    words: string;
    before: string;
    pictures: string[];
    width: number;
    height: number;
    simulated: boolean;
    places: string[] | null;
    answer: Record<string, any> | null;
    again: Record<string, any> | null;
  }
  interface SecondResultPayload {
    answer: Record<string, any>;
    judged: Record<string, any>;
  }
  interface LearnerRevealPayload {
    reveal: school.preparing.prepared.RevealPayload;
    judged: Record<string, any> | null;
    answer: Record<string, any> | null;
    again: school.classroom.payloads.SecondResultPayload | null;
    tally: school.judging.tally.TallyPayload;
  }
}

declare namespace school.classroom.sheet {
  interface SheetRowPayload {
    film: number;
    question: string;
    answer: string;
    sure: string;
    truth: string;
    right: boolean | null;
  }
  interface SheetPayload {
    title: string;
    rows: school.classroom.sheet.SheetRowPayload[];
    right: school.judging.tally.RightPayload;
    again: number[];
    table: school.judging.result_table_payload.ResultTablePayload;
  }
}

declare namespace school.classroom.teacher_screen {
  interface LearnerPayload {
    nickname: string;
    answered: number;
  }
  interface BoardPayload {
    on: boolean;
    running: boolean;
    id: string;
    code: string;
    addresses: string[];
    qr: string;
    encrypted: boolean;
    warning: string;
    trouble: string;
    title: string;
    about: string;
    own_pace: boolean;
    film: number;
    films: number;
    stage: "waiting" | "open" | "revealed" | "ended";
    learners: school.classroom.teacher_screen.LearnerPayload[];
    removed: number;
    lets_in: boolean;
    full: boolean;
    answered: number;
    again: number | null;
    again_right: school.judging.tally.RightPayload | null;
    asked: number;
    tally: school.judging.tally.TallyPayload | null;
    at_each_film: number[];
  }
}

declare namespace school.judging.model_answer {
  interface ModelFindingPayload {
    finding: string;
    score: number;
    called: boolean;
  }
  interface ModelAnswerPayload {
    model: string;
    findings: school.judging.model_answer.ModelFindingPayload[];
  }
}

declare namespace school.judging.result_table_payload {
  interface FilmRatePayload {
    hits: number;
    n: number;
    films: number;
    value: number | null;
    low: number | null;
    high: number | null;
  }
  interface ReaderPayload {
    name: string;
    kind: "learner" | "class" | "model";
    right: school.judging.result_table_payload.FilmRatePayload | null;
  }
  interface ResultRowPayload {
    name: string;
    finding: boolean;
    sensitivity: school.judging.result_table_payload.FilmRatePayload[];
    specificity: school.judging.result_table_payload.FilmRatePayload[];
  }
  interface ResultTablePayload {
    readers: school.judging.result_table_payload.ReaderPayload[];
    rows: school.judging.result_table_payload.ResultRowPayload[];
    again: number[];
  }
}

declare namespace school.judging.tally {
  interface AnswerChoicePayload {
    words: string;
    n: number;
  }
  interface RightPayload {
    hits: number;
    n: number;
    interval: [number, number] | null;
  }
  interface TallyPayload {
    n: number;
    choices: school.judging.tally.AnswerChoicePayload[];
    points: [number, number][];
    sure: [number, number, number];
    right: school.judging.tally.RightPayload | null;
  }
}

declare namespace school.preparing.prepared {
  interface LabeledPayload {
    finding: string;
    side: string;
  }
  interface AreaPayload {
    finding: string;
    outlines: [number, number][][];
    source: string;
  }
  interface ScorePayload {
    finding: string;
    score: number;
    threshold: number | null;
    outcome: "miss" | "false alarm" | "hit" | "correct rejection" | null;
    cannot_judge: boolean;
    flag_words?: string;
  }
  interface NamedScorePayload {
    finding: string;
    score: number;
    threshold: number | null;
    outcome: "miss" | "false alarm" | "hit" | "correct rejection" | null;
    cannot_judge: boolean;
    flag_words?: string;
    model: string;
    title: string;
    origin: string;
  }
  interface OverlayPayload {
    finding: string;
    picture: string;
    peak: number | null;
    strength: string;
    worth: string;
  }
  interface ModelSaysPayload {
    model: string;
    title?: string;
    origin: string;
    rows: school.preparing.prepared.ScorePayload[];
    overlays: school.preparing.prepared.OverlayPayload[];
  }
  interface NearFilmPayload {
    picture: string;
    words: string;
  }
  interface RevealPayload {
    present: school.preparing.prepared.LabeledPayload[];
    absent: string[];
    normal: boolean | null;
    pair: number | null;
    source: string;
    areas: school.preparing.prepared.AreaPayload[];
    models: school.preparing.prepared.ModelSaysPayload[];
    near: school.preparing.prepared.NearFilmPayload[];
    note: string;
    simulated: boolean;
  }
}

declare namespace school.reviews.desk {
  interface ReviewReaderPayload {
    title: string;
    films: number;
    done: number;
    next: number;
    findings: string[];
    sides: string[];
    places: string[];
    suggests: boolean;
  }
  interface ReviewSitePayload {
    side: string | null;
    place: string | null;
  }
  interface ReviewVotePayload {
    verdict: string;
    added: string[];
    removed: string[];
    certainty: number | null;
    note: string;
    sites: Record<string, school.reviews.desk.ReviewSitePayload>;
  }
  interface ReviewFilmPayload {
    film: number;
    pictures: string[];
    width: number;
    height: number;
    simulated: boolean;
    suggested: string[] | null;
    uncertain: string[];
    vote: school.reviews.desk.ReviewVotePayload | null;
  }
}

declare namespace ui.ask.payload {
  interface HeatPayload {
    map: string;
    grid: number;
    box: ui.viewer.payload.BoxPayload;
    heat_maximum: number | null;
    worth: reading.finding_json.MapWorthAnswer;
    place: reading.anatomy_json.MapPlaceAnswer;
  }
  interface AskedPayload {
    question: string;
    scored: string;
    templates: string[][];
    verdict: "likely" | "possible" | "seldom correct" | "too few films" | "flagged" | "not flagged" | "cannot judge";
    said: string;
    why: string;
    predicted: asking.answer_json.PredictedAnswer | null;
    far: boolean;
    score: number;
    threshold_score: number;
    margin: number;
    threshold: number;
    threshold_rule: string;
    fitted: boolean;
    spread: asking.answer_json.SpreadAnswer;
    percentile: reading.finding_json.PercentileAnswer | null;
    taken_for: asking.answer_json.NearAnswer | null;
    nearest: asking.answer_json.NearAnswer[];
    in_captions: boolean | null;
    warnings: asking.answer_json.CautionAnswer[];
    measured: asking.answer_json.MeasuredAnswer | null;
    beside: asking.answer_json.ClassifierScoreAnswer | null;
    model: string;
    device: string;
    simulated: boolean;
    timings_ms: Record<string, number>;
    use: string;
    stage: "answer";
    heat: ui.ask.payload.HeatPayload | null;
    no_heat: string;
    title: string;
  }
  interface PrevalenceVerdictPayload {
    stage: "judged";
    verdict: "likely" | "possible" | "seldom correct" | "too few films" | "flagged" | "not flagged" | "cannot judge";
    said: string;
    why: string;
    predicted: asking.answer_json.PredictedAnswer | null;
  }
  interface NotAskedPayload {
    stage: "refused";
    verdict: ui.viewer.payload.VerdictPayload;
  }
  interface AskedModelPayload {
    model: string;
    title: string;
    templates: string;
  }
}

declare namespace ui.evaluate.calls {
  interface ComputingPayload {
    stage: "computing";
    left: number | null;
  }
  interface NoBoardPayload {
    stage: "refused" | "unscored" | "apart" | "wrong";
    title: string;
    detail: string;
    choices: ui.evaluate.payload.ChoicesPayload | null;
  }
  interface PanelPayload {
    words: Record<string, string>;
    cohorts: ui.evaluate.filter_choices.OptionPayload[];
    cohort: string;
    models: ui.evaluate.payload.ComparedModelPayload[];
    sources: ui.evaluate.filter_choices.OptionPayload[];
    source: string;
    filters: ui.evaluate.filter_choices.FilterChoicePayload[];
    uncertain: ui.evaluate.filter_choices.UncertainChoicePayload;
    more: ui.evaluate.filter_choices.MoreFilterPayload[];
    picked: string[];
    explore: Record<string, string>;
    metrics: ui.evaluate.filter_choices.OptionPayload[];
    metric: string;
    minimums: ui.evaluate.filter_choices.OptionPayload[];
    minimum: string;
    intervals: ui.evaluate.filter_choices.OptionPayload[];
    interval: "percentile" | "bias-corrected";
    unit: ui.evaluate.study_calls.UnitPayload;
    stage: "panel";
    panel: string;
    title: string;
    notes: string[];
    complaints: string[];
    counted: "film" | "study";
    simulated: boolean;
    computing: boolean;
    done: number;
    content: Record<string, any>;
  }
  interface BoardFilePayload {
    stage: "export";
    name: string;
    type: string;
    data: string;
  }
}

declare namespace ui.evaluate.film_list_call {
  interface FilmListPayload {
    stage: "films listed";
    words: Record<string, string>;
  }
}

declare namespace ui.evaluate.filter_choices {
  interface OptionPayload {
    word: string;
    name: string;
  }
  interface FilterChoicePayload {
    key: string;
    title: string;
    values: ui.evaluate.filter_choices.OptionPayload[];
    chosen: string;
  }
  interface UncertainChoicePayload {
    labels: number;
    values: ui.evaluate.filter_choices.OptionPayload[];
    chosen: string;
  }
  interface MoreFilterPayload {
    key: string;
    title: string;
    values: ui.evaluate.filter_choices.OptionPayload[];
    chosen: string;
    words: string[];
    bounds: boolean;
    shown: boolean;
    needed: boolean;
    offered: boolean;
  }
}

declare namespace ui.evaluate.keep_call {
  interface KeptEnsemblePayload {
    stage: "kept";
    says: string;
    choices: ui.evaluate.payload.ChoicesPayload;
  }
}

declare namespace ui.evaluate.leaderboard_endpoint {
  interface EvaluateAnswer {
    tailscope_version: string;
    use: string;
    title: string;
    notes: string[];
    resamples: number;
    reference: string;
    rows: (Record<string, string | number | null>)[];
    winners: analysis.leaderboard.means.Winner[];
    computing: boolean;
  }
}

declare namespace ui.evaluate.panels.blind_films {
  interface BlindFilmPayload {
    case: string;
    flagged: number;
    inserted: number;
    words: Record<string, string>;
  }
  interface BlindPayload {
    films: ui.evaluate.panels.blind_films.BlindFilmPayload[];
    every: number;
    of: number;
  }
}

declare namespace ui.evaluate.panels.calibration {
  interface CalibratedPayload {
    ece: ui.shared.panel_words.ValuePayload;
    slope: ui.shared.panel_words.ValuePayload;
    intercept: ui.shared.panel_words.ValuePayload;
  }
  interface CalibrationRowPayload {
    finding: string;
    films: number;
    positives: number;
    raw: ui.evaluate.panels.calibration.CalibratedPayload;
    after: ui.evaluate.panels.calibration.CalibratedPayload | null;
    reason: string;
  }
  interface CalibrationPanelPayload {
    model: string;
    by: "carried" | "cross-fitted";
    ways: ui.evaluate.filter_choices.OptionPayload[];
    few: number;
    rows: ui.evaluate.panels.calibration.CalibrationRowPayload[];
  }
}

declare namespace ui.evaluate.panels.detectability {
  interface DetectabilityFoundPayload {
    sentences: string[];
    doubt: string;
    finding: string;
    findings: ui.evaluate.filter_choices.OptionPayload[];
    severity: string;
    severities: ui.evaluate.filter_choices.OptionPayload[];
    shares: Record<string, any>;
    groups: Record<string, any>;
    scores: Record<string, any>;
    tables: ui.evaluate.panels.robustness_folds.TextTablePayload[];
    blind: ui.evaluate.panels.blind_films.BlindPayload;
  }
  interface DetectabilityPayload {
    plotly: string;
    model: string;
    of: string;
    models: ui.evaluate.filter_choices.OptionPayload[];
    other: string;
    others: ui.evaluate.filter_choices.OptionPayload[];
    missing: string;
    found: ui.evaluate.panels.detectability.DetectabilityFoundPayload | null;
  }
}

declare namespace ui.evaluate.panels.ensemble {
  interface GainPayload {
    name: string;
    center: string | null;
    findings: number;
    films: number;
    fewest: number;
    best: string | null;
    ensemble: ui.shared.panel_words.ValuePayload;
    of_best: ui.shared.panel_words.ValuePayload;
    of_reference: ui.shared.panel_words.ValuePayload;
    over_best: ui.shared.panel_words.ValuePayload;
    over_reference: ui.shared.panel_words.ValuePayload;
  }
  interface EnsemblePayload {
    plotly: string;
    figure: Record<string, any>;
    measure: "AP" | "AUROC" | "F1" | "ECE" | "precision" | "recall";
    mean_name: string;
    measures: Record<string, string>[];
    mean: "scores" | "logits" | "ranks";
    means: Record<string, string>[];
    members: string[];
    reference: string;
    gains: ui.evaluate.panels.ensemble.GainPayload[];
  }
}

declare namespace ui.evaluate.panels.finding {
  interface FindingOptionPayload {
    word: string;
    name: string;
  }
  interface FindingPanelPayload {
    plotly: string;
    figure: Record<string, any> | null;
    finding: string;
    word: string;
    group: "normal" | "common" | "medium" | "rare" | "very rare" | null;
    findings: ui.evaluate.panels.finding.FindingOptionPayload[];
    films: number;
    positives: number;
    lacking: string | null;
    prevalence: number | null;
    weighted: boolean;
    models: ui.evaluate.panels.model_colors.ColorPayload[];
    words: string[];
    reference: number;
    areas: Record<string, ui.shared.panel_words.ValuePayload[]>;
    marks: ui.evaluate.panels.finding_payload.OperatingMarkPayload[][];
    readers: ui.evaluate.panels.finding_payload.OperatingMarkPayload[];
    groups: ui.evaluate.panels.finding_payload.OperatingMarkPayload[];
    people: ui.evaluate.panels.finding_payload.OperatingMarkPayload[];
    above: ui.evaluate.panels.finding_people.AboveReaderPayload[];
    comparing: boolean;
    steps: ui.evaluate.panels.finding_payload.StepsPayload;
    calibrated: ui.evaluate.panels.finding_payload.CalibrationPayload[];
    reliability: Record<string, any> | null;
    spread: Record<string, any> | null;
    few: number;
  }
}

declare namespace ui.evaluate.panels.finding_payload {
  interface StepsPayload {
    scores: number[];
    hits: number[];
    false_alarms: number[];
  }
  interface OperatingMarkPayload {
    name: string;
    low: number | null;
    high: number | null;
    reason: string | null;
    in_sample: boolean;
    hits: number;
    misses: number;
    false_alarms: number;
    correct_rejections: number;
    sensitivity: ui.shared.panel_words.ValuePayload;
    specificity: ui.shared.panel_words.ValuePayload;
    precision: ui.shared.panel_words.ValuePayload;
    f1: number | null;
  }
  interface ThresholdPerformancePayload {
    mark: ui.evaluate.panels.finding_payload.OperatingMarkPayload;
    prevalence: number | null;
    ppv: ui.shared.panel_words.ValuePayload | null;
    npv: ui.shared.panel_words.ValuePayload | null;
  }
  interface CalibrationPayload {
    kind: string;
    reason: string | null;
    ece: ui.shared.panel_words.ValuePayload;
    brier: ui.shared.panel_words.ValuePayload;
  }
}

declare namespace ui.evaluate.panels.finding_people {
  interface GapPayload {
    model: number | null;
    reader: number | null;
    difference: ui.shared.panel_words.ValuePayload;
  }
  interface AboveReaderPayload {
    name: string;
    films: number;
    positives: number;
    rated: number;
    specificity: ui.evaluate.panels.finding_people.GapPayload;
    sensitivity: ui.evaluate.panels.finding_people.GapPayload;
    area: ui.evaluate.panels.finding_people.GapPayload;
  }
}

declare namespace ui.evaluate.panels.finding_point {
  interface PickedThresholdPayload {
    mark: ui.evaluate.panels.finding_payload.OperatingMarkPayload;
    prevalence: number | null;
    ppv: ui.shared.panel_words.ValuePayload | null;
    npv: ui.shared.panel_words.ValuePayload | null;
    stage: "point";
  }
}

declare namespace ui.evaluate.panels.glance {
  interface MetricPayload {
    name: string;
    counted: number;
    figures: ui.shared.panel_words.ValuePayload[];
  }
  interface GlancePayload {
    plotly: string;
    figure: Record<string, any>;
    parts: ui.evaluate.panels.part_choice.PartChoicePayload[];
    part: ui.evaluate.panels.part_choice.PartChoicePayload;
    findings: number;
    films: number;
    fewest: number;
    few: number;
    models: ui.evaluate.panels.model_colors.ColorPayload[];
    metrics: ui.evaluate.panels.glance.MetricPayload[];
  }
}

declare namespace ui.evaluate.panels.head_to_tail {
  interface TailFindingPayload {
    finding: string;
    group: "normal" | "common" | "medium" | "rare" | "very rare" | null;
    films: number;
    positives: number;
    ratio: number | null;
    figures: ui.shared.panel_words.ValuePayload[];
  }
  interface MeanPayload {
    name: string;
    findings: number;
    films: number;
    fewest: number;
    figures: ui.shared.panel_words.ValuePayload[];
  }
  interface GroupGapPayload {
    name: string;
    findings: [number, number];
    fewest: number;
    figures: ui.shared.panel_words.ValuePayload[];
  }
  interface TailPayload {
    plotly: string;
    figure: Record<string, any>;
    measure: "AP" | "AUROC" | "F1" | "ECE" | "precision" | "recall";
    mean: string;
    measures: Record<string, string>[];
    models: ui.evaluate.panels.model_colors.ColorPayload[];
    findings: ui.evaluate.panels.head_to_tail.TailFindingPayload[];
    means: ui.evaluate.panels.head_to_tail.MeanPayload[];
    gaps: ui.evaluate.panels.head_to_tail.GroupGapPayload[];
    few: number;
  }
}

declare namespace ui.evaluate.panels.labels {
  interface OrderAgreementPayload {
    name: string;
    tau: ui.shared.panel_words.ValuePayload;
    rho: ui.shared.panel_words.ValuePayload;
  }
  interface LabeledFindingPayload {
    finding: string;
    films: number;
    positives: number[];
    figures: ui.shared.panel_words.ValuePayload[][];
    only: number[];
    kappa: ui.shared.panel_words.ValuePayload | null;
  }
  interface LabelsPayload {
    plotly: string;
    figure: Record<string, any> | null;
    measure: "AP" | "AUROC";
    mean: string;
    measures: ui.evaluate.filter_choices.OptionPayload[];
    sources: ui.evaluate.filter_choices.OptionPayload[];
    chosen: ui.evaluate.filter_choices.OptionPayload[];
    cohort: string;
    models: string[];
    films: number;
    counted: number;
    means: ui.shared.panel_words.ValuePayload[][];
    alike: ui.evaluate.panels.labels.OrderAgreementPayload[];
    findings: ui.evaluate.panels.labels.LabeledFindingPayload[];
    ranges: ui.evaluate.panels.labels_ranges.LabelRangesPayload | null;
  }
}

declare namespace ui.evaluate.panels.labels_ranges {
  interface RangesGridPayload {
    title: string;
    header: string[];
    rows: string[][];
  }
  interface LabelRangesPayload {
    sentence: string;
    grids: ui.evaluate.panels.labels_ranges.RangesGridPayload[];
  }
}

declare namespace ui.evaluate.panels.model_colors {
  interface ColorPayload {
    name: string;
    color: string;
    further: boolean;
  }
}

declare namespace ui.evaluate.panels.pair {
  interface DifferencePayload {
    low: number | null;
    high: number | null;
    value: number | null;
    p: number | null;
  }
  interface PairRowPayload {
    finding: string;
    group: "normal" | "common" | "medium" | "rare" | "very rare" | null;
    films: number;
    positives: number;
    tested: boolean;
    reference: number | null;
    model: number | null;
    difference: ui.evaluate.panels.pair.DifferencePayload;
    area: ui.evaluate.panels.pair.DifferencePayload | null;
  }
  interface PairPayload {
    plotly: string;
    figure: Record<string, any> | null;
    reference: string;
    model: string;
    other: string;
    others: ui.evaluate.filter_choices.OptionPayload[];
    measure: "AP" | "AUROC" | "F1" | "sensitivity";
    measures: ui.evaluate.filter_choices.OptionPayload[];
    least: number;
    leasts: number[];
    summary: string;
    rows: ui.evaluate.panels.pair.PairRowPayload[];
  }
}

declare namespace ui.evaluate.panels.part_choice {
  interface PartChoicePayload {
    word: string;
    name: string;
    center: string | null;
  }
}

declare namespace ui.evaluate.panels.price {
  interface MeansPayload {
    name: string;
    counted: number;
    fewest: number;
    figures: ui.shared.panel_words.ValuePayload[][];
    lost: ui.shared.panel_words.ValuePayload[][];
  }
  interface PriceFindingPayload {
    finding: string;
    films: number;
    positives: number;
    best: number | null;
    figures: ui.shared.panel_words.ValuePayload[];
  }
  interface PricePayload {
    plotly: string;
    figure: Record<string, any>;
    why: string;
    places: string[];
    models: ui.evaluate.panels.model_colors.ColorPayload[];
    words: string[];
    reference: number;
    means: ui.evaluate.panels.price.MeansPayload[];
    findings: ui.evaluate.panels.price.PriceFindingPayload[];
    few: number;
  }
}

declare namespace ui.evaluate.panels.published {
  interface TableChoicePayload {
    word: string;
    name: string;
    paper: string;
  }
  interface PrintedCellPayload {
    value: string;
    beside: string;
  }
  interface OwnCellPayload {
    value: string;
    beside: string;
    counted: string;
    pending: boolean;
  }
  interface GridPayload {
    caption: string;
    heads: string[];
    names: string[];
    cells: ui.evaluate.panels.published.PrintedCellPayload[][];
    behind: string[][] | null;
    own: (ui.evaluate.panels.published.OwnCellPayload | null)[] | null;
    figures: ui.evaluate.panels.published_figures.CheckFigurePayload[];
  }
  interface PublishedTablePayload {
    tables: ui.evaluate.panels.published.TableChoicePayload[];
    table: string;
    printed: boolean;
    behind: string[];
    source: string;
    own: string;
    films: string;
    simulated: boolean;
    why: string;
    plotly: string;
    figures: ui.evaluate.panels.published_figures.CheckFigurePayload[];
    grids: ui.evaluate.panels.published.GridPayload[];
  }
}

declare namespace ui.evaluate.panels.published_figures {
  interface CheckFigurePayload {
    name: string;
    title: string;
    says: string;
    source: string;
    chart: Record<string, any>;
    heads: string[];
    names: string[];
    cells: string[][];
  }
}

declare namespace ui.evaluate.panels.recipes {
  interface RecipeFigurePayload {
    low: number | null;
    high: number | null;
    value: number | null;
    spread: [number, number] | null;
    ahead: ui.shared.panel_words.ValuePayload | null;
  }
  interface RecipePayload {
    name: string;
    models: string[];
    changes: string;
    team: string;
    system: boolean;
    seeds: number;
    baseline: boolean;
    figures: ui.evaluate.panels.recipes.RecipeFigurePayload[];
    called: ui.shared.panel_words.ValuePayload | null;
    minutes: number | null;
    parameters: number | null;
    milliseconds: number | null;
    printed: (ui.shared.panel_words.ValuePayload | null)[] | null;
  }
  interface PartNamePayload {
    name: string;
    center: null;
  }
  interface StartsPayload {
    plotly: string;
    figure: Record<string, any>;
    said: string[];
  }
  interface RecipesPayload {
    mean: string;
    metric: string;
    larger_is_better: boolean;
    trained: boolean;
    baseline: string;
    parts: ui.evaluate.panels.recipes.PartNamePayload[];
    recipes: ui.evaluate.panels.recipes.RecipePayload[];
    normal: number;
    source: string;
    starts: ui.evaluate.panels.recipes.StartsPayload | null;
  }
}

declare namespace ui.evaluate.panels.robustness {
  interface RobustnessFoundPayload {
    sentences: string[];
    parts: ui.evaluate.panels.part_choice.PartChoicePayload[];
    part: ui.evaluate.panels.part_choice.PartChoicePayload;
    strengths: Record<string, any> | null;
    rest: string;
    switched: Record<string, any> | null;
    switched_title: string;
    tables: ui.evaluate.panels.robustness_folds.TextTablePayload[];
    unstable: ui.evaluate.panels.unstable_films.UnstablePayload[];
  }
  interface RobustnessPayload {
    plotly: string;
    model: string;
    of: string;
    models: ui.evaluate.filter_choices.OptionPayload[];
    scale: "matched" | "medmnist-c";
    scales: ui.evaluate.filter_choices.OptionPayload[];
    measure: "AP" | "AUROC" | "F1" | "ECE" | "precision" | "sensitivity" | "balanced error";
    measures: ui.evaluate.filter_choices.OptionPayload[];
    missing: string;
    found: ui.evaluate.panels.robustness.RobustnessFoundPayload | null;
  }
}

declare namespace ui.evaluate.panels.robustness_folds {
  interface TextTablePayload {
    word: string;
    title: string;
    heads: string[];
    rows: string[][];
  }
}

declare namespace ui.evaluate.panels.subgroups {
  interface SubgroupDifferencePayload {
    low: number | null;
    high: number | null;
    value: number | null;
    p: number | null;
  }
  interface SubgroupPayload {
    name: string;
    films: number;
    others: number;
    counted: number;
    fewest: number;
    figures: ui.shared.panel_words.ValuePayload[];
    differences: ui.evaluate.panels.subgroups.SubgroupDifferencePayload[];
  }
  interface PropertyPayload {
    by: string;
    subgroups: ui.evaluate.panels.subgroups.SubgroupPayload[];
  }
  interface SubgroupsPayload {
    plotly: string;
    figure: Record<string, any>;
    measure: "AP" | "AUROC" | "F1" | "ECE" | "precision" | "recall";
    mean: string;
    measures: ui.evaluate.filter_choices.OptionPayload[];
    over: string;
    parts: ui.evaluate.filter_choices.OptionPayload[];
    findings: number;
    models: ui.evaluate.panels.model_colors.ColorPayload[];
    respects: ui.evaluate.panels.subgroups.PropertyPayload[];
    prevalence: boolean;
    few: number;
  }
}

declare namespace ui.evaluate.panels.together {
  interface FindingPairPayload {
    given: string;
    other: string;
    called: ui.shared.panel_words.ValuePayload;
    calls: number;
    labeled: ui.shared.panel_words.ValuePayload;
    labels: number;
    difference: ui.shared.panel_words.ValuePayload;
    called_at_all: number | null;
    labeled_at_all: number | null;
    words: Record<string, string>;
  }
  interface TogetherPayload {
    plotly: string;
    figure: Record<string, any>;
    model: string;
    models: Record<string, string>[];
    of: string;
    show: "difference" | "labels" | "calls";
    shown: Record<string, string>[];
    few: number;
    calls: boolean;
    often: ui.evaluate.panels.together.FindingPairPayload[];
    rarely: ui.evaluate.panels.together.FindingPairPayload[];
  }
}

declare namespace ui.evaluate.panels.unstable_films {
  interface UnstableFilmPayload {
    case: string;
    finding: string;
    outcome: string;
    flips: number;
    words: Record<string, string>;
  }
  interface UnstablePayload {
    kinds: "dialed" | "on_or_off";
    levels: number;
    films: ui.evaluate.panels.unstable_films.UnstableFilmPayload[];
  }
}

declare namespace ui.evaluate.payload {
  interface ComparedModelPayload {
    word: string;
    name: string;
    title: string;
    unit: "score" | "margin";
    findings: number;
    chosen: boolean;
    comparable: boolean;
  }
  interface ChoicesPayload {
    words: Record<string, string>;
    cohorts: ui.evaluate.filter_choices.OptionPayload[];
    cohort: string;
    models: ui.evaluate.payload.ComparedModelPayload[];
    sources: ui.evaluate.filter_choices.OptionPayload[];
    source: string;
    filters: ui.evaluate.filter_choices.FilterChoicePayload[];
    uncertain: ui.evaluate.filter_choices.UncertainChoicePayload;
    more: ui.evaluate.filter_choices.MoreFilterPayload[];
    picked: string[];
    explore: Record<string, string>;
    metrics: ui.evaluate.filter_choices.OptionPayload[];
    metric: string;
    minimums: ui.evaluate.filter_choices.OptionPayload[];
    minimum: string;
    intervals: ui.evaluate.filter_choices.OptionPayload[];
    interval: "percentile" | "bias-corrected";
    unit: ui.evaluate.study_calls.UnitPayload;
  }
  interface PartPayload {
    word: string;
    kind: "seen" | "without Normal" | "group" | "unseen" | "own" | "center";
    name: string;
    center: string | null;
    findings: number;
    counted: number;
    films: number;
    fewest: number;
    incomplete: number;
  }
  interface ColumnPayload {
    key: string;
    unit: "difference" | "share";
    title: string;
    note: string;
    falls: boolean;
  }
  interface BoardRowPayload {
    word: string;
    name: string;
    title: string;
    origin: string;
    reference: boolean;
    figures: ui.shared.panel_words.ValuePayload[];
    compared: Record<string, (analysis.leaderboard.columns.BoardFigure | null)[]>;
    places: (number[] | null)[];
    ties: (number | null)[];
  }
  interface LeaderboardPayload {
    words: Record<string, string>;
    cohorts: ui.evaluate.filter_choices.OptionPayload[];
    cohort: string;
    models: ui.evaluate.payload.ComparedModelPayload[];
    sources: ui.evaluate.filter_choices.OptionPayload[];
    source: string;
    filters: ui.evaluate.filter_choices.FilterChoicePayload[];
    uncertain: ui.evaluate.filter_choices.UncertainChoicePayload;
    more: ui.evaluate.filter_choices.MoreFilterPayload[];
    picked: string[];
    explore: Record<string, string>;
    metrics: ui.evaluate.filter_choices.OptionPayload[];
    metric: string;
    minimums: ui.evaluate.filter_choices.OptionPayload[];
    minimum: string;
    intervals: ui.evaluate.filter_choices.OptionPayload[];
    interval: "percentile" | "bias-corrected";
    unit: ui.evaluate.study_calls.UnitPayload;
    stage: "board";
    counted: "film" | "study";
    title: string;
    notes: string[];
    complaints: string[];
    simulated: boolean;
    weighted: boolean;
    natural: boolean;
    larger_is_better: boolean;
    mean: string;
    few: number;
    resamples: number;
    computing: boolean;
    parts: ui.evaluate.payload.PartPayload[];
    columns: ui.evaluate.payload.ColumnPayload[];
    rows: ui.evaluate.payload.BoardRowPayload[];
    winners: analysis.leaderboard.means.Winner[];
    plotly: string;
    figures: Record<string, any>[];
  }
}

declare namespace ui.evaluate.published_rows {
  interface TeamPayload {
    team: string;
    figures: (ui.shared.panel_words.ValuePayload | null)[];
  }
  interface PublishedPayload {
    task: string;
    kind: "seen" | "without Normal" | "group" | "unseen" | "own" | "center";
    source: string;
    teams: ui.evaluate.published_rows.TeamPayload[];
  }
}

declare namespace ui.evaluate.study_calls {
  interface UnitPayload {
    counted: "film" | "study";
    offered: boolean;
  }
  interface MakingStudiesPayload {
    stage: "making";
    step: "Combining films into studies" | "Preparing the studies";
    share: number;
  }
  interface CountedPayload {
    stage: "counted";
    words: Record<string, string>;
    left_out: string;
  }
}

declare namespace ui.explore.case_calls {
  interface MasksPayload {
    stage: "masks";
    masks: ui.viewer.mask_payload.MaskPayload[];
    source: string;
  }
}

declare namespace ui.explore.case_film {
  interface CaseFilmPayload {
    stage: "film";
    film: ui.viewer.payload.FilmPayload;
  }
  interface MissingFilmPayload {
    stage: "no film";
    title: string;
    detail: string;
    command?: string;
    choose?: boolean;
  }
  interface MapsPayload {
    stage: "opinion";
    verdict: ui.viewer.payload.VerdictPayload;
    rows: reading.finding_json.FindingAnswer[];
    not_looked_for: string[];
    finding_free: reading.finding_json.FindingFreeAnswer | null;
    thresholds_chosen: string;
    model: ui.viewer.payload.ModelPayload;
    times_ms: Record<string, number>;
    headline: ui.viewer.payload.HeadlinePayload;
    far: boolean | null;
    heat: ui.viewer.payload.FilmHeatPayload;
    honest: string;
    inside: Record<string, number | null>;
  }
  interface NoMapsPayload {
    stage: "no maps";
    title: string;
    detail: string;
  }
}

declare namespace ui.explore.case_payload {
  interface ScoreRowPayload {
    finding: string;
    score: number;
    threshold: number | null;
    margin: number | null;
    label: "present" | "absent" | "uncertain" | "unknown";
    doubted: boolean;
    outcome: "miss" | "false alarm" | "hit" | "correct rejection" | null;
    group: "normal" | "common" | "medium" | "rare" | "very rare" | null;
    group_source: string | null;
    unit: "score" | "margin";
    scale: number | null;
    cannot_judge: boolean;
    explained: string[];
  }
  interface ModelRowsPayload {
    title: string;
    split: string;
    thresholds: string;
    rows: ui.explore.case_payload.ScoreRowPayload[];
  }
  interface MistakesPayload {
    missed: string[];
    called: string[];
    open: string[];
  }
  interface LabelGroupPayload {
    label: "present" | "absent" | "uncertain" | "unknown";
    source: string;
    counts: boolean;
    findings: string[];
  }
  interface CaseBoxPayload {
    finding: string;
    x: number;
    y: number;
    width: number;
    height: number;
    source: string;
  }
  interface AppearancePayload {
    finding: string;
    severity: number | null;
    side: "left" | "right" | "both" | "none" | null;
    area: number | null;
  }
  interface FactsPayload {
    title: string;
    split: string;
    thresholds: string;
    rows: ui.explore.case_payload.ScoreRowPayload[];
    stage: "case";
    model: string;
    finding: string | null;
    in_slice: boolean;
    other_models: number;
    instead: ui.explore.case_payload.MistakesPayload;
    labels: ui.explore.case_payload.LabelGroupPayload[];
    votes: ui.explore.case_votes.LabelVotesPayload[];
    boxes: ui.explore.case_payload.CaseBoxPayload[];
    appearances: ui.explore.case_payload.AppearancePayload[];
    masked: boolean;
    reported: boolean;
    about: [string, string][];
    notes: string[];
    groups: string;
    file: string;
    name: string;
    simulate: string | null;
    sql: string;
    here: boolean;
  }
  interface OtherModelsPayload {
    stage: "others";
    models: ui.explore.case_payload.ModelRowsPayload[];
    notes: string[];
  }
  interface NearCasePayload {
    id: string;
    thumb: string | null;
    case: string;
    file: string | null;
    center: string;
    view: string;
    sex: string;
    age: number | null;
    present: string[];
    none_of_these: boolean;
    outcomes: Record<string, "miss" | "false alarm" | "hit" | "correct rejection" | null>;
    words: string;
  }
  interface NearCasesPayload {
    stage: "near";
    cases: ui.explore.case_payload.NearCasePayload[];
    words: string;
    same_study: ui.shared.film_line.FilmLinePayload[];
  }
  interface NoNearCasesPayload {
    stage: "none";
    title: string;
    detail: string;
    same_study: ui.shared.film_line.FilmLinePayload[];
  }
}

declare namespace ui.explore.case_place {
  interface NeighborPagePayload {
    case: string;
    page: number;
  }
  interface NotOnPagePayload {
    stage: "place";
    page: number;
  }
  interface PlacePayload {
    stage: "place";
    page: number;
    number: number;
    of: number;
    previous: ui.explore.case_place.NeighborPagePayload | null;
    next: ui.explore.case_place.NeighborPagePayload | null;
    alike: [number, number] | null;
  }
}

declare namespace ui.explore.case_votes {
  interface LabelVotesPayload {
    source: string;
    finding: string;
    words: string;
    unlabeled: boolean;
  }
}

declare namespace ui.explore.cell_payload {
  interface CenterPayload {
    id: string | null;
    name: string;
    films: number;
    labelled: boolean;
    origin: "in-sample" | "possibly in-sample" | "internal" | "external by name" | "external" | null;
    meaning: string | null;
  }
  interface NaturalPayload {
    value: number;
    chance: number;
  }
  interface PrecisionPayload {
    value: number | null;
    chance: number | null;
    natural: ui.explore.cell_payload.NaturalPayload | null;
  }
  interface AurocPayload {
    value: number | null;
    chance: number;
  }
  interface ShiftPayload {
    films: number;
    median: number;
    difference: number | null;
  }
  interface CellPayload {
    center: string | null;
    positives: number;
    negatives: number;
    sensitivity: reading.finding_json.RateAnswer;
    specificity: reading.finding_json.RateAnswer;
    precision: ui.explore.cell_payload.PrecisionPayload;
    auroc: ui.explore.cell_payload.AurocPayload;
    shift: ui.explore.cell_payload.ShiftPayload | null;
  }
  interface GapPayload {
    low: number | null;
    high: number | null;
    value: number | null;
    p: number | null;
    marked: boolean;
    other_prevalence: boolean;
    centers: [string, string];
  }
  interface RankingGapsPayload {
    precision: ui.explore.cell_payload.GapPayload;
    auroc: ui.explore.cell_payload.GapPayload;
  }
  interface GapsPayload {
    precision: ui.explore.cell_payload.GapPayload;
    auroc: ui.explore.cell_payload.GapPayload;
    sensitivity: ui.explore.cell_payload.GapPayload;
    specificity: ui.explore.cell_payload.GapPayload;
  }
  interface FindingLinePayload {
    finding: string;
    word: string;
    group: "normal" | "common" | "medium" | "rare" | "very rare" | null;
    unseen: boolean;
    pooled: ui.explore.cell_payload.CellPayload;
    cells: ui.explore.cell_payload.CellPayload[];
    gaps: ui.explore.cell_payload.GapsPayload | null;
  }
  interface TablePayload {
    between: string[];
    centers: ui.explore.cell_payload.CenterPayload[];
    lines: ui.explore.cell_payload.FindingLinePayload[];
    pending: boolean;
  }
  interface NaturalIntervalPayload {
    low: number | null;
    high: number | null;
    value: number | null;
    chance: number | null;
  }
  interface IntervalPayload {
    low: number | null;
    high: number | null;
    value: number | null;
    finding: string;
    center: string | null;
    natural: ui.explore.cell_payload.NaturalIntervalPayload | null;
    auroc: ui.shared.panel_words.ValuePayload | null;
  }
  interface FindingGapsPayload {
    finding: string;
    gaps: ui.explore.cell_payload.RankingGapsPayload;
  }
  interface IntervalsPayload {
    done: ui.explore.cell_payload.IntervalPayload[];
    gaps: ui.explore.cell_payload.FindingGapsPayload[];
    complete: boolean;
  }
}

declare namespace ui.explore.cluster_list_call {
  interface ClusterListPayload {
    stage: "cluster listed";
    name: string;
    state: Record<string, string>;
  }
}

declare namespace ui.explore.compare_payload {
  interface CountPayload {
    pairs: number;
    films: number;
  }
  interface FigurePayload {
    low: number | null;
    high: number | null;
    value: number | null;
    n: number;
    chance: number | null;
  }
  interface PairPayload {
    finding: string;
    word: string;
    measure: "sensitivity" | "specificity" | "F1" | "average precision" | "AUROC" | "ECE";
    one: ui.explore.compare_payload.FigurePayload;
    other: ui.explore.compare_payload.FigurePayload;
    difference: ui.shared.panel_words.DifferencePayload;
    known: boolean;
  }
  interface ComparedPayload {
    counts: ui.explore.compare_payload.CountPayload[];
    films: number[];
    shared: number;
    pairs: ui.explore.compare_payload.PairPayload[];
    left_out: string[];
  }
}

declare namespace ui.explore.confusions_payload {
  interface ConfusedPayload {
    finding: string;
    word: string;
    among: reading.finding_json.RateAnswer;
    rest: reading.finding_json.RateAnswer;
    ratio: ui.shared.panel_words.ValuePayload;
  }
  interface ConfusionsPayload {
    finding: string;
    word: string;
    misses: reading.finding_json.RateAnswer;
    confused: ui.explore.confusions_payload.ConfusedPayload[];
  }
  interface CandidatePayload {
    finding: string;
    word: string;
    misses: reading.finding_json.RateAnswer;
  }
  interface CandidatesPayload {
    positives: number;
    candidates: ui.explore.confusions_payload.CandidatePayload[];
  }
}

declare namespace ui.explore.crosswalk_payload {
  interface TaxonomyPayload {
    word: string;
    name: string;
  }
  interface CrosswalkLinePayload {
    label: string | null;
    task: "seen" | "unseen" | null;
    facts: string;
    relation: string | null;
    finding: string | null;
    stated_by: string;
    source: string;
  }
  interface UnderTaxonomyPayload {
    word: string;
    label: string | null;
    facts: string;
    related: string[];
  }
  interface CrosswalkPayload {
    stage: "crosswalk";
    taxonomy: string;
    lines: ui.explore.crosswalk_payload.CrosswalkLinePayload[];
    findings: ui.explore.crosswalk_payload.UnderTaxonomyPayload[];
  }
  interface CrosswalkFilePayload {
    stage: "export";
    name: string;
    type: string;
    data: string;
  }
}

declare namespace ui.explore.empty_slice {
  interface RemedyPayload {
    key: string;
    films: number;
  }
  interface NothingPayload {
    title: string;
    detail: string;
    remedies: ui.explore.empty_slice.RemedyPayload[];
  }
}

declare namespace ui.explore.film_tiles {
  interface TilePayload {
    id: string;
    thumb: string | null;
    case: string;
    file: string | null;
    center: string;
    view: string;
    sex: string;
    age: number | null;
    present: string[];
    none_of_these: boolean;
    finding: string;
    score: number;
    unit: "score" | "margin";
    threshold: number | null;
    chosen: boolean;
    margin: number | null;
    label: "present" | "absent" | "uncertain" | "unknown";
    outcome: "miss" | "false alarm" | "hit" | "correct rejection" | null;
    alike: [number, number] | null;
    starred: boolean;
  }
}

declare namespace ui.explore.folder_call {
  interface FilmFolderPayload {
    stage: "folder";
    says: string;
  }
}

declare namespace ui.explore.label_issues_payload {
  interface IssuePayload {
    reason: string;
    finding: string | null;
    word: string | null;
    films: ui.shared.film_line.FilmLinePayload[];
  }
  interface ExcludedPayload {
    finding: string;
    why: string;
  }
  interface LookedAtPayload {
    finding: string;
    positives: number;
    negatives: number;
    issues: number;
  }
  interface RulePayload {
    rule: "contradiction" | "report" | "near-duplicate" | "missing" | "confident";
    title: string;
    explains: string;
    total: number;
    checked: string;
    excluded: ui.explore.label_issues_payload.ExcludedPayload[];
    looked_at: ui.explore.label_issues_payload.LookedAtPayload[];
    issues: ui.explore.label_issues_payload.IssuePayload[];
  }
}

declare namespace ui.explore.list_calls {
  interface ListPayload {
    name: string;
    cases: number;
    word: string;
  }
  interface ListsPayload {
    stage: "lists";
    cohort: string;
    lists: ui.explore.list_calls.ListPayload[];
    said: string;
  }
}

declare namespace ui.explore.map_calls {
  interface EntryPayload {
    name: string;
    color: string;
    films: number;
    changes: Record<string, string>;
  }
  interface ColorsPayload {
    by: "outcome" | "score" | "group" | "center";
    codes: string;
    flags: string;
    entries: ui.explore.map_calls.EntryPayload[];
    ticks: number[];
  }
  interface MapQualityPayload {
    neighbors: number;
    asked: number;
    kept: number;
    low: number;
    high: number;
    plain: number;
    chance: number;
  }
  interface MapPayload {
    sentence: string;
    pairs: number;
    films: number;
    stage: "map";
    address: string;
    version: string;
    points: number;
    side: number;
    cell: number;
    colors: ui.explore.map_calls.ColorsPayload;
    choices: ("outcome" | "score" | "group" | "center")[];
    worth: ui.explore.map_calls.MapQualityPayload;
    made: string;
    corners: [number, number][];
    own: ui.explore.map_place.OwnFilmPayload | null;
  }
  interface MakingPayload {
    stage: "making";
    computing: true;
    done: number;
    of: number;
  }
}

declare namespace ui.explore.map_place {
  interface NearPayload {
    id: string;
    case: string;
    distance: number;
  }
  interface OwnFilmPayload {
    x: number | null;
    y: number | null;
    words: string;
    near: ui.explore.map_place.NearPayload[];
  }
}

declare namespace ui.explore.mark_calls {
  interface MarkPayload {
    stage: "mark";
    starred: boolean;
    tags: string[];
    note: string;
    longest: number;
    known: string[];
    lists: string[];
    every: string[];
  }
  interface StarsPayload {
    stage: "stars";
    starred: string[];
  }
}

declare namespace ui.explore.order_words {
  interface AskedOrderPayload {
    stage: "asked";
    cautions: string[];
    lines: string[];
  }
}

declare namespace ui.explore.panel_calls {
  interface CountedPayload {
    sentence: string;
    pairs: number;
    films: number;
  }
  interface TablePanelPayload {
    sentence: string;
    pairs: number;
    films: number;
    between: string[];
    centers: ui.explore.cell_payload.CenterPayload[];
    lines: ui.explore.cell_payload.FindingLinePayload[];
    pending: boolean;
    done: ui.explore.cell_payload.IntervalPayload[];
    gaps: ui.explore.cell_payload.FindingGapsPayload[];
    complete: boolean;
    stage: "table";
    source: string;
    thresholds: string;
    unit: "score" | "margin";
    few: number;
    taxonomies: ui.explore.crosswalk_payload.TaxonomyPayload[];
    relations: string[];
  }
  interface IntervalsPanelPayload {
    done: ui.explore.cell_payload.IntervalPayload[];
    gaps: ui.explore.cell_payload.FindingGapsPayload[];
    complete: boolean;
    stage: "intervals";
  }
  interface ScatterPanelPayload {
    sentence: string;
    pairs: number;
    films: number;
    stage: "scatter";
    plotly: string;
    figure: Record<string, any>;
    points: ui.explore.scatter_points.PointPayload[];
    undrawn: string[];
    computing: boolean;
    known: number;
    few: number;
  }
  interface UnchangedPayload {
    stage: "unchanged";
    computing: true;
  }
  interface NothingPinnedPayload {
    sentence: string;
    pairs: number;
    films: number;
    stage: "nothing pinned";
  }
  interface ComparePanelPayload {
    stage: "compared";
    sentences: string[];
    over: string[];
    against: ui.explore.compare_payload.ComparedPayload[];
  }
  interface ComparedIntervalsPayload {
    stage: "compared intervals";
    against: ui.explore.compare_payload.PairPayload[][];
  }
  interface NoFindingPayload {
    sentence: string;
    pairs: number;
    films: number;
    positives: number;
    candidates: ui.explore.confusions_payload.CandidatePayload[];
    stage: "no finding";
  }
  interface ConfusionsPanelPayload {
    sentence: string;
    pairs: number;
    films: number;
    finding: string;
    word: string;
    misses: reading.finding_json.RateAnswer;
    confused: ui.explore.confusions_payload.ConfusedPayload[];
    stage: "confusions";
  }
  interface IssuesPanelPayload {
    sentence: string;
    pairs: number;
    films: number;
    stage: "label issues";
    rules: ui.explore.label_issues_payload.RulePayload[];
  }
}

declare namespace ui.explore.provenance_payload {
  interface OtherCohortPayload {
    word: string;
    name: string;
  }
  interface ProvenancePayload {
    simulated: boolean;
    other: ui.explore.provenance_payload.OtherCohortPayload | null;
    passing: string;
  }
}

declare namespace ui.explore.report_payload {
  interface SaidPayload {
    finding: string;
    state: "present" | "absent" | "uncertain" | "not labeled";
  }
  interface ReportPartPayload {
    text: string;
    said: ui.explore.report_payload.SaidPayload[];
    cue_of: string[];
  }
  interface CaseReportPayload {
    stage: "report";
    source: string;
    parts: ui.explore.report_payload.ReportPartPayload[];
  }
  interface NoReportPayload {
    stage: "no report";
  }
}

declare namespace ui.explore.scatter_points {
  interface PointPayload {
    low: number | null;
    high: number | null;
    value: number | null;
    finding: string;
    word: string;
    group: "normal" | "common" | "medium" | "rare" | "very rare" | null;
    positives: number;
    films: number;
  }
}

declare namespace ui.explore.sealed_state {
  interface SealedStatePayload {
    stage: "sealed";
    seal: string;
  }
}

declare namespace ui.explore.slice_calls {
  interface ExplainedPayload {
    words: string;
    changes: Record<string, string | null>;
  }
  interface PagePayload {
    simulated: boolean;
    other: ui.explore.provenance_payload.OtherCohortPayload | null;
    passing: string;
    stage: "slice";
    changes: Record<string, string | null>;
    complaints: string[];
    sentence: string;
    counted: "film" | "study";
    films: number;
    page: number;
    pages: number;
    items: (ui.explore.film_tiles.TilePayload | ui.shared.film_line.HiddenFilmPayload)[];
    missing: string | null;
    explained: ui.explore.slice_calls.ExplainedPayload[];
    thresholds: string;
    uncertain: string;
    left_out: string[];
    nothing: ui.explore.empty_slice.NothingPayload | null;
    facets?: Record<string, ui.shared.facets.FacetPayload[] | ui.shared.facets.RangePayload>;
    facets_version?: string;
    filtered?: boolean;
  }
  interface AlternativesPayload {
    facets?: Record<string, ui.shared.facets.FacetPayload[] | ui.shared.facets.RangePayload>;
    changes?: Record<string, string | null>;
    left_out: string[];
  }
  interface NoPagePayload {
    stage: "refused" | "unscored" | "apart" | "wrong";
    title: string;
    detail: string;
    facets?: Record<string, ui.shared.facets.FacetPayload[] | ui.shared.facets.RangePayload>;
    changes?: Record<string, string | null>;
    left_out: string[];
  }
  interface PreparingPayload {
    stage: "refused" | "unscored" | "apart" | "wrong";
    title: string;
    detail: string;
    facets?: Record<string, ui.shared.facets.FacetPayload[] | ui.shared.facets.RangePayload>;
    changes?: Record<string, string | null>;
    left_out: string[];
    share: number;
  }
  interface CountsPayload {
    stage: "counts";
    films: Record<string, number>;
  }
  interface RevealedFilmsPayload {
    stage: "revealed";
    items: (ui.explore.film_tiles.TilePayload | ui.shared.film_line.HiddenFilmPayload)[];
  }
  interface ExportedFilePayload {
    stage: "export";
    name: string;
    type: string;
    data: string;
  }
}

declare namespace ui.explore.slice_endpoint {
  interface SliceAnswer {
    use: string;
    cohort: string;
    model: string;
    simulated: boolean;
    unit: "score" | "margin";
    slice: string;
    pairs: number;
    films: number;
    offset: number;
    rows: ui.explore.film_tiles.TilePayload[];
  }
}

declare namespace ui.explore.threshold_calls {
  interface RatePayload {
    value: number | null;
    interval: [number, number] | null;
    n: number;
  }
  interface ThresholdLinePayload {
    finding: string;
    least: number | null;
    most: number | null;
    by_hand: boolean;
    reason: string | null;
    positives: number;
    sensitivity: ui.explore.threshold_calls.RatePayload;
    specificity: ui.explore.threshold_calls.RatePayload;
  }
  interface ThresholdOptionPayload {
    word: string;
    name: string;
  }
  interface ThresholdsPayload {
    stage: "thresholds";
    title: string;
    words: string;
    films: string;
    own: boolean;
    unit: "score" | "margin";
    rule: "youden" | "f1" | "sens90" | "spec90" | null;
    where: string;
    rules: ui.explore.threshold_calls.ThresholdOptionPayload[];
    places: ui.explore.threshold_calls.ThresholdOptionPayload[];
    lines: ui.explore.threshold_calls.ThresholdLinePayload[];
  }
}

declare namespace ui.explore.where_it_fails_calls {
  interface WithinPayload {
    sentence: string;
    pairs: number;
    films: number;
    within: string;
    source: "facets" | "embeddings" | "spectra";
  }
  interface FailsPanelPayload {
    sentence: string;
    pairs: number;
    films: number;
    within: string;
    source: "facets" | "embeddings" | "spectra";
    rows: ui.explore.where_it_fails_payload.FailingSlicePayload[];
    looks: number;
    findings: string[];
    left_out: string[];
    looked: number;
    counted: number;
    made_of: string;
    stage: "where it fails";
    computing: false;
  }
  interface LookingPanelPayload {
    sentence: string;
    pairs: number;
    films: number;
    within: string;
    source: "facets" | "embeddings" | "spectra";
    stage: "looking";
    computing: true;
    done: number;
    of: number;
    what: string;
  }
  interface FailsFilePayload {
    stage: "export";
    name: string;
    type: string;
    data: string;
  }
}

declare namespace ui.explore.where_it_fails_payload {
  interface ClusterTraitPayload {
    words: string;
    here: reading.finding_json.RateAnswer;
    rest: reading.finding_json.RateAnswer;
  }
  interface FailingSlicePayload {
    finding: string;
    failure: "miss" | "false alarm";
    words: string;
    name: string;
    films: number;
    positives: number;
    here: reading.finding_json.RateAnswer;
    rest: reading.finding_json.RateAnswer;
    cost: ui.shared.panel_words.ValuePayload;
    p: number | null;
    adjusted: number | null;
    worse: boolean;
    state: Record<string, string> | null;
    marks: ui.explore.where_it_fails_payload.ClusterTraitPayload[];
    first: ui.shared.film_line.FilmLinePayload[];
  }
  interface WhereItFailsPayload {
    rows: ui.explore.where_it_fails_payload.FailingSlicePayload[];
    looks: number;
    findings: string[];
    left_out: string[];
    looked: number;
    counted: number;
    made_of: string;
  }
}

declare namespace ui.folder.payload {
  interface FolderOpenedPayload {
    stage: "folder";
    token: string;
    request: number | null;
  }
  interface FolderAcceptedPayload {
    stage: "taken";
  }
  interface FlaggedPayload {
    finding: string;
    verdict: "likely" | "possible" | "seldom correct" | "too few films" | "not known" | "unreliable";
  }
  interface FolderFilmPayload {
    number: number;
    name: string;
    confident: number;
    far: boolean;
    flagged: ui.folder.payload.FlaggedPayload[];
    more: number;
    score: number | null;
    state: "above" | "unsure" | "below" | "cannot judge" | null;
    cautions: string[];
  }
  interface RefusedFilePayload {
    name: string;
    reason: string;
    detail: string;
    number: number | null;
  }
  interface ReasonPayload {
    reason: string;
    files: number;
  }
  interface FolderPayload {
    stage: "shown";
    model: string;
    simulated: boolean;
    findings: string[];
    thresholds: Record<string, number>;
    expect: string;
    expected: number;
    read: number;
    not_read: number;
    passed_over: number;
    running: boolean;
    seconds_left: number | null;
    note: string;
    kept: string;
    order: string;
    page: number;
    pages: number;
    size: number;
    films: ui.folder.payload.FolderFilmPayload[];
    reasons: ui.folder.payload.ReasonPayload[];
    refused: ui.folder.payload.RefusedFilePayload[];
  }
  interface LinkPayload {
    stage: "link";
    link: string;
  }
  interface KeptPayload {
    stage: "kept";
    name: string;
    films: number;
    link: string;
  }
}

declare namespace ui.help.tour {
  interface TourStepPayload {
    words: string;
    link: string;
    go: string;
  }
  interface TourPayload {
    title: string;
    steps: ui.help.tour.TourStepPayload[];
  }
}

declare namespace ui.read.insertion_payload {
  interface InsertableFindingPayload {
    finding: string;
    focal: boolean;
    note: string;
  }
  interface ChangePayload {
    image: string;
    checksum: number;
    row: number;
    column: number;
    height: number;
    width: number;
    size: number[];
  }
  interface TwoScoresPayload {
    model: string;
    score: number | null;
    without: number | null;
    threshold: number | null;
    says: string;
    believable: string;
  }
  interface InsertionPayload {
    stage: "insertion";
    finding: string;
    side: string;
    severity: number;
    severe: string;
    size: string;
    point: number[] | null;
    place: string;
    mark: string;
    change: ui.read.insertion_payload.ChangePayload;
    scores: ui.read.insertion_payload.TwoScoresPayload[];
    flagged_means: string;
    choices: ui.read.insertion_payload.InsertableFindingPayload[];
  }
  interface BlindSpotsPayload {
    stage: "blind spots";
    finding: string;
    severity: number;
    places: number[][];
    flagged: boolean[];
    says: string;
    believable: string;
  }
  interface DosePayload {
    name: string;
    scores: number[];
    threshold: number | null;
    says: string;
  }
  interface DoseResponsePayload {
    stage: "dose response";
    finding: string;
    severities: number[];
    models: ui.read.insertion_payload.DosePayload[];
  }
}

declare namespace ui.read.join_payload {
  interface CohortChoicePayload {
    id: string;
    name: string;
  }
  interface CohortPayload {
    id: string;
    name: string;
    title: string;
    version: string;
    simulated: boolean | null;
  }
  interface ScoredByPayload {
    id: string;
    split: string;
  }
  interface ErrorRatesPayload {
    missed: reading.finding_json.RateAnswer;
    called: reading.finding_json.RateAnswer;
  }
  interface CenterErrorRatesPayload {
    missed: reading.finding_json.RateAnswer;
    called: reading.finding_json.RateAnswer;
    name: string;
    origin: "in-sample" | "possibly in-sample" | "internal" | "external by name" | "external" | null;
  }
  interface GroupErrorRatesPayload {
    missed: reading.finding_json.RateAnswer;
    called: reading.finding_json.RateAnswer;
    name: string;
    source: string;
    findings: string[];
  }
  interface EvidencePayload {
    such: analysis.cases.cohort_context_json.SimilarScoresAnswer;
    overall: ui.read.join_payload.ErrorRatesPayload;
    centers: ui.read.join_payload.CenterErrorRatesPayload[];
    group: ui.read.join_payload.GroupErrorRatesPayload | null;
  }
  interface DistancePercentilePayload {
    percent: number;
    n: number;
  }
  interface ScoredPayload {
    score: number;
    label: "present" | "absent" | "uncertain" | "unknown";
    outcome: "miss" | "false alarm" | "hit" | "correct rejection" | null;
  }
  interface SimilarCasePayload {
    id: string;
    thumb: string | null;
    case: string;
    file: string | null;
    center: string;
    view: string;
    sex: string;
    age: number | null;
    present: string[];
    none_of_these: boolean;
    distance: number;
    nearer: ui.read.join_payload.DistancePercentilePayload | null;
    scored: Record<string, ui.read.join_payload.ScoredPayload>;
  }
  interface JoinPayload {
    stage: "join";
    cohorts: ui.read.join_payload.CohortChoicePayload[];
    cohort: ui.read.join_payload.CohortPayload;
    model: ui.read.join_payload.ScoredByPayload;
    thresholds: string;
    findings: Record<string, ui.read.join_payload.EvidencePayload>;
    alike: ui.read.join_payload.SimilarCasePayload[];
    far: boolean;
    copy: boolean;
    training: analysis.cases.cohort_context_json.TrainingFilmAnswer | null;
    headline: ui.viewer.payload.HeadlinePayload;
  }
}

declare namespace ui.read.payload {
  interface OpenedPayload {
    stage: "film";
    token: string;
    request: number | null;
  }
  interface NotOpenedPayload {
    stage: "refused" | "unscored" | "apart" | "wrong";
    title: string;
    detail: string;
    request: number | null;
  }
  interface ShownFilmPayload {
    image: string;
    checksum: number;
    size: number[];
    view: string;
    sides: "stated" | "assumed";
    simulated: boolean;
    spacing: ui.viewer.payload.SpacingPayload | null;
    notes: string[];
    changes: string[];
    sha256: string;
    decode_ms: number;
    made_as: ui.simulate.link.MadeAsPayload | null;
  }
  interface RefusedFilmPayload {
    stage: "refused";
    model: string;
    verdict: ui.viewer.payload.VerdictPayload;
    times_ms: Record<string, number>;
  }
  interface ProgressPayload {
    loading: boolean;
    ahead: number | null;
  }
  interface ModelOptionPayload {
    name: string;
    title: string;
    own: boolean;
    simulated: boolean;
    megabytes: number;
  }
  interface BesideModelPayload {
    stage: "beside model";
    model: string;
    rows: reading.finding_json.FindingAnswer[];
    says: string;
  }
  interface StabilityPayload {
    changes: string[];
    findings: reading.stability_json.FindingStabilityAnswer[];
    says: string;
    stage: "stability";
  }
  interface HeartSizePayload {
    ratio: number | null;
    lines: number[][];
    says: string;
    stage: "heart size";
  }
  interface RecognizedPayload {
    stage: "recognized";
    name: string;
    file: string;
    registered: string;
    architecture: string;
    outputs: number;
    in_chans: number;
    size: number;
    mean: number[];
    std: number[];
    guessed: string[];
    findings: string[];
    function: string;
    vocabulary: string[];
  }
  interface WhichArchitecturePayload {
    stage: "architecture";
    title: string;
    detail: string;
    architectures: string[];
  }
  interface DoubtfulNamePayload {
    word: string;
    near: string;
  }
  interface DoubtfulNamesPayload {
    stage: "names";
    slips: ui.read.payload.DoubtfulNamePayload[];
  }
  interface AddedPayload {
    stage: "added";
    name: string;
    says: string[];
  }
  interface ExportPayload {
    text: string;
    type: string;
  }
  interface DicomPayload {
    zip: string;
  }
}

declare namespace ui.read.study_payload {
  interface StudyFindingPayload {
    finding: string;
    state: "above" | "unsure" | "below" | "cannot judge" | null;
    score: number;
    verdict: "likely" | "possible" | "seldom correct" | "too few films" | "not known" | "unreliable" | null;
    scores: (number | null)[];
    decided: number | null;
  }
  interface StudyPayload {
    stage: "study";
    one: boolean;
    headers: boolean | null;
    model: string | null;
    rule: "maximum" | "mean";
    films: ("read" | "lateral" | "refused" | "read anyway")[];
    findings: ui.read.study_payload.StudyFindingPayload[];
    thresholds: boolean;
  }
}

declare namespace ui.shared.facets {
  interface FilterPayload {
    key: string;
    kind: "list" | "range" | "relation" | "area";
    title: string;
    footer: string;
    words: string[];
    tells: boolean;
    needed: boolean;
    counted: boolean;
    clears: string[];
  }
  interface FacetPayload {
    word: string | null;
    name: string;
    note: string;
  }
  interface RangePayload {
    least: number;
    most: number;
    unit: "score" | "margin";
    title: string;
  }
}

declare namespace ui.shared.film_line {
  interface HiddenFilmPayload {
    id: string;
    thumb: string | null;
  }
  interface FilmLinePayload {
    id: string;
    thumb: string | null;
    case: string;
    file: string | null;
    center: string;
    view: string;
    sex: string;
    age: number | null;
    present: string[];
    none_of_these: boolean;
  }
}

declare namespace ui.shared.panel_words {
  interface BoundsPayload {
    low: number | null;
    high: number | null;
  }
  interface ValuePayload {
    low: number | null;
    high: number | null;
    value: number | null;
  }
  interface DifferencePayload {
    low: number | null;
    high: number | null;
    value: number | null;
    p: number | null;
    marked: boolean;
    other_prevalence: boolean;
  }
}

declare namespace ui.shared.refusals {
  interface RefusedPayload {
    stage: "refused" | "unscored" | "apart" | "wrong";
    title: string;
    detail: string;
  }
}

declare namespace ui.simulate.beside {
  interface ExposurePayload {
    name: string;
    title: string;
    strengths: string[];
  }
  interface BesidePayload {
    stage: "film";
    name: string;
    film: ui.viewer.payload.FilmPayload;
    masks: ui.viewer.mask_payload.MaskPayload[];
  }
  interface ScoredThere {
    finding: string;
    score: number;
    threshold: number | null;
    outcome: "miss" | "false alarm" | "hit" | "correct rejection" | null;
  }
  interface BesideScoresPayload {
    stage: "said";
    model: string;
    rows: ui.simulate.beside.ScoredThere[];
  }
}

declare namespace ui.simulate.film_requests {
  interface RequestPayload {
    finding: string;
    side: string;
    severity: number | null;
  }
  interface PatientPayload {
    sex: string;
    age: number;
    view: string;
    trained: boolean;
  }
  interface SimulatedFilmPayload {
    stage: "film";
    address: string;
    case: string;
    requests: ui.simulate.film_requests.RequestPayload[];
    patient: ui.simulate.film_requests.PatientPayload;
    film: ui.viewer.payload.FilmPayload;
    masks: ui.viewer.mask_payload.MaskPayload[];
    render_ms: number;
  }
  interface PreviewPayload {
    stage: "preview";
    image: string;
    checksum: number;
    masks: ui.viewer.mask_payload.MaskPayload[];
    render_ms: number;
  }
}

declare namespace ui.simulate.handlers {
  interface LoadingPayload {
    loading: boolean;
  }
}

declare namespace ui.simulate.hidden_calls {
  interface SealedFilmPayload {
    stage: "sealed";
    seal: string;
  }
  interface HiddenPatientPayload {
    sex: string;
    age: number;
    view: string;
  }
  interface HiddenSimulationPayload {
    stage: "hidden";
    seal: string;
    patient: ui.simulate.hidden_calls.HiddenPatientPayload;
    film: ui.viewer.payload.FilmPayload;
  }
  interface OrderPayload {
    center: string;
    seed: number;
    requests: ui.simulate.film_requests.RequestPayload[];
    version: number;
  }
  interface RevealedOrderPayload {
    stage: "revealed";
    order: ui.simulate.hidden_calls.OrderPayload;
  }
  interface QuizResultPayload {
    stage: "judged";
    right: boolean | null;
    outcomes: Record<string, string>;
    sides: Record<string, boolean>;
    order: ui.simulate.hidden_calls.OrderPayload;
    tally: school.judging.tally.RightPayload;
  }
}

declare namespace ui.simulate.lesson_calls {
  interface QuestionPayload {
    kind: "findings" | "point" | "normal" | "present" | "pair";
    finding: string | null;
  }
  interface LessonStepPayload {
    before: string;
    words: string;
    question: ui.simulate.lesson_calls.QuestionPayload;
    link: string;
  }
  interface LessonPayload {
    stage: "lesson";
    title: string;
    about: string;
    closing: string;
    minutes: number;
    steps: ui.simulate.lesson_calls.LessonStepPayload[];
  }
  interface LessonRevealPayload {
    stage: "judged";
    right: boolean | null;
    answered: boolean;
    outcomes: Record<string, string>;
    sides: Record<string, boolean>;
    order: ui.simulate.hidden_calls.OrderPayload;
    note: string;
    shown: string;
    number: ui.simulate.lesson_links.NumberPayload;
    models: school.preparing.prepared.NamedScorePayload[];
    tally: school.judging.tally.RightPayload;
  }
  interface LessonCopiedPayload {
    stage: "kept";
    key: string;
    title: string;
  }
}

declare namespace ui.simulate.lesson_links {
  interface NumberPayload {
    link: string;
    go: string;
    mark: string;
  }
}

declare namespace ui.simulate.link {
  interface MadeAsPayload {
    case: string;
    link: string;
  }
}

declare namespace ui.simulate.payload {
  interface TwinScorePayload {
    score: number;
    outcome: "miss" | "false alarm" | "hit" | "correct rejection" | null;
  }
  interface ModelScorePayload {
    finding: string;
    score: number;
    threshold: number | null;
    band: number[] | null;
    outcome: "miss" | "false alarm" | "hit" | "correct rejection" | null;
    doubt: "" | "unsure" | "cannot judge";
    seen: boolean;
    why: string;
    twin: ui.simulate.payload.TwinScorePayload;
  }
  interface FalseAlarmPayload {
    finding: string;
    score: number;
    threshold: number | null;
    twin: boolean;
  }
  interface ShareInsidePayload {
    heat: number | null;
    mask: number;
  }
  interface HeatsPayload {
    findings: string[];
    maps: string;
    twin: string;
    grid: number;
    box: ui.viewer.payload.BoxPayload;
    heat_maximum: number | null;
    unit: string;
    worth: Record<string, reading.finding_json.MapWorthAnswer>;
    inside: Record<string, ui.simulate.payload.ShareInsidePayload>;
    places: Record<string, reading.anatomy_json.MapPlaceAnswer[]>;
  }
  interface MissedPayload {
    cohort: string;
    version: string;
    thresholds: string;
    split: string;
    center: string;
    origin: "in-sample" | "possibly in-sample" | "internal" | "external by name" | "external" | null;
    findings: Record<string, reading.finding_json.RateAnswer>;
  }
  interface JudgeModelPayload {
    name: string;
    title: string;
    device?: string;
  }
  interface JudgementPayload {
    stage: "said";
    model: ui.simulate.payload.JudgeModelPayload;
    refused: string;
    rows: ui.simulate.payload.ModelScorePayload[];
    unknown: string[];
    false_alarms: ui.simulate.payload.FalseAlarmPayload[];
    heat: ui.simulate.payload.HeatsPayload | null;
    missed: ui.simulate.payload.MissedPayload | null;
  }
}

declare namespace ui.simulate.severity_sweep {
  interface SweptModelPayload {
    name: string;
    scores: number[];
    without: number;
    threshold: number | null;
    says: string;
  }
  interface SeveritySweepPayload {
    stage: "sweep";
    finding: string;
    severities: number[];
    models: ui.simulate.severity_sweep.SweptModelPayload[];
  }
}

declare namespace ui.teach.class_payload {
  interface PlaylistChoicePayload {
    key: string;
    title: string;
    films: number;
  }
  interface PlaylistChoicesPayload {
    stage: "playlists";
    playlists: ui.teach.class_payload.PlaylistChoicePayload[];
  }
  interface PreparingPayload {
    stage: "preparing";
    done: number;
    films: number;
  }
  interface ClassBegunPayload {
    stage: "begun";
    left_out: string[];
  }
  interface OneFilePayload {
    stage: "file";
    name: string;
    content: string;
    left_out: string[];
  }
  interface DonePayload {
    stage: "done";
  }
  interface ClassFilmPayload {
    stage: "film";
    film: number;
    kind: "findings" | "point" | "normal" | "present" | "pair";
    finding: string | null;
    question: string;
    before: string;
    pictures: string[];
    width: number;
    height: number;
    simulated: boolean;
    reveal: school.preparing.prepared.RevealPayload | null;
    truth: string;
    link: string;
    mark: string;
  }
  interface FilmCountPayload {
    film: number;
    question: string;
    answered: number;
    right: school.judging.tally.RightPayload | null;
  }
  interface ClassResultsPayload {
    stage: "results";
    title: string;
    closing: string;
    learners: number;
    films: ui.teach.class_payload.FilmCountPayload[];
    table: school.judging.result_table_payload.ResultTablePayload | null;
    export: string;
  }
}

declare namespace ui.teach.drawing_calls {
  interface SliceToDrawPayload {
    stage: "slice";
    sentence: string;
    films: number;
    pairs: number;
    title: string;
    difficulty: Record<string, number>;
  }
  interface OfferedPlaylistsPayload {
    stage: "offered";
    playlists: ui.teach.playlist_payload.PlaylistLinePayload[];
  }
}

declare namespace ui.teach.playlist_payload {
  interface PlaylistLinePayload {
    key: string;
    title: string;
    films: number;
    kinds: ("findings" | "point" | "normal" | "present" | "pair")[];
  }
  interface PlaylistsPayload {
    stage: "playlists";
    playlists: ui.teach.playlist_payload.PlaylistLinePayload[];
    unreadable: string[];
  }
  interface PlaylistFilmPayload {
    thumb: string | null;
    made: boolean;
    name: string;
    labels: string;
    kind: "findings" | "point" | "normal" | "present" | "pair";
    finding: string;
    words: string;
    asks: string;
    before: string;
    note: string;
    link: string;
    pairs: string[];
    gone: string;
    models: string[];
    lacking: string;
    difficulty: string;
    simulated: boolean;
  }
  interface PlaylistPayload {
    stage: "playlist";
    key: string;
    version: string;
    title: string;
    about: string;
    closing: string;
    films: ui.teach.playlist_payload.PlaylistFilmPayload[];
    gone: string;
    said: string;
    hidden: boolean;
  }
  interface PlaylistFilePayload {
    stage: "file";
    name: string;
    text: string;
  }
  interface PicturesPayload {
    stage: "pictures";
    pictures: Record<string, string>;
  }
  interface SavedPlaylistPayload {
    stage: "kept";
    key: string;
    title: string;
    said: string;
    films?: number;
  }
}

declare namespace ui.teach.review_payload {
  interface ReviewProgressPayload {
    reader: string;
    code: string;
    done: number;
    readings: number;
  }
  interface ReviewLinePayload {
    name: string;
    about: string;
    suggested_from: string;
    words: string[];
    serve: string;
    source: string;
    to: string;
    findings: string[];
    suggests: boolean;
    ties: number;
    waiting: number;
    readers: ui.teach.review_payload.ReviewProgressPayload[];
  }
  interface ReviewListPayload {
    stage: "reviews";
    reviews: ui.teach.review_payload.ReviewLinePayload[];
    made: string;
    notes: string[];
  }
  interface LabelSetPayload {
    name: string;
    findings: string[];
  }
  interface SliceToReviewPayload {
    stage: "slice";
    sentence: string;
    films: number;
    findings: string[];
    label_sets: ui.teach.review_payload.LabelSetPayload[];
    finding: string | null;
  }
  interface ReviewGridPayload {
    title: string;
    header: string[];
    rows: string[][];
    notes: string[];
  }
  interface ReviewAgreementPayload {
    stage: "agreement";
    name: string;
    notes: string[];
    grids: ui.teach.review_payload.ReviewGridPayload[];
  }
  interface ReviewReleasedPayload {
    stage: "released";
    words: string[];
    grids: ui.teach.review_payload.ReviewGridPayload[];
    address: string;
  }
}

declare namespace ui.teach.study_payload {
  interface StudiedFindingPayload {
    finding: string;
    present: number;
    absent: number;
    readers: number;
    why_not: string;
  }
  interface StudyGridPayload {
    title: string;
    header: string[];
    rows: string[][];
    notes: string[];
  }
  interface FindingStudyPayload {
    stage: "study";
    findings: ui.teach.study_payload.StudiedFindingPayload[];
    finding: string;
    title: string;
    notes: string[];
    grids: ui.teach.study_payload.StudyGridPayload[];
    modalities: number;
    difference: number | null;
    switches: ui.teach.study_payload.StudyGridPayload | null;
    command: string;
  }
  interface StudyFilePayload {
    stage: "text";
    name: string;
    content: string;
  }
}

declare namespace ui.viewer.mask_payload {
  interface MaskPayload {
    finding: string;
    size: number[];
    bits: string;
    share: number;
    global: boolean;
  }
}

declare namespace ui.viewer.payload {
  interface SpacingPayload {
    mm: number[];
    at: "detector" | "patient" | null;
  }
  interface FilmPayload {
    image: string;
    checksum: number;
    size: number[];
    view: string;
    sides: "stated" | "assumed";
    simulated: boolean;
    spacing: ui.viewer.payload.SpacingPayload | null;
    notes: string[];
    changes: string[];
    sha256: string;
    decode_ms: number;
  }
  interface BoxPayload {
    size: number;
    inner: number[];
    offset: number[];
  }
  interface VerdictPayload {
    readable: boolean;
    check: "provenance" | "own capture" | "body part" | "lateral" | "view" | "color" | "blank" | "noise" | "inverted" | "turned" | "document" | "not a frontal chest film" | null;
    reason: string;
    advice: string;
    remedy: "invert" | "turn left" | "turn right" | "turn around" | "mirror" | null;
    cautions: string[];
  }
  interface ModelPayload {
    name: string;
    title: string;
    device: string;
  }
  interface HeadlinePayload {
    title: string;
    detail: string;
  }
  interface OpinionPayload {
    stage: "opinion";
    verdict: ui.viewer.payload.VerdictPayload;
    rows: reading.finding_json.FindingAnswer[];
    not_looked_for: string[];
    finding_free: reading.finding_json.FindingFreeAnswer | null;
    thresholds_chosen: string;
    model: ui.viewer.payload.ModelPayload;
    times_ms: Record<string, number>;
    headline: ui.viewer.payload.HeadlinePayload;
    far: boolean | null;
  }
  interface FilmHeatPayload {
    stage: "heat";
    findings: string[];
    maps: string;
    grid: number;
    box: ui.viewer.payload.BoxPayload;
    heat_maximum: number | null;
    unit: string;
    method: string;
    alike: string;
    places: reading.anatomy_json.MapPlaceAnswer[];
    heat_ms: number;
  }
  interface ReadAnswer {
    model: string;
    device: string;
    readable: boolean;
    reason: string;
    cautions: string[];
    read_anyway: boolean;
    findings: reading.finding_json.FindingAnswer[];
    cohort: analysis.cases.cohort_context_json.CohortAnswer | null;
    anatomy: reading.anatomy_json.AnatomyAnswer | null;
    stability: reading.stability_json.StabilityAnswer | null;
    training_film: analysis.cases.cohort_context_json.TrainingFilmAnswer | null;
    not_looked_for: string[];
    finding_free: reading.finding_json.FindingFreeAnswer | null;
    view: string;
    simulated: boolean;
    notes: string[];
    timings_ms: Record<string, number>;
    use: string;
  }
}
