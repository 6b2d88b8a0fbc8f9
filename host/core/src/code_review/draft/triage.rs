//! What became of each item of the online reviews (CR-43 to CR-45, CR-121).

use super::sketch::{Piece, Row, Sketch, Table, There, Words};
use crate::code_review::{
    confidence::{THREADS_GAP, fallback_gap},
    notes::text::normal,
    pull_request::PullRequest,
    triage::{COLUMNS, NO_ITEMS, PLAIN, TRIAGE},
};

/// `Online Review Triage`.
pub(super) fn triage(pull_request: &PullRequest) -> Sketch {
    let sketch = Sketch::new(TRIAGE);
    let what = format!("{}, confirmed:<finding id> or open:<candidate id>", PLAIN.join(", "));
    let row = |id: &String| Row { key: id.clone(), cells: vec![Words::open(&what), Words::open("the evidence")] };
    let sketch = if pull_request.item_ids.is_empty() {
        sketch.with([said(NO_ITEMS)])
    } else {
        sketch.with_table(Table { columns: &COLUMNS, rows: pull_request.item_ids.iter().map(row).collect(), below: None })
    };
    sketch.with(pull_request.threads_unavailable.then(|| said(THREADS_GAP))).with(pull_request.fallback.iter().flat_map(|ids| omitted(ids)))
}

/// The gap of the fallback, then what it omitted.
fn omitted(ids: &[String]) -> [Piece; 2] {
    [said(&fallback_gap(ids)), Piece::line("Unavailable evidence", "", Some(ids.join(", ")))]
}

fn said(text: &str) -> Piece {
    let text = normal(text);
    Piece::paragraph(There::Says(text.clone()), Words::known(text))
}
