//! Red and green: one suite at two commits, and what it proves (contract 7).

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    canonical::{digest_bytes, nullable, read_strict},
    diagnostic::{Diagnostic, Failure},
    patch::{Entry, EntryMode},
    plugin::{CaseOutcome, Outcome, PluginIdentity, Role, TestCase, Verdict},
    policy::model::RedKind,
};

/// The only version that is read and written.
pub const VERSION: u32 = 4;

/// The file `proofs/<id>.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Proof {
    /// Always 4.
    #[schemars(extend("const" = VERSION))]
    pub version: u32,
    /// The caller's id: 1..80 of `A-Za-z0-9._-`, alphanumeric first.
    #[schemars(regex(pattern = "^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$"))]
    pub id: String,
    /// The packet's review.
    pub review_id: String,
    /// The packet's base.
    pub review_base: String,
    /// The commit that is red with the evidence.
    pub base: String,
    /// The commit that is green.
    pub candidate: String,
    /// The packet's selection.
    pub selection_sha256: String,
    /// The packet's decision.
    pub decision_sha256: String,
    /// Names of the packet's selected features, sorted.
    pub selected_features: Vec<String>,
    /// The packet selects the full candidate.
    pub full_candidate: bool,
    /// The suite's name.
    pub suite: String,
    /// Digest of its definition with runner and options (BR-40).
    pub suite_sha256: String,
    /// The runner's component.
    pub runner: PluginIdentity,
    /// Paths put on the base before the red run, sorted.
    #[schemars(length(min = 1), inner(length(min = 1)), extend("uniqueItems" = true))]
    pub evidence: Vec<String>,
    /// Digest of the canonical patch of exactly these paths.
    pub evidence_patch_sha256: String,
    /// 1..255.
    #[schemars(range(min = 1, max = 255))]
    pub expected_red_exit_status: i32,
    /// How the red run came to be red.
    pub red_kind: RedKind,
    /// Cases that the change turned green (BR-60); empty when the runner knows no cases.
    pub flipped_cases: Vec<String>,
    /// What was put on the base.
    pub apply_log: LogReference,
    /// The base without the evidence; null when the evidence patch is empty.
    #[serde(deserialize_with = "nullable")]
    pub control: Option<Execution>,
    /// The base with the evidence.
    pub baseline: Execution,
    /// The candidate.
    pub candidate_execution: Execution,
}

/// A log that the record binds, to notice edits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LogReference {
    /// Repository-relative.
    pub path: String,
    /// Digest of the file's bytes.
    pub sha256: String,
}

/// What one run did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Execution {
    /// The suite's exit status.
    pub exit_status: i32,
    /// The runner's judgement.
    pub outcome: Outcome,
    /// Counts; null when the runner knows only the exit status.
    #[serde(deserialize_with = "nullable")]
    pub cases: Option<CaseCounts>,
    /// Repository-relative.
    pub log_path: String,
    /// Digest of the log's bytes.
    pub log_sha256: String,
}

/// How many cases did what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CaseCounts {
    /// Passed.
    pub passed: u32,
    /// Failed.
    pub failed: u32,
    /// Skipped.
    pub skipped: u32,
}

impl CaseCounts {
    /// Counts the cases of a verdict; `None` when the runner knows none.
    pub fn of(verdict: &Verdict) -> Option<Self> {
        let mut counts = Self::default();
        for case in verdict.cases.as_ref()? {
            match case.outcome {
                CaseOutcome::Passed => counts.passed += 1,
                CaseOutcome::Failed => counts.failed += 1,
                CaseOutcome::Skipped => counts.skipped += 1,
            }
        }
        Some(counts)
    }
}

impl Proof {
    /// Reads a record strictly.
    pub fn read(bytes: &[u8]) -> Result<Self, Box<Diagnostic>> {
        let proof: Self = read_strict(bytes, "proof.malformed", RECORD_AGAIN)?;
        if proof.version != VERSION {
            return Err(Box::new(
                Diagnostic::new("proof.version", format!("version {} is not {VERSION}", proof.version), RECORD_AGAIN)
                    .at_pointer("/version"),
            ));
        }
        Ok(proof)
    }

    /// Every log that the record binds, in the order of the runs.
    pub fn logs(&self) -> Vec<LogReference> {
        let of = |execution: &Execution| LogReference { path: execution.log_path.clone(), sha256: execution.log_sha256.clone() };
        let mut logs = vec![self.apply_log.clone()];
        logs.extend(self.control.as_ref().map(of));
        logs.extend([of(&self.baseline), of(&self.candidate_execution)]);
        logs
    }
}

const RECORD_AGAIN: &str = "record the proof again with `code-polishy regression-proof --replace`";

/// Why this cannot be the id of a proof (BR-55); `None` when it can.
pub fn id_fault(id: &str) -> Option<&'static str> {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    match id.as_bytes() {
        [] => Some("it is empty"),
        bytes if bytes.len() > 80 => Some("it is longer than 80 characters"),
        [first, ..] if !first.is_ascii_alphanumeric() => Some("it does not start with a letter or digit"),
        bytes if !bytes.iter().copied().all(allowed) => Some("it has a character other than A-Z, a-z, 0-9, `.`, `_` and `-`"),
        _ => None,
    }
}

/// Why a path cannot be evidence (BR-56): its entry in the candidate tree, and its roles under base and candidate policy.
pub fn evidence_fault(entry: Option<&Entry>, roles: [Role; 2]) -> Option<String> {
    let eligible = |role: Role| matches!(role, Role::Test | Role::Development | Role::Fixture);
    match entry.map(|entry| entry.mode) {
        None => Some("it is not in the candidate".to_owned()),
        Some(EntryMode::Link) => Some("it is a symbolic link".to_owned()),
        Some(EntryMode::Gitlink) => Some("it is a submodule".to_owned()),
        Some(EntryMode::File | EntryMode::Executable) => roles.into_iter().find(|role| !eligible(*role)).map(|role| {
            format!("its role is {}, not test, development or fixture", serde_json::to_string(&role).unwrap_or_default().trim_matches('"'))
        }),
    }
}

/// One finished run as the decision sees it. Timeouts and signals never come here (BR-61).
#[derive(Clone, Debug)]
pub struct Run {
    /// The suite's exit status.
    pub exit_status: i32,
    /// The runner's judgement.
    pub verdict: Verdict,
}

/// What a red and a green run prove together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RedGreen {
    /// How red came to be red.
    pub red_kind: RedKind,
    /// Cases that turned green, sorted.
    pub flipped_cases: Vec<String>,
}

/// What is expected of the runs.
#[derive(Clone, Debug)]
pub struct Expectation<'a> {
    /// The exit status of red.
    pub red_exit_status: i32,
    /// Kinds of red that base and candidate policy both allow.
    pub allowed_red_kinds: &'a [RedKind],
}

/// Control alone (BR-59): without the evidence the base passes.
pub fn judge_control(control: &Run) -> Result<(), Box<Diagnostic>> {
    if control.exit_status == 0 && control.verdict.outcome == Outcome::Passed {
        return Ok(());
    }
    Err(refusal(
        "proof.control-red",
        format!("the base without the evidence is {} ({})", word(control.verdict.outcome), exit(control)),
        "choose a base whose suite passes without the evidence, or evidence that alone makes it fail",
    ))
}

/// Red alone (BR-59): the expected exit status, by failing or broken tests of an allowed kind.
pub fn judge_red(baseline: &Run, expectation: &Expectation<'_>) -> Result<RedKind, Box<Diagnostic>> {
    let kind = match baseline.verdict.outcome {
        Outcome::Failed => RedKind::Failed,
        Outcome::Broken => RedKind::Broken,
        Outcome::Passed | Outcome::NoTests => {
            return Err(refusal(
                "proof.not-red",
                format!("the base with the evidence is {} ({})", word(baseline.verdict.outcome), exit(baseline)),
                "give evidence that fails before the change",
            ));
        }
    };
    if baseline.exit_status != expectation.red_exit_status {
        return Err(refusal(
            "proof.red-exit",
            format!("the base with the evidence ends with {}, expected was {}", exit(baseline), expectation.red_exit_status),
            format!("if that is the failure you mean, pass --red-exit {}", baseline.exit_status),
        ));
    }
    if !expectation.allowed_red_kinds.contains(&kind) {
        return Err(refusal(
            "proof.red-kind",
            format!("the base with the evidence is {}, which `allowedRedKinds` does not allow", word(baseline.verdict.outcome)),
            "write evidence that builds and loads at the base, and fails there",
        ));
    }
    Ok(kind)
}

/// All runs together (BR-59, BR-60). `control` is absent when the evidence patch is empty.
pub fn judge(control: Option<&Run>, baseline: &Run, candidate: &Run, expectation: &Expectation<'_>) -> Result<RedGreen, Box<Diagnostic>> {
    control.map_or(Ok(()), judge_control)?;
    let red_kind = judge_red(baseline, expectation)?;
    if candidate.exit_status != 0 || candidate.verdict.outcome != Outcome::Passed {
        return Err(refusal(
            "proof.not-green",
            format!("the candidate is {} ({})", word(candidate.verdict.outcome), exit(candidate)),
            "mend the candidate, commit, and prepare the review again",
        ));
    }
    let flipped_cases = match (&baseline.verdict.cases, &candidate.verdict.cases) {
        (Some(red), Some(green)) if red_kind == RedKind::Failed => flipped_by_failure(red, green)?,
        (_, Some(green)) if red_kind == RedKind::Broken => flipped_by_loading(control, green)?,
        (None, Some(_)) => return Err(red_cases_unknown()),
        _ => Vec::new(),
    };
    Ok(RedGreen { red_kind, flipped_cases })
}

fn red_cases_unknown() -> Box<Diagnostic> {
    refusal(
        "proof.nothing-flipped",
        "the runner names the cases of the green run and not those of the red one",
        "let the failing run print whole lines: no cut output, no test program that ends before its result",
    )
}

fn flipped_by_failure(red: &[TestCase], green: &[TestCase]) -> Result<Vec<String>, Box<Diagnostic>> {
    let (red, green) = (by_name(red), by_name(green));
    if let Some(missing) = red.keys().find(|name| !green.contains_key(*name)) {
        return Err(refusal(
            "proof.case-missing",
            format!("the case `{missing}` of the red run is missing in the green run"),
            "keep the name of every case between base and candidate",
        ));
    }
    let flipped: Vec<String> = red
        .iter()
        .filter(|(name, outcome)| **outcome == CaseOutcome::Failed && green.get(*name) == Some(&CaseOutcome::Passed))
        .map(|(name, _)| (*name).to_owned())
        .collect();
    at_least_one(flipped)
}

fn flipped_by_loading(control: Option<&Run>, green: &[TestCase]) -> Result<Vec<String>, Box<Diagnostic>> {
    let known: BTreeSet<&str> =
        control.and_then(|run| run.verdict.cases.as_ref()).into_iter().flatten().map(|case| case.name.as_str()).collect();
    let flipped = by_name(green)
        .into_iter()
        .filter(|(name, outcome)| *outcome == CaseOutcome::Passed && !known.contains(name))
        .map(|(name, _)| name.to_owned())
        .collect();
    at_least_one(flipped)
}

fn at_least_one(flipped: Vec<String>) -> Result<Vec<String>, Box<Diagnostic>> {
    if flipped.is_empty() {
        return Err(refusal(
            "proof.nothing-flipped",
            "no case that is red at the base passes at the candidate",
            "give evidence whose failing case the change turns green",
        ));
    }
    Ok(flipped)
}

fn refusal(code: &str, message: impl Into<String>, next: impl Into<String>) -> Box<Diagnostic> {
    Box::new(Diagnostic::new(code, message, next))
}

/// The worst outcome of each name: a name that failed once is failed.
fn by_name(cases: &[TestCase]) -> BTreeMap<&str, CaseOutcome> {
    let mut names = BTreeMap::new();
    for case in cases {
        let worst = names.entry(case.name.as_str()).or_insert(case.outcome);
        if case.outcome == CaseOutcome::Failed || (case.outcome == CaseOutcome::Skipped && *worst == CaseOutcome::Passed) {
            *worst = case.outcome;
        }
    }
    names
}

fn word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Passed => "green",
        Outcome::Failed => "red",
        Outcome::Broken => "broken: its tests do not build or load",
        Outcome::NoTests => "without tests: nothing ran",
    }
}

fn exit(run: &Run) -> String {
    format!("exit status {}", run.exit_status)
}

/// What a cited proof is held against: recomputed facts, never the record's own words.
#[derive(Clone, Debug)]
pub struct ProofContext<'a> {
    /// The packet's review.
    pub review_id: &'a str,
    /// The packet's base.
    pub review_base: &'a str,
    /// The packet's candidate.
    pub candidate: &'a str,
    /// The packet's selection.
    pub selection_sha256: &'a str,
    /// The packet's decision.
    pub decision_sha256: &'a str,
    /// Selected features, sorted.
    pub selected_features: Vec<String>,
    /// The full candidate is selected.
    pub full_candidate: bool,
    /// Kinds of red that are allowed.
    pub allowed_red_kinds: &'a [RedKind],
    /// Digest and runner of the suite in the candidate policy; `None` when it is gone or not eligible, with the reason.
    pub suite: Result<(String, PluginIdentity), String>,
    /// The proof's base is a proper ancestor of the candidate and at or after the review base.
    pub base_in_range: bool,
    /// Why each evidence path is no evidence any more.
    pub evidence_faults: Vec<String>,
    /// Digest of the evidence patch, recomputed.
    pub evidence_patch_sha256: String,
    /// Digest of each log by path; `None` for a missing one.
    pub logs: BTreeMap<String, Option<String>>,
}

/// Every way in which the proof is not valid (BR-62).
pub fn faults(proof: &Proof, context: &ProofContext<'_>) -> Vec<Diagnostic> {
    let mut faults = Vec::new();
    let mut refuse =
        |code: &str, message: String| faults.push(Diagnostic::new(code, format!("proof `{}`: {message}", proof.id), RECORD_AGAIN));
    let bindings = [
        (&*proof.review_id, context.review_id, "review"),
        (&proof.review_base, context.review_base, "review base"),
        (&proof.candidate, context.candidate, "candidate"),
        (&proof.selection_sha256, context.selection_sha256, "selection"),
        (&proof.decision_sha256, context.decision_sha256, "decision"),
    ];
    for (recorded, current, what) in bindings {
        if recorded != current {
            refuse("proof.stale", format!("it belongs to another {what}"));
        }
    }
    if proof.selected_features != context.selected_features || proof.full_candidate != context.full_candidate {
        refuse("proof.stale", "it belongs to another selection".into());
    }
    if !context.base_in_range {
        refuse("proof.base", "its base is not a proper ancestor of the candidate at or after the review base".into());
    }
    match &context.suite {
        Err(reason) => refuse("proof.suite", reason.clone()),
        Ok((digest, runner)) => {
            if *digest != proof.suite_sha256 || *runner != proof.runner {
                refuse("proof.suite", format!("the suite `{}` or its runner has changed since", proof.suite));
            }
        }
    }
    for reason in &context.evidence_faults {
        refuse("proof.evidence", reason.clone());
    }
    if context.evidence_patch_sha256 != proof.evidence_patch_sha256 {
        refuse("proof.evidence", "its evidence patch is not the recorded one".into());
    }
    if !context.allowed_red_kinds.contains(&proof.red_kind) {
        refuse("proof.red-kind", "its kind of red is not allowed".into());
    }
    if let Some(reason) = inconsistency(proof) {
        refuse("proof.inconsistent", reason.into());
    }
    for log in proof.logs() {
        match context.logs.get(&log.path) {
            Some(Some(digest)) if *digest == log.sha256 => {}
            Some(Some(_)) => refuse("proof.log", format!("the log {} was edited", log.path)),
            _ => refuse("proof.log", format!("the log {} is missing", log.path)),
        }
    }
    faults
}

/// What the record says of its own runs must be a red and a green.
fn inconsistency(proof: &Proof) -> Option<&'static str> {
    let red = match proof.red_kind {
        RedKind::Failed => Outcome::Failed,
        RedKind::Broken => Outcome::Broken,
    };
    let green = |execution: &Execution| execution.exit_status == 0 && execution.outcome == Outcome::Passed;
    if id_fault(&proof.id).is_some() {
        Some("its id is malformed")
    } else if proof.control.is_none() != (proof.evidence_patch_sha256 == digest_bytes(b"")) {
        Some("a control belongs to evidence that the base lacks, and to no other")
    } else if proof.control.as_ref().is_some_and(|control| !green(control)) {
        Some("its control is not green")
    } else if proof.baseline.outcome != red || proof.baseline.exit_status != proof.expected_red_exit_status || red_exit_fault(proof) {
        Some("its red is not the expected one")
    } else if !green(&proof.candidate_execution) {
        Some("its candidate is not green")
    } else if proof.flipped_cases.is_empty() == proof.candidate_execution.cases.is_some() {
        Some("its cases and those that turned green do not agree")
    } else if proof.evidence.is_empty() || !is_set(&proof.evidence) || !is_set(&proof.flipped_cases) {
        Some("its evidence or its cases are not sorted and unique")
    } else {
        None
    }
}

fn is_set(names: &[String]) -> bool {
    names.is_sorted_by(|one, two| one < two)
}

fn red_exit_fault(proof: &Proof) -> bool {
    !(1..=255).contains(&proof.expected_red_exit_status)
}

/// Refuses the id of a proof (BR-55).
pub fn check_id(id: &str) -> Result<(), Failure> {
    match id_fault(id) {
        None => Ok(()),
        Some(reason) => Err(Failure::usage(
            "proof.id",
            format!("the proof id {id:?} cannot be used: {reason}"),
            "use 1 to 80 of A-Z, a-z, 0-9, `.`, `_` and `-`, a letter or digit first",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(exit_status: i32, outcome: Outcome, cases: Option<&[(&str, CaseOutcome)]>) -> Run {
        let cases = cases.map(|cases| {
            cases
                .iter()
                .map(|(name, outcome)| TestCase { name: (*name).into(), outcome: *outcome, message: None, path: None, line: None })
                .collect()
        });
        Run { exit_status, verdict: Verdict { outcome, cases, summary: String::new() } }
    }

    const BOTH: Expectation<'static> = Expectation { red_exit_status: 1, allowed_red_kinds: &[RedKind::Failed, RedKind::Broken] };
    use CaseOutcome::{Failed, Passed};

    fn code(result: Result<RedGreen, Box<Diagnostic>>) -> String {
        result.expect_err("must be refused").code
    }

    #[test]
    fn exit_status_alone_proves_with_an_empty_list() {
        let (red, green) = (run(1, Outcome::Failed, None), run(0, Outcome::Passed, None));
        let proved = judge(Some(&green), &red, &green, &BOTH).expect("red and green");
        assert_eq!(proved, RedGreen { red_kind: RedKind::Failed, flipped_cases: vec![] });
    }

    #[test]
    fn each_side_must_be_what_it_should() {
        let (red, green) = (run(1, Outcome::Failed, None), run(0, Outcome::Passed, None));
        assert_eq!(code(judge(Some(&red), &red, &green, &BOTH)), "proof.control-red");
        assert_eq!(code(judge(None, &green, &green, &BOTH)), "proof.not-red");
        assert_eq!(code(judge(None, &run(2, Outcome::Failed, None), &green, &BOTH)), "proof.red-exit");
        assert_eq!(code(judge(None, &red, &red, &BOTH)), "proof.not-green");
        assert_eq!(code(judge(None, &red, &run(0, Outcome::NoTests, None), &BOTH)), "proof.not-green");
        assert_eq!(code(judge(None, &run(1, Outcome::NoTests, None), &green, &BOTH)), "proof.not-red");
        let failed_only = Expectation { red_exit_status: 1, allowed_red_kinds: &[RedKind::Failed] };
        assert_eq!(code(judge(None, &run(1, Outcome::Broken, None), &green, &failed_only)), "proof.red-kind");
    }

    #[test]
    fn a_failing_case_must_pass_under_its_name() {
        let green = |cases| run(0, Outcome::Passed, Some(cases));
        let red = run(1, Outcome::Failed, Some(&[("a", Passed), ("b", Failed)]));
        assert_eq!(judge(None, &red, &green(&[("a", Passed), ("b", Passed)]), &BOTH).expect("proved").flipped_cases, ["b"]);
        assert_eq!(code(judge(None, &red, &green(&[("a", Passed), ("c", Passed)]), &BOTH)), "proof.case-missing");
        assert_eq!(code(judge(None, &red, &green(&[("a", Passed), ("b", CaseOutcome::Skipped)]), &BOTH)), "proof.nothing-flipped");
    }

    #[test]
    fn a_red_whose_cases_are_not_known_flips_none_of_those_that_are() {
        let (red, green) = (run(1, Outcome::Failed, None), run(0, Outcome::Passed, Some(&[("a", Passed)])));
        assert_eq!(code(judge(None, &red, &green, &BOTH)), "proof.nothing-flipped");
    }

    #[test]
    fn a_broken_red_flips_the_cases_that_control_did_not_have() {
        let control = run(0, Outcome::Passed, Some(&[("a", Passed)]));
        let red = run(1, Outcome::Broken, Some(&[]));
        let green = run(0, Outcome::Passed, Some(&[("a", Passed), ("new", Passed)]));
        assert_eq!(judge(Some(&control), &red, &green, &BOTH).expect("proved").flipped_cases, ["new"]);
        assert_eq!(code(judge(Some(&green), &red, &green, &BOTH)), "proof.nothing-flipped");
    }

    #[test]
    fn ids_are_bounded() {
        assert_eq!(id_fault("checkout-submit.2"), None);
        for bad in ["", "-a", ".a", "a/b", "a b", "ü", &"a".repeat(81)] {
            assert!(id_fault(bad).is_some(), "{bad}");
        }
    }
}
