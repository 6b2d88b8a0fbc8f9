//! `code-review finalize`.

use std::path::PathBuf;

use clap::Args;

/// `code-review finalize`.
#[derive(Args, Debug)]
pub struct Finalize {
    /// The run, as `start` printed it
    #[arg(long, value_name = "RUN")]
    pub run: PathBuf,
    /// Who drives the review, as recorded at the start; CODE_POLISHY_PRODUCER_ID when absent
    #[arg(long, value_name = "ID")]
    pub producer_id: Option<String>,
    /// How the review ended: assessed, closed or unavailable
    #[arg(long, value_name = "BRANCH", default_value = "assessed")]
    pub branch: String,
    /// Why closing is advised; for the branch closed
    #[arg(long, value_name = "FILE")]
    pub close_decision: Option<PathBuf>,
    /// The metadata of the result; those of the candidate when absent
    #[arg(long, value_name = "FILE")]
    pub metadata: Option<PathBuf>,
    /// The draft of the hand-off; the run's own when absent
    #[arg(long, value_name = "FILE")]
    pub handoff: Option<PathBuf>,
    /// Write a draft of the hand-off here, from the records and the notes, for you to check; nothing else is done
    #[arg(long, value_name = "FILE", conflicts_with_all = ["handoff", "promote"])]
    pub draft_handoff: Option<PathBuf>,
    /// The status of the result, pass, fail or timeout; what the records give when absent
    #[arg(long, value_name = "STATUS")]
    pub status: Option<String>,
    /// The confidence, from 0 to 1; that of the metadata when absent
    #[arg(long, value_name = "N")]
    pub confidence: Option<String>,
    /// The number of critical findings, which has to be that of the records
    #[arg(long, value_name = "N")]
    pub critical: Option<u64>,
    /// The number of high findings
    #[arg(long, value_name = "N")]
    pub high: Option<u64>,
    /// The number of medium findings
    #[arg(long, value_name = "N")]
    pub medium: Option<u64>,
    /// The number of low findings
    #[arg(long, value_name = "N")]
    pub low: Option<u64>,
    /// A failed check beside the gates; may be repeated
    #[arg(long, value_name = "ID")]
    pub extra_check_failed: Vec<String>,
    /// A recommendation to the author of the change; may be repeated
    #[arg(long, value_name = "TEXT")]
    pub recommendation: Vec<String>,
    /// What follows from a finding, a blocker or an open claim; may be repeated
    #[arg(long, value_name = "ID=TEXT")]
    pub follow_up: Vec<String>,
    /// Draw the hand-off with this renderer too; may be repeated
    #[arg(long, value_name = "ID")]
    pub renderer: Vec<String>,
    /// Make the result final when it holds
    #[arg(long)]
    pub promote: bool,
}
