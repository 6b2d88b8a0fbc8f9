//! What became of the findings of earlier runs of the same pull request (CR-47, CR-122, CR-218).

mod merge;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::evidence::{Coordinate, Place, place};
use crate::canonical::nullable;

pub use merge::{Ledger, merge};

/// [`PriorRecord`].
pub const PRIOR_FILE: &str = "prior-resolutions.json";
/// The ledger that a remediation leaves in the run whose findings it worked on.
pub const LEDGER_FILE: &str = "resolution.jsonl";

/// What later steps need of `prior-resolutions.json`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PriorResolutions {
    /// Digest of the file.
    pub sha256: String,
    /// One per finding, in byte order of the ids.
    pub resolutions: Vec<PriorResolution>,
}

/// The content of `prior-resolutions.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PriorRecord {
    /// The newest run with a ledger, such as `run-002`.
    pub source_run: String,
    /// Digest of the bytes of every ledger, oldest run first.
    pub sha256: String,
    /// One per finding, in byte order of the ids.
    pub resolutions: Vec<PriorResolution>,
    /// Lines that are no resolution, in all ledgers.
    pub invalid_lines: u64,
}

/// What became of one finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PriorResolution {
    /// The finding's id in its run.
    pub finding_id: String,
    /// Its title; null when its run has no such finding.
    #[serde(deserialize_with = "nullable")]
    pub title: Option<String>,
    /// What became of it.
    pub verdict: ResolutionVerdict,
    /// Full id of the commit that resolved it; null without one.
    #[serde(deserialize_with = "nullable")]
    pub sha: Option<String>,
    /// Why.
    pub why: String,
    /// The evidence of the finding.
    pub evidence: Vec<String>,
}

/// What became of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ResolutionVerdict {
    /// The change was made.
    Fixed,
    /// It is not a defect.
    Rejected,
    /// Nobody worked on it.
    Skipped,
    /// It is left for later.
    Deferred,
}

impl PriorResolutions {
    /// Findings that were rejected.
    pub fn rejected(&self) -> impl Iterator<Item = &PriorResolution> {
        self.resolutions.iter().filter(|resolution| resolution.verdict == ResolutionVerdict::Rejected)
    }
}

impl PriorResolution {
    /// A finding with this id and title, or a candidate with this id and claim, is the same finding (CR-122).
    pub fn is_about(&self, id: &str, text: &str) -> bool {
        self.finding_id == id || self.title.as_deref().is_some_and(|title| words(title).eq(words(text)))
    }

    /// One of these evidence texts begins with lines of source that the earlier evidence does not cover (CR-122).
    pub fn lacks_one_of<'e>(&self, evidence: impl IntoIterator<Item = &'e str>) -> bool {
        let earlier: Vec<Coordinate> = self.evidence.iter().filter_map(|text| source(text)).collect();
        let covered = |new: &Coordinate| earlier.iter().any(|old| covers(old, new));
        evidence.into_iter().filter_map(source).any(|new| !covered(&new))
    }

    /// The label of the line of the notes' section `Scope` that says what became of it here.
    pub fn scope_label(&self) -> String {
        format!("Prior finding {}", self.finding_id)
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split_whitespace()
}

fn source(text: &str) -> Option<Coordinate> {
    match place(text) {
        Place::Source(coordinate) => Some(coordinate),
        _ => None,
    }
}

fn covers(old: &Coordinate, new: &Coordinate) -> bool {
    (old.base, &old.path) == (new.base, &new.path) && old.start <= new.start && new.end <= old.end
}

/// The number of a run's folder `run-<NNN>`: from 1, three digits or more, no needless zeros (CR-12, CR-179).
pub fn run_number(name: &str) -> Option<u32> {
    let number = name.strip_prefix("run-")?.parse().ok().filter(|number| *number > 0)?;
    (format!("run-{number:03}") == name).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolution(title: Option<&str>, evidence: &[&str]) -> PriorResolution {
        PriorResolution {
            finding_id: "f-1".to_owned(),
            title: title.map(str::to_owned),
            verdict: ResolutionVerdict::Rejected,
            sha: None,
            why: "documented".to_owned(),
            evidence: evidence.iter().map(|text| (*text).to_owned()).collect(),
        }
    }

    #[test]
    fn a_finding_is_known_by_id_or_words() {
        let titled = resolution(Some("Retry  never stops"), &[]);
        assert!(titled.is_about("f-1", "x") && titled.is_about("f-9", " Retry never\nstops "));
        assert!(!titled.is_about("f-9", "retry never stops"));
        assert!(!resolution(None, &[]).is_about("f-9", ""));
    }

    #[test]
    fn only_lines_that_were_not_shown_are_new() {
        let earlier = resolution(None, &["src/a.rs:5-12 loops", "prose"]);
        for known in [vec!["src/a.rs:5-12"], vec!["src/a.rs:9 loops"], vec!["it still loops", "run:checks/x.txt:1"], vec![]] {
            assert!(!earlier.lacks_one_of(known.iter().copied()), "{known:?}");
        }
        for new in ["src/a.rs:13", "src/a.rs:4-12", "base:src/a.rs:9", "src/b.rs:9"] {
            assert!(earlier.lacks_one_of(["src/a.rs:9", new]), "{new}");
        }
    }

    #[test]
    fn runs_are_numbered_in_one_spelling() {
        assert_eq!(["run-001", "run-042", "run-1000"].map(run_number), [Some(1), Some(42), Some(1000)]);
        assert_eq!(["run-01", "run-000", "run-0001", "run-+01", "run-", "2026-01-02"].map(run_number), [None; 6]);
    }
}
