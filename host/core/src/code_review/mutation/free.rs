//! What may be another value: only one place says it, and nothing follows from it.

use super::tree::{Change, Mutation};

/// Places whose change nothing refuses.
pub(super) struct Free {
    /// The record; `*` stands for any text.
    pub(super) file: &'static str,
    /// RFC 6901, with `*` for any one token.
    pub(super) pointer: &'static str,
    /// The changes that are free there.
    pub(super) changes: &'static [Change],
    /// Why.
    pub(super) why: &'static str,
}

const HANDOFF: &str = "final-handoff.json";
const RESULT: &str = "result.candidate.json";
const REPRODUCTION: &str = "reproductions/*/receipt.json";
const WORDS: &[Change] = &[Change::Text];
const LIST: &[Change] = &[Change::Shortened, Change::Doubled, Change::Reversed];

const fn free(file: &'static str, pointer: &'static str, changes: &'static [Change], why: &'static str) -> Free {
    Free { file, pointer, changes, why }
}

/// Every one.
pub(super) static FREE: &[Free] = &[
    free("run.json", "/tool_version", WORDS, "whatever version started the run; the list of files binds it"),
    free("run.json", "/targets/0", WORDS, "the commit as it was named; the full ids are bound"),
    free("git-state.start.json", "/head", &[Change::Null], "the checkout of a reviewed commit may stand anywhere"),
    free("review-routing.json", "/signal_evidence/*", WORDS, "the author's reason for a signal"),
    free("dependency-evidence.json", "/preparations", &[Change::Shortened], "nobody names the preparation"),
    free("dependency-evidence.json", "/preparations/*/id", WORDS, "nobody names the preparation"),
    free("dependency-evidence.json", "/preparations/*/declared_in", WORDS, "what was prepared, in the words of who prepared it"),
    free("dependency-evidence.json", "/preparations/*/package", WORDS, "what was prepared, in the words of who prepared it"),
    free("dependency-evidence.json", "/preparations/*/reason", WORDS, "why it was not prepared"),
    free(REPRODUCTION, "/command", WORDS, "what was run, told by this receipt alone"),
    free(REPRODUCTION, "/command_exit", &[Change::Number, Change::Null], "how it ended, told by this receipt alone"),
    free(REPRODUCTION, "/selection", &[Change::Doubled], "what was selected, told by this receipt alone"),
    free(REPRODUCTION, "/selection/*", WORDS, "what was selected, told by this receipt alone"),
    free(RESULT, "/recommendations", LIST, "advice without obligation"),
    free(RESULT, "/recommendations/*", WORDS, "advice without obligation"),
    free(RESULT, "/follow_up", LIST, "advice without obligation"),
    free(RESULT, "/follow_up/*/text", WORDS, "advice without obligation"),
    free(RESULT, "/metadata/final_handoff", &[Change::Null], "not yet finalized: a test of its own changes what ties a review together"),
    free(RESULT, "/metadata/run_manifest", &[Change::Null], "not yet finalized: a test of its own changes what ties a review together"),
    free(RESULT, "/metadata/operational_blockers/*/title", WORDS, "the author's words, told once"),
    free(RESULT, "/metadata/review_findings/*/title", WORDS, "a finding of the parent: the author's words, told once"),
    free(RESULT, "/metadata/review_findings/*/summary", WORDS, "a finding of the parent: the author's words, told once"),
    free(RESULT, "/metadata/review_findings/*/closure_evidence", WORDS, "a finding of the parent: the author's words, told once"),
    free(RESULT, "/metadata/review_validation/candidates/*/*", WORDS, "what was looked at and seen, in the author's words"),
    free(RESULT, "/metadata/review_validation/candidates/*/limits", LIST, "what a check does not show, in the author's words"),
    free(RESULT, "/metadata/review_validation/candidates/*/limits/*", WORDS, "what a check does not show, in the author's words"),
    free(RESULT, "/metadata/review_validation/candidates/*/counterevidence", &[Change::Doubled], "the author's words"),
    free(RESULT, "/metadata/review_validation/candidates/*/counterevidence/*", WORDS, "the author's words"),
    free(RESULT, "/metadata/source_finding_reconciliation/*/*", WORDS, "why originals are one, in the author's words"),
    free(RESULT, "/metadata/source_finding_reconciliation/*/origins/*", WORDS, "why originals are one, in the author's words"),
    free(HANDOFF, "/tables/0/rows/*/id", WORDS, "the author names the rows of the snapshot"),
    free(HANDOFF, "/tables/1/rows", &[Change::Reversed], "the author orders the actions"),
    free(HANDOFF, "/source_records", &[Change::Reversed], "the author orders the sources"),
    free(HANDOFF, "/source_records/*/evidence", WORDS, "where a row comes from, in the author's words"),
    free(HANDOFF, "/remaining/*/item", WORDS, "the author may say more than the claim"),
    free(HANDOFF, "/remaining/*/next_action", WORDS, "the author may say more than the claim"),
    free(HANDOFF, "/artifacts", &[Change::Shortened], "only the result is due"),
    free(HANDOFF, "/artifacts/*/label", WORDS, "the author names what else there is"),
];

/// The position in [`FREE`] of the place that this mutation changes.
pub(super) fn free_place(file: &str, mutation: &Mutation) -> Option<usize> {
    let is_free =
        |free: &Free| matches(free.file, file) && matches(free.pointer, &mutation.pointer) && free.changes.contains(&mutation.change);
    FREE.iter().position(is_free)
}

/// The same tokens, where `*` is any one.
pub(super) fn matches(pattern: &str, text: &str) -> bool {
    let (patterns, tokens): (Vec<&str>, Vec<&str>) = (pattern.split('/').collect(), text.split('/').collect());
    patterns.len() == tokens.len() && patterns.iter().zip(&tokens).all(|(pattern, token)| *pattern == "*" || pattern == token)
}
