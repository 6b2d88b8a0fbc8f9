//! The ledgers of all earlier runs as one record: the newest run's last valid line counts (CR-218).

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{PriorRecord, PriorResolution, ResolutionVerdict};
use crate::{
    canonical::{digest_bytes, nullable, read_strict},
    code_review::{reading::MAX_TEXT_CHARACTERS, run::is_object_id},
    text::control_free,
};

/// A run that has a ledger.
#[derive(Clone, Copy, Debug)]
pub struct Ledger<'l> {
    /// Its folder's name, such as `run-002`.
    pub run: &'l str,
    /// `resolution.jsonl`.
    pub lines: &'l [u8],
    /// `result.json`; `None` when the run has none.
    pub result: Option<&'l [u8]>,
}

/// One line of a ledger.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    schema_version: u32,
    finding_id: String,
    #[serde(deserialize_with = "nullable")]
    item_id: Option<String>,
    verdict: ResolutionVerdict,
    #[serde(deserialize_with = "nullable")]
    sha: Option<String>,
    why: String,
    #[serde(deserialize_with = "nullable")]
    remediation_run: Option<String>,
}

impl Line {
    fn read(bytes: &[u8]) -> Option<Self> {
        let line: Self = read_strict(bytes, "", "").ok()?;
        let named = line.item_id.iter().chain(&line.remediation_run).chain([&line.finding_id, &line.why]).all(|text| is_text(text));
        (line.schema_version == 1 && named && line.sha.as_deref().is_none_or(is_object_id)).then_some(line)
    }
}

fn is_text(text: &str) -> bool {
    !text.trim().is_empty() && control_free(text, true) && text.chars().count() <= MAX_TEXT_CHARACTERS
}

/// Merges ledgers, oldest run first; `None` without one. Invalid lines are counted and left out.
pub fn merge(ledgers: &[Ledger<'_>]) -> Option<PriorRecord> {
    let newest = ledgers.last()?;
    let mut resolutions = BTreeMap::new();
    let mut invalid_lines = 0;
    for ledger in ledgers {
        let findings = ledger.result.map(reported).unwrap_or_default();
        for line in lines(ledger.lines) {
            match Line::read(line) {
                Some(line) => {
                    resolutions.insert(line.finding_id.clone(), resolution(line, &findings));
                }
                None => invalid_lines += 1,
            }
        }
    }
    let bytes: Vec<u8> = ledgers.iter().flat_map(|ledger| ledger.lines).copied().collect();
    Some(PriorRecord {
        source_run: newest.run.to_owned(),
        sha256: digest_bytes(&bytes),
        resolutions: resolutions.into_values().collect(),
        invalid_lines,
    })
}

fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let end = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    end.split(|byte| *byte == b'\n').filter(|_| !end.is_empty())
}

fn resolution(line: Line, findings: &BTreeMap<String, Reported>) -> PriorResolution {
    let finding = findings.get(&line.finding_id);
    PriorResolution {
        title: finding.map(|finding| finding.title.clone()),
        evidence: finding.map(|finding| finding.evidence.clone()).unwrap_or_default(),
        finding_id: line.finding_id,
        verdict: line.verdict,
        sha: line.sha,
        why: line.why,
    }
}

/// What counts of a finding of an earlier result; other families of results have more, or no findings.
#[derive(Deserialize)]
struct Reported {
    id: String,
    title: String,
    evidence: Vec<String>,
}

fn reported(result: &[u8]) -> BTreeMap<String, Reported> {
    let result: serde_json::Value = serde_json::from_slice(result).unwrap_or_default();
    let findings = result.pointer("/metadata/review_findings").and_then(serde_json::Value::as_array);
    let read = findings.into_iter().flatten().filter_map(|finding| Reported::deserialize(finding).ok());
    read.map(|finding| (finding.id.clone(), finding)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(id: &str, verdict: &str, why: &str) -> String {
        let form = r#"{"schema_version": 1, "finding_id": "ID", "item_id": null, "verdict": "VERDICT", "sha": null, "why": "WHY", "remediation_run": null}"#;
        form.replace("ID", id).replace("VERDICT", verdict).replace("WHY", why) + "\n"
    }

    fn whys(record: &PriorRecord) -> Vec<(&str, &str)> {
        record.resolutions.iter().map(|it| (it.finding_id.as_str(), it.why.as_str())).collect()
    }

    #[test]
    fn the_newest_runs_last_line_counts() {
        let first = line("b", "fixed", "b in 1") + &line("a", "rejected", "a in 1");
        let second = line("b", "deferred", "b in 2") + &line("b", "rejected", "b in 2 again");
        let result = br#"{"metadata": {"review_findings": [{"id": "a", "title": "A", "evidence": ["x.rs:1"], "severity": "low"}, 7]}}"#;
        let one = Ledger { run: "run-001", lines: first.as_bytes(), result: Some(result) };
        let two = Ledger { run: "run-003", lines: second.as_bytes(), result: None };
        let record = merge(&[one, two]).expect("two ledgers");
        assert_eq!(whys(&record), [("a", "a in 1"), ("b", "b in 2 again")]);
        assert_eq!((record.source_run.as_str(), record.invalid_lines), ("run-003", 0));
        assert_eq!((record.resolutions[0].title.as_deref(), record.resolutions[1].title.as_deref()), (Some("A"), None));
        assert_eq!(record.resolutions[0].evidence, ["x.rs:1"]);
        assert_eq!(record.sha256, digest_bytes(format!("{first}{second}").as_bytes()));
        assert_eq!(merge(&[one]).map(|it| it.sha256), Some(digest_bytes(one.lines)));
        assert_eq!(merge(&[]), None);
    }

    #[test]
    fn lines_that_say_nothing_valid_are_counted() {
        let valid = line("a", "skipped", "later");
        let wrong = [
            "\n".to_owned(),
            "{}\n".to_owned(),
            line("a", "maybe", "x"),
            line(" ", "fixed", "x"),
            line("a", "fixed", ""),
            line("a", "fixed", "x").replace("\"sha\": null", "\"sha\": \"abc\""),
            line("a", "fixed", "x").replace("\"sha\": null", "\"sha\": null, \"note\": 1"),
            line("a", "fixed", "x").replace("version\": 1", "version\": 2"),
        ];
        let text = valid + &wrong.concat();
        let record = merge(&[Ledger { run: "run-001", lines: text.as_bytes(), result: Some(b"no json") }]).expect("a ledger");
        assert_eq!(whys(&record), [("a", "later")]);
        assert_eq!(record.invalid_lines, wrong.len() as u64);
        let empty = merge(&[Ledger { run: "run-001", lines: b"", result: None }]).expect("an empty ledger");
        assert_eq!((empty.resolutions.len(), empty.invalid_lines), (0, 0));
    }
}
