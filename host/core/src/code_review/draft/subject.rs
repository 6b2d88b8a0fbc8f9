//! What is reviewed: the snapshot, the scope, the tier (CR-35, CR-117, CR-122 to CR-129).

use super::{
    known::Known,
    sketch::{Below, Piece, Row, Sketch, Table, There, Words},
};
use crate::code_review::{
    notes::{
        snapshot::{REVIEWERS, legend_follows, reviewed_commit, rows},
        snapshot_title,
        text::normal,
    },
    snapshot::{self, COLUMNS, LEGEND, SUGGESTION, TYPE, TYPES, commit},
    t0::T0,
    vocabulary::{Disposition, Scope},
};

/// The gap of a run that is not routed yet.
const ROUTED_LATER: &str = "the tier and its reasons, once the run is routed";

/// The snapshot table.
///
/// # Errors
///
/// A sentence that says which receipt cannot be shown.
pub(super) fn table(known: &Known<'_>, t0: &T0) -> Result<Sketch, String> {
    let words = |field: &str, value: String| match field {
        TYPE => Words::open(format!("one of {}", TYPES.join(", "))),
        SUGGESTION => Words::of("what the verdict suggests", known.context.decision.is_some().then_some(value)),
        REVIEWERS => Words::of("each reviewer with the rating", known.assessments().is_some().then_some(value)),
        _ => Words::known(value),
    };
    let row = |row: snapshot::Row| Row { key: row.field.to_owned(), cells: vec![words(row.field, row.value)] };
    let rows = rows(&known.context)?.into_iter().map(row).collect();
    let table = Table { columns: &COLUMNS, rows, below: Some(Below { text: LEGEND, is_there: legend_follows }) };
    Ok(Sketch::new(snapshot_title(t0.run.scope)).with_table(table))
}

/// `Scope`.
pub(super) fn scope(known: &Known<'_>, t0: &T0) -> Sketch {
    let label = normal(&t0.run.target_label);
    let target = Piece::paragraph(There::Says(label.clone()), Words::known(format!("Target: {label}")));
    let local = matches!(t0.run.scope, Scope::WorkingTree | Scope::Path);
    let reviewed = commit(reviewed_commit(&known.context).as_deref(), local);
    let reviewed = Piece::line("Reviewed commit", "", Some(reviewed));
    let operations = known.operations();
    let operations = operations.iter().map(|operation| Piece::one_of_lines("In-progress operation", operation));
    let prior = known.context.prior.as_ref();
    let ledger = prior.map(|prior| format!("{}, {} entries", prior.sha256, prior.resolutions.len()));
    let ledger = ledger.map(|ledger| Piece::line("Prior resolutions", "", Some(ledger)));
    let words: Vec<&str> = Disposition::WORDS.iter().map(|(word, _)| *word).collect();
    let what = format!("what became of it, one of {}", words.join(", "));
    let rejected = prior.into_iter().flat_map(|prior| prior.rejected());
    let rejected = rejected.map(|rejected| Piece::line(&rejected.scope_label(), &what, None));
    Sketch::new("Scope").with([target, reviewed]).with(operations).with(ledger).with(rejected)
}

/// `Risk Tier`.
pub(super) fn tier(known: &Known<'_>) -> Sketch {
    let sketch = Sketch::new("Risk Tier");
    let Some(routing) = &known.context.routing else {
        return sketch.with([Piece::paragraph(There::Body, Words::open(ROUTED_LATER))]);
    };
    let word = routing.risk_tier.as_str();
    let tier = Piece::paragraph(There::Mentions(word.to_owned()), Words::of(ROUTED_LATER, Some(format!("Tier: {word}"))));
    let reasons = routing.mechanical_risk_evidence.iter().map(|reason| Piece::item(There::Mentions(normal(reason)), reason));
    sketch.with([tier]).with(reasons)
}
