//! The step `shape`: a result of the current family with exactly its keys, bound to this run (CR-1, CR-164 to CR-166).

use std::collections::BTreeSet;

use crate::{
    code_review::{
        codes,
        context::{Context, Facts},
        handoff::Branch,
        image::RunImage,
        reading::{Reading, Record},
        routing::ROUTING_FILE,
        run::{RUN_FILE, RunRecord},
        run_manifest::result_path,
        terminal,
        violation::{Sink, Violation},
        vocabulary::{Scope, Severity, Status, Tier},
    },
    strict::{Json, Kind, Node, parse, quoted},
};

const RESULT_KEYS: [&str; 10] = [
    "schema_version",
    "status",
    "checks_run",
    "checks_failed",
    "findings",
    "confidence",
    "artifact_path",
    "metadata",
    "recommendations",
    "follow_up",
];

/// The keys of the metadata of an assessed review, in documented order.
pub(in crate::code_review) const METADATA_KEYS: [&str; 30] = [
    "scope",
    "risk_tier",
    "finding_records_version",
    "review_validation",
    "review_findings",
    "operational_blockers",
    "reviewer_assessments",
    "review_decision",
    "specialist_manifest",
    "specialist_passes",
    "review_run_id",
    "review_input_sha256",
    "execution_mode",
    "execution_evidence_level",
    "execution_observed_controls",
    "write_parallel_eligible",
    "fanout_substituted",
    "independence_required",
    "independence_requirement_evidence",
    "independence_satisfied",
    "source_findings",
    "source_finding_mapping",
    "source_finding_reconciliation",
    "source_finding_duplicates",
    "confidence_gaps",
    "confidence_gap_closures",
    "confidence_recovery",
    "reviewed_commit_sha",
    "final_handoff",
    "run_manifest",
];

/// The version of results that are written and judged.
const SCHEMA_VERSION: u64 = 3;

/// Checks the step.
pub(super) fn check(context: &mut Context<'_>, sink: &mut Sink) {
    const KIND: Kind = Kind { code: "result", noun: "the result", file: "" };
    let file = context.result_file.unwrap_or_default();
    let run: Option<RunRecord> = context.facts.image.bytes(RUN_FILE).and_then(|bytes| serde_json::from_slice(bytes).ok());
    if let Some(run) = &run {
        check_producer(run, context.facts, sink);
    }
    let root = match parse(KIND, context.facts.image.bytes(file).unwrap_or_default()) {
        Ok((_, root)) => root,
        Err(diagnostic) => {
            let violation = Violation::new(&codes::RESULT_FIELDS_INVALID, diagnostic.message, "write the result as strict JSON");
            sink.push(violation.line(file, diagnostic.line.unwrap_or(1)));
            return;
        }
    };
    context.status = Shape { reading: Reading::new(file, sink), facts: context.facts, run: run.as_ref() }.result(&root);
    context.result = Some(root);
}

/// Only who started a review judges it (CR-19).
pub(super) fn check_producer(run: &RunRecord, facts: &Facts<'_>, sink: &mut Sink) {
    if facts.producer_id != Some(&run.producer_id) {
        let message = format!("this review is driven by `{}`", run.producer_id);
        let hint = "give the id that the run was started with, or start a run of your own";
        sink.push(Violation::new(&codes::REVIEW_PRODUCER_MISMATCH, message, hint).at(RUN_FILE, "/producer_id"));
    }
}

struct Shape<'a> {
    reading: Reading<'a>,
    facts: &'a Facts<'a>,
    run: Option<&'a RunRecord>,
}

impl Shape<'_> {
    /// Reads the top of the result; its status.
    fn result(&mut self, root: &Node) -> Option<Status> {
        let fields = &codes::RESULT_FIELDS_INVALID;
        if let Some(version) = root.get("schema_version")
            && !is_integer(version, SCHEMA_VERSION)
        {
            let message = format!("only results of schema {SCHEMA_VERSION} are judged");
            let hint = "write a result of the current family; never change the version alone";
            self.reading.refuse(&codes::UNSUPPORTED_RECORD_FAMILY, &version.at, None, message, hint);
            return None;
        }
        let branch = self.branch(root);
        let record = match branch {
            Branch::Unavailable | Branch::Closed => {
                self.reading.exact(&codes::TERMINAL_REVIEW_UNEXPECTED_FIELDS, root, &terminal::RESULT_KEYS)?
            }
            Branch::Assessed | Branch::CallerContract => self.reading.exact(fields, root, &RESULT_KEYS)?,
        };
        let status = self.reading.word(&codes::INVALID_STATUS, record.get("status"), Status::WORDS);
        for key in ["checks_run", "checks_failed"] {
            self.reading.texts(fields, record.get(key));
        }
        if let Some(counts) = record.get("findings") {
            let severities = Severity::WORDS.iter().map(|(word, _)| *word).collect::<Vec<_>>();
            if let Some(counts) = self.reading.exact(fields, counts, &severities) {
                for severity in severities {
                    self.reading.integer(fields, counts.get(severity));
                }
            }
        }
        if let Some(confidence) = record.get("confidence").filter(|node| !matches!(node.json, Json::Number(_))) {
            self.reading.refuse(fields, &confidence.at, None, "a number is due here", "write the confidence from 0 to 1");
        }
        self.artifact_path(record);
        self.reading.texts(&codes::TEXT_INVALID, record.get("recommendations"));
        self.follow_up(root, record);
        if let Some(metadata) = record.get("metadata") {
            self.metadata(metadata, branch);
        }
        status
    }

    /// What the result says of its review; a word that is none is refused, and judged as if nothing was said.
    fn branch(&mut self, root: &Node) -> Branch {
        let Some(node) = root.get("metadata").and_then(|metadata| metadata.get("review_status")) else { return Branch::Assessed };
        let words = [("unavailable", Branch::Unavailable), ("closed", Branch::Closed)];
        self.reading.word(&codes::INVALID_REVIEW_STATUS, Some(node), &words).unwrap_or(Branch::Assessed)
    }

    /// The promoted result of this run; below the checkout relative to it.
    fn artifact_path(&mut self, record: Record<'_>) {
        let Some(node) = record.get("artifact_path") else { return };
        let Some(expected) = self.run.map(|run| result_path(run, self.facts.run_path)) else { return };
        if node.text() != Some(&expected) {
            let message = "this is not the path of this run's result";
            let code = &codes::RESULT_ARTIFACT_PATH_MISMATCH;
            self.reading.refuse(code, &node.at, None, message, format!("write `{expected}`"));
        }
    }

    fn follow_up(&mut self, root: &Node, record: Record<'_>) {
        let known = actionable(root);
        for item in self.reading.elements(&codes::RESULT_FIELDS_INVALID, record.get("follow_up")) {
            let Some(fields) = self.reading.exact(&codes::RESULT_FIELDS_INVALID, item, &["id", "text"]) else { continue };
            self.reading.text(&codes::TEXT_INVALID, fields.get("text"));
            let id = self.reading.text(&codes::TEXT_INVALID, fields.get("id"));
            if let Some(id) = id.filter(|id| !known.contains(id.as_str())) {
                let message = format!("{} is no finding, no blocker and no open claim of this result", quoted(&id));
                let hint = "follow up what the result records, or remove the item";
                self.reading.refuse(&codes::FOLLOW_UP_ID_UNKNOWN, fields.at(), Some(&id), message, hint);
            }
        }
    }

    fn metadata(&mut self, node: &Node, branch: Branch) {
        let fields = &codes::METADATA_FIELDS_INVALID;
        let record = match branch {
            Branch::Unavailable | Branch::Closed => {
                let keys = [&terminal::COMMON_KEYS[..], &[terminal::own_key(branch)]].concat();
                self.reading.exact(&codes::TERMINAL_REVIEW_UNEXPECTED_FIELDS, node, &keys)
            }
            Branch::Assessed | Branch::CallerContract => self.reading.exact(fields, node, &METADATA_KEYS),
        };
        let Some(record) = record else { return };
        let scope = self.reading.word(&codes::INVALID_REVIEW_SCOPE, record.get("scope"), Scope::WORDS);
        let tier = self.reading.word(&codes::INVALID_RISK_TIER, record.get("risk_tier"), Tier::WORDS);
        if let (Some(node), Some(scope), Some(run)) = (record.get("scope"), scope, self.run)
            && scope != run.scope
        {
            let message = format!("the scope of this run is {}", run.scope);
            self.reading.refuse(&codes::INVALID_REVIEW_SCOPE, &node.at, None, message, format!("write `{}`", run.scope));
        }
        if let (Some(node), Some(tier), Some(routed)) = (record.get("risk_tier"), tier, routed_tier(self.facts.image))
            && tier != routed
        {
            let message = format!("the risk tier of this run is {routed}");
            self.reading.refuse(&codes::INVALID_RISK_TIER, &node.at, None, message, format!("write `{routed}`"));
        }
        let run_id = self.run.map(|run| run.run_id.clone());
        let input = self.facts.image.sha256("diff.patch").map(str::to_owned);
        for (key, expected) in [("review_run_id", run_id), ("review_input_sha256", input)] {
            if let (Some(node), Some(expected)) = (record.get(key), expected)
                && node.text() != Some(&expected)
            {
                self.reading.refuse(fields, &node.at, None, format!("`{key}` is not that of this run"), format!("write `{expected}`"));
            }
        }
    }
}

fn is_integer(node: &Node, expected: u64) -> bool {
    matches!(&node.json, Json::Number(text) if *text == expected.to_string())
}

/// Ids that a follow-up may name: findings, operational blockers, open claims (CR-164).
pub(super) fn actionable(root: &Node) -> BTreeSet<&str> {
    let list = |path: &[&str]| path.iter().try_fold(root, |node, key| node.get(key)).map(Node::elements).unwrap_or_default();
    let is_open = |candidate: &&Node| {
        candidate.get("disposition").is_some_and(|node| matches!(node.json, Json::Null) || node.text() == Some("unverified"))
    };
    let canonical = list(&["metadata", "review_findings"]).iter().chain(list(&["metadata", "operational_blockers"]));
    let open = list(&["metadata", "review_validation", "candidates"]).iter().filter(is_open);
    canonical.chain(open).filter_map(|record| record.get("id")?.text()).collect()
}

/// The tier that was routed; a damaged routing is reported by its own step.
fn routed_tier(image: &RunImage) -> Option<Tier> {
    let routing: serde_json::Value = serde_json::from_slice(image.bytes(ROUTING_FILE)?).ok()?;
    Tier::parse(routing.get("risk_tier")?.as_str()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schema_of_a_result_has_the_same_keys() {
        let schema = crate::schema::named("code-review/result").expect("listed");
        let keys =
            |object: &serde_json::Value| -> Vec<String> { object["properties"].as_object().expect("an object").keys().cloned().collect() };
        assert_eq!(keys(&schema), RESULT_KEYS);
        assert_eq!(keys(&schema["properties"]["metadata"]), METADATA_KEYS);
    }
}
