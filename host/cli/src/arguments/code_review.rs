//! The words of `code-review` (section 3 of its contract).

mod finalize;
mod gates;

use std::path::PathBuf;

use clap::{ArgGroup, Args, Subcommand, ValueEnum};
use code_polishy_core::code_review::discard::DiscardCategory;
pub use finalize::Finalize;
pub use gates::Gates;

/// Commands of `code-review`.
#[derive(Debug, Subcommand)]
pub enum CodeReview {
    /// Freeze what is reviewed in a new run directory
    Start(Box<Start>),
    /// Turn the export of a pull request, and what was fetched of it, into a run; nothing is asked of the network
    ImportPr(Box<ImportPr>),
    /// Decide who inspects what, and freeze what each reviewer is given
    Route(Route),
    /// Append to the log what a reviewer did, and retain its response
    ReviewerEvent(Box<ReviewerEvent>),
    /// Run the gates on the reviewed tree, and record what they gave
    Gates(Box<Gates>),
    /// Judge a run: every violation, with its place and what to do about it
    Validate(Validate),
    /// Derive, render and judge a result, and promote it when it holds
    Finalize(Box<Finalize>),
    /// Write what a run knows of its notes, and mark what its author has to write
    Notes(Notes),
    /// Give up the result of a run before it is promoted, and keep it
    Discard(Discard),
    /// Judge a promoted run once more, and print its report
    Complete(Complete),
    /// Find the report that counts, or what it holds about a finding
    Find(Find),
}

/// `code-review start`.
#[derive(Args, Debug)]
pub struct Start {
    /// What is reviewed: working-tree, path, commit or pr
    #[arg(long, value_name = "SCOPE")]
    pub scope: String,
    /// A path, a commit or range, or a pull request's number or URL; paths may be repeated
    #[arg(long, value_name = "TARGET")]
    pub target: Vec<String>,
    /// Compare the commit with this one, instead of its first parent
    #[arg(long, value_name = "REV")]
    pub base: Option<String>,
    /// Where reviewers read: beside the run, nowhere (commits only), or this absolute path
    #[arg(long, value_name = "auto|none|PATH", default_value = "auto")]
    pub review_worktree: String,
    /// The exported checks of the reviewed commit
    #[arg(long, value_name = "FILE")]
    pub ci_rollup: Option<PathBuf>,
    /// Where runs are kept.
    #[command(flatten)]
    pub reports: ReportsDir,
    /// Under which terms.
    #[command(flatten)]
    pub terms: Terms,
}

/// Where runs are kept.
#[derive(Args, Debug)]
pub struct ReportsDir {
    /// Keep runs here, instead of in the configured folder
    #[arg(long, value_name = "DIR")]
    pub reports_dir: Option<PathBuf>,
}

/// Under which terms a run is made.
#[derive(Args, Debug)]
pub struct Terms {
    /// Who drives the review; CODE_POLISHY_PRODUCER_ID, or a new id, when absent
    #[arg(long, value_name = "ID")]
    pub producer_id: Option<String>,
    /// Only attested reviewers will do; the words that ask for it
    #[arg(long, value_name = "REASON")]
    pub independence_required: Option<String>,
    /// The output format that the caller asked for
    #[arg(long, value_name = "FORMAT")]
    pub caller_contract: Option<String>,
    /// The caller's words that ask for it
    #[arg(long, value_name = "TEXT")]
    pub caller_contract_evidence: Option<String>,
    /// The run whose independent review the user waived
    #[arg(long, value_name = "RUN")]
    pub revised_scope_of: Option<PathBuf>,
    /// The user's words that waive it
    #[arg(long, value_name = "TEXT")]
    pub waiver: Option<String>,
}

/// `code-review import-pr`.
#[derive(Args, Debug)]
pub struct ImportPr {
    /// The folder that the exporter filled
    #[arg(long, value_name = "DIR")]
    pub exports: PathBuf,
    /// Fill this run of `start --scope pr`, instead of a new one
    #[arg(long, value_name = "RUN")]
    pub run: Option<PathBuf>,
    /// The pull request's number or URL; what the export says when absent
    #[arg(long, value_name = "N|URL")]
    pub target: Option<String>,
    /// The remote of the repository that the pull request belongs to; the one that leads there when absent
    #[arg(long, value_name = "NAME")]
    pub remote: Option<String>,
    /// The ref that the head was fetched into
    #[arg(long, value_name = "REF")]
    pub head_ref: Option<String>,
    /// The ref that follows the target branch
    #[arg(long, value_name = "REF")]
    pub target_ref: Option<String>,
    /// Where reviewers read: beside the run, or this absolute path
    #[arg(long, value_name = "auto|PATH", default_value = "auto")]
    pub review_worktree: String,
    /// Where runs are kept.
    #[command(flatten)]
    pub reports: ReportsDir,
    /// Under which terms.
    #[command(flatten)]
    pub terms: Terms,
}

/// `code-review route`.
#[derive(Args, Debug)]
pub struct Route {
    /// The run, as `start` printed it
    #[arg(long, value_name = "RUN")]
    pub run: PathBuf,
    /// How risky the change is: TRIVIAL, LOCAL, BROAD or HIGH_RISK; what paths and sizes say when absent, and never below it
    #[arg(long, value_name = "TIER")]
    pub tier: Option<String>,
    /// What you state about the change: eighteen signals with their reasons. Without it the file to fill in is printed
    #[arg(long, value_name = "FILE")]
    pub signals: Option<PathBuf>,
    /// A reviewer that the user asked for, with the user's words; may be repeated
    #[arg(long, value_name = "ROLE=REASON")]
    pub select: Vec<String>,
    /// The largest context of a batch in bytes; 65536 when absent
    #[arg(long, value_name = "N")]
    pub batch_bytes: Option<u32>,
    /// Print what paths and sizes say, and write nothing
    #[arg(long)]
    pub mechanical_only: bool,
}

/// `code-review reviewer-event`.
#[derive(Args, Clone, Debug)]
pub struct ReviewerEvent {
    /// The run, as `start` printed it
    #[arg(long, value_name = "RUN")]
    pub run: PathBuf,
    /// What happened: dispatched, delivered, started, completed, joined or refused
    #[arg(long, value_name = "EVENT")]
    pub event: String,
    /// Whose work it is
    #[arg(long, value_name = "ROLE")]
    pub role: String,
    /// 1 or 2; the attempt that was dispatched last, or a dispatch's next one, when absent
    #[arg(long, value_name = "N")]
    pub attempt: Option<u32>,
    /// How the work is done: spawned, app-server, inspection or substituted; as it was dispatched when absent
    #[arg(long, value_name = "MODE")]
    pub mode: Option<String>,
    /// The reviewer, of this attempt alone; as it was dispatched when absent
    #[arg(long, value_name = "ID")]
    pub reviewer_id: Option<String>,
    /// When it happened, in RFC 3339; now when absent
    #[arg(long, value_name = "TIME")]
    pub at: Option<String>,
    /// Its files.
    #[command(flatten)]
    pub files: ReviewerFiles,
    /// Who judges the receipt: an adapter that the configuration names
    #[arg(long, value_name = "ID", requires = "receipt")]
    pub adapter: Option<String>,
    /// What the reviewer says about itself; kept, never judged
    #[arg(long, value_name = "JSON")]
    pub claimed: Option<String>,
    /// What the reviewer's host saw; kept, never judged
    #[arg(long, value_name = "JSON")]
    pub observed: Option<String>,
    /// Why there is a second attempt: host-failure or format-correction
    #[arg(long, value_name = "REASON")]
    pub retry_reason: Option<String>,
    /// Why the work was refused, or done by the parent
    #[arg(long, value_name = "TEXT")]
    pub reason: Option<String>,
}

/// The files of an event.
#[derive(Args, Clone, Debug)]
pub struct ReviewerFiles {
    /// What was sent, inside the run; the role's frozen context when absent
    #[arg(long, value_name = "FILE")]
    pub context: Option<PathBuf>,
    /// The response; one outside the run is copied into it. What was completed when absent
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// What the reviewer's host signed; one outside the run is copied into it
    #[arg(long, value_name = "FILE")]
    pub receipt: Option<PathBuf>,
}

/// `code-review notes`.
#[derive(Args, Debug)]
pub struct Notes {
    /// The run, as `start` printed it
    #[arg(long, value_name = "RUN")]
    pub run: PathBuf,
    /// Write `review-notes.md`, or fill what it lacks; nothing that is written there is changed
    #[arg(long, required = true)]
    pub draft: bool,
    /// The metadata of the result, before a candidate has it
    #[arg(long, value_name = "FILE")]
    pub metadata: Option<PathBuf>,
}

/// `code-review validate`.
#[derive(Args, Debug)]
pub struct Validate {
    /// The run, as `start` printed it
    #[arg(long, value_name = "RUN")]
    pub run: PathBuf,
    /// Who drives the review, as recorded at the start; CODE_POLISHY_PRODUCER_ID when absent
    #[arg(long, value_name = "ID")]
    pub producer_id: Option<String>,
    /// The result to judge, inside the run; its candidate, or else its result, when absent
    #[arg(long, value_name = "FILE", conflicts_with = "manifest_only")]
    pub result: Option<PathBuf>,
    /// Judge the receipts alone, before a result is written
    #[arg(long)]
    pub manifest_only: bool,
}

/// `code-review discard`.
#[derive(Args, Debug)]
pub struct Discard {
    /// The run, as `start` printed it
    #[arg(long, value_name = "RUN")]
    pub run: PathBuf,
    /// Why the result is given up
    #[arg(long, value_name = "TEXT")]
    pub reason: String,
    /// What kind of reason it is
    #[arg(long, value_name = "CATEGORY")]
    pub category: Category,
}

/// `code-review complete`.
#[derive(Args, Debug)]
pub struct Complete {
    /// The run, as `start` printed it
    #[arg(long, value_name = "RUN")]
    pub run: PathBuf,
    /// Who drives the review; the run's own record when absent
    #[arg(long, value_name = "ID")]
    pub producer_id: Option<String>,
    /// Print where the report is and whether the change may proceed, for a caller that goes on
    #[arg(long)]
    pub nested: bool,
    /// The user's reason why the index changed during the review
    #[arg(long, value_name = "REASON")]
    pub accept_index_change: Option<String>,
    /// The user's reason why a merge, rebase or the like was begun, continued or ended during the review
    #[arg(long, value_name = "REASON")]
    pub accept_operation_change: Option<String>,
    /// Write what was found here when the report is not handed over; outside the run
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
}

/// `code-review find`.
#[derive(Args, Debug)]
#[command(group = ArgGroup::new("wanted").required(true).multiple(false))]
pub struct Find {
    /// A pull request: its number, with or without #, or its address
    #[arg(long, value_name = "PR", group = "wanted")]
    pub target: Option<String>,
    /// A `result.json`, if it is the newest of its pull request and holds
    #[arg(long, value_name = "FILE", group = "wanted")]
    pub result: Option<PathBuf>,
    /// A `result.json` of an earlier family: it is shown, and not validated
    #[arg(long, value_name = "FILE", group = "wanted")]
    pub archive_result: Option<PathBuf>,
    /// All that the report of --run holds about this finding or claim
    #[arg(long, value_name = "ID", group = "wanted", requires = "run")]
    pub finding_evidence: Option<String>,
    /// What became of the findings of the runs before --run
    #[arg(long, group = "wanted", requires = "run")]
    pub prior_resolutions: bool,
    /// The run
    #[arg(long, value_name = "RUN", conflicts_with_all = ["target", "result", "archive_result"])]
    pub run: Option<PathBuf>,
    /// Print nothing but the path of the report
    #[arg(long, conflicts_with_all = ["archive_result", "finding_evidence", "prior_resolutions"])]
    pub path_only: bool,
    /// Where runs are kept.
    #[command(flatten)]
    pub reports: ReportsDir,
}

/// Kinds of reasons to give up a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Category {
    /// A newer review takes its place.
    Superseded,
    /// Its evidence does not hold.
    InvalidEvidence,
    /// The source is no longer what was reviewed.
    SourceMoved,
    /// Another run reviews the same.
    DuplicateRun,
    /// Something else.
    Other,
}

impl From<Category> for DiscardCategory {
    fn from(category: Category) -> Self {
        match category {
            Category::Superseded => Self::Superseded,
            Category::InvalidEvidence => Self::InvalidEvidence,
            Category::SourceMoved => Self::SourceMoved,
            Category::DuplicateRun => Self::DuplicateRun,
            Category::Other => Self::Other,
        }
    }
}
