//! The snapshot as the notes show it: the rows of the receipts, then who rated and where the report is (CR-123, CR-124, CR-128).

use super::text::normal;
use crate::code_review::{
    context::Context,
    outline::{Block, Section},
    snapshot::{self, CI_ROLLUP_FILE, LEGEND, Row, Source, report_link, reviewers},
};

/// The reviewed commit: a receipt names it, or the gates have seen it (CR-127).
pub(in crate::code_review) fn reviewed_commit(context: &Context<'_>) -> Option<String> {
    let observed = || context.gates.as_ref()?.observed_commit();
    context.t0.as_ref()?.reviewed_commit.clone().or_else(observed)
}

/// Every row, in order. The type of the change is empty: the author chooses it.
///
/// # Errors
///
/// A sentence that says which source cannot be read.
pub(in crate::code_review) fn rows(context: &Context<'_>) -> Result<Vec<Row>, String> {
    let Some(t0) = &context.t0 else { return Err("the receipts of the run cannot be read".to_owned()) };
    let commit = reviewed_commit(context);
    let mut rows = snapshot::rows(Source {
        t0,
        pull_request: context.pr.as_ref(),
        ci_rollup: context.facts.image.bytes(CI_ROLLUP_FILE),
        commit: commit.as_deref(),
        change_type: "",
        verdict: context.decision.as_ref().and_then(|decision| decision.recommendation),
    })?;
    rows.push(Row { field: REVIEWERS, value: reviewers(&context.assessments) });
    rows.push(Row { field: "Report", value: report_link(context.facts.run_path) });
    Ok(rows)
}

/// The row of the ratings.
pub(in crate::code_review) const REVIEWERS: &str = "Reviewers";

/// The block behind the first table is the legend.
pub(in crate::code_review) fn legend_follows(section: &Section) -> bool {
    let after = section.blocks.iter().skip_while(|block| !matches!(block, Block::Table(_))).nth(1);
    let Some(Block::Paragraph(lines)) = after else { return false };
    normal(&lines.iter().map(|line| line.text.as_str()).collect::<Vec<_>>().join(" ")) == LEGEND
}
