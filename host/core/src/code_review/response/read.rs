//! Reads a retained response in either of its two forms, and lists everything that is wrong with it (CR-68 to CR-70).

use std::collections::BTreeSet;

use serde_json::Value;

use super::{Cited, Original, Response, StatedAssessment};
use crate::{
    code_review::{
        confidence::hundredths,
        outline::{Block, Outline, Section},
        run::is_digest,
        vocabulary::{Readiness, Role, Severity},
    },
    text::control_free,
};

/// The largest response in bytes (CR-201).
pub const MAX_RESPONSE_BYTES: usize = 1 << 20;

/// What is wrong with a response, and of which kind that is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Which rule it breaks.
    pub kind: FaultKind,
    /// In one sentence without the final full stop.
    pub message: String,
    /// Line of the response, from 1; none for JSON.
    pub line: Option<u32>,
}

/// The rule that a fault breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// The form of the response.
    Form,
    /// The first line does not name the role.
    Role,
    /// The assessment is missing, repeated, fenced or no assessment.
    Assessment,
}

/// Reads a text response. A substitute's first line must name its role.
///
/// # Errors
/// Everything that is wrong, in order.
pub fn text(text: &str, role: Role, substituted: bool) -> Result<Response, Vec<Fault>> {
    let mut reader = ResponseReader { faults: Vec::new() };
    reader.role(text, role, substituted);
    let outline = Outline::read(text);
    let assessment = reader.section(&outline, "Reviewer Assessment").and_then(|section| reader.assessment(section));
    let paths = reader.section(&outline, "Inspected Paths");
    let inspected_paths = paths.map(|section| section.items().map(|item| unquoted(&item.text)).collect()).unwrap_or_default();
    let confidence = reader.section(&outline, "Reviewer Confidence").and_then(|section| reader.fenced(section));
    let confidence = confidence.and_then(|(value, line)| reader.confidence(&value, Some(line)));
    let findings = match outline.section("Reviewer Findings") {
        Some(_) => reader.section(&outline, "Reviewer Findings").and_then(|section| reader.fenced(section)),
        None => None,
    };
    let findings = findings.map(|(value, line)| reader.findings(&value, Some(line))).unwrap_or_default();
    reader.finish(assessment, inspected_paths, confidence, findings)
}

/// Reads a JSON response (CR-69).
///
/// # Errors
/// Everything that is wrong, in order.
pub fn json(bytes: &[u8]) -> Result<Response, Vec<Fault>> {
    let mut reader = ResponseReader { faults: Vec::new() };
    let value: Value = match crate::canonical::read_strict(bytes, "response", "") {
        Ok(value) => value,
        Err(diagnostic) => {
            let fault =
                Fault { kind: FaultKind::Form, message: format!("it is no strict JSON: {}", diagnostic.message), line: diagnostic.line };
            return Err(vec![fault]);
        }
    };
    reader.keys(&value, &["assessment", "inspected_paths", "confidence", "findings"], FaultKind::Form, None, "the response");
    let assessment = reader.json_assessment(&value["assessment"]);
    let paths = reader.texts(&value["inspected_paths"], "inspected_paths", None);
    let confidence = reader.confidence(&value["confidence"], None);
    let findings = reader.findings(&value["findings"], None);
    reader.finish(assessment, paths, confidence, findings)
}

/// The lines of an assessment, each once: in a response, and in the notes of a parent that rates (CR-68, CR-90).
///
/// # Errors
/// Everything that is wrong, in order.
pub fn assessment(section: &Section) -> Result<StatedAssessment, Vec<Fault>> {
    let mut reader = ResponseReader { faults: Vec::new() };
    let read = reader.assessment(section);
    read.filter(|_| reader.faults.is_empty()).ok_or(reader.faults)
}

/// Score, scope and gaps.
type Stated = (u8, String, Vec<String>);

struct ResponseReader {
    faults: Vec<Fault>,
}

impl ResponseReader {
    fn refuse(&mut self, kind: FaultKind, line: Option<u32>, message: impl Into<String>) {
        self.faults.push(Fault { kind, message: message.into(), line });
    }

    fn finish(
        self,
        assessment: Option<StatedAssessment>,
        inspected_paths: Vec<String>,
        confidence: Option<Stated>,
        findings: Vec<Original>,
    ) -> Result<Response, Vec<Fault>> {
        match (assessment, confidence) {
            (Some(assessment), Some((confidence, confidence_scope, confidence_gaps))) if self.faults.is_empty() => {
                Ok(Response { assessment, inspected_paths, confidence, confidence_scope, confidence_gaps, findings })
            }
            _ => Err(self.faults),
        }
    }

    fn role(&mut self, text: &str, role: Role, substituted: bool) {
        let first = text.lines().next().unwrap_or_default().trim();
        match first.strip_prefix("role_id:").map(str::trim) {
            Some(named) if named == role.as_str() => {}
            Some(named) => {
                self.refuse(FaultKind::Role, Some(1), format!("the first line names the role `{named}`, and the pass is `{role}`"))
            }
            None if substituted => self.refuse(FaultKind::Role, Some(1), format!("the first line is not `role_id: {role}`")),
            None => {}
        }
    }

    /// The one section of this title.
    fn section<'o>(&mut self, outline: &'o Outline, title: &str) -> Option<&'o Section> {
        let kind = if title == "Reviewer Assessment" { FaultKind::Assessment } else { FaultKind::Form };
        let mut sections = outline.titled(title);
        let first = sections.next();
        match (first, sections.next()) {
            (None, _) => self.refuse(kind, None, format!("there is no section `{title}`")),
            (Some(_), Some(second)) => self.refuse(kind, Some(second.line), format!("the section `{title}` is there twice")),
            _ => {}
        }
        first
    }

    fn assessment(&mut self, section: &Section) -> Option<StatedAssessment> {
        let labels = ["Source rating version", "Rating", "Verification readiness", "Rationale"];
        for block in &section.blocks {
            if let Block::Code { text, line, .. } = block
                && labels.iter().any(|label| text.contains(&format!("{label}:")))
            {
                self.refuse(FaultKind::Assessment, Some(*line), "the assessment's lines stand in a code block");
            }
        }
        let values = labels.map(|label| self.line(section, label));
        let [version, rating, readiness, rationale] = values;
        if version.as_deref().is_some_and(|version| version != "1") {
            self.refuse(FaultKind::Assessment, Some(section.line), "the source rating version is not 1");
        }
        let rating = rating.and_then(|rating| self.rating(&rating, section.line));
        let readiness = readiness.and_then(|word| self.readiness(&word, Some(section.line)));
        Some(StatedAssessment { rating: rating?, readiness: readiness?, rationale: rationale? })
    }

    fn line(&mut self, section: &Section, label: &str) -> Option<String> {
        let found = section.labelled(label);
        match found.as_slice() {
            [(value, _)] if !value.is_empty() => return Some((*value).to_owned()),
            [] => self.refuse(FaultKind::Assessment, Some(section.line), format!("the assessment has no line `{label}:`")),
            [(_, line)] => self.refuse(FaultKind::Assessment, Some(*line), format!("the line `{label}:` says nothing")),
            [_, (_, line), ..] => self.refuse(FaultKind::Assessment, Some(*line), format!("the line `{label}:` is there twice")),
        }
        None
    }

    fn rating(&mut self, word: &str, line: u32) -> Option<Option<u8>> {
        let rating = match word {
            "null" => Some(None),
            "1" | "2" | "3" | "4" | "5" => word.parse().ok().map(Some),
            _ => None,
        };
        if rating.is_none() {
            self.refuse(FaultKind::Assessment, Some(line), format!("`{word}` is no rating: 1 to 5, or null"));
        }
        rating
    }

    fn readiness(&mut self, word: &str, line: Option<u32>) -> Option<Readiness> {
        let readiness = Readiness::parse(word);
        if readiness.is_none() {
            self.refuse(FaultKind::Assessment, line, format!("`{word}` is no readiness: complete, blocked or incomplete"));
        }
        readiness
    }

    fn json_assessment(&mut self, value: &Value) -> Option<StatedAssessment> {
        let keys = ["source_rating_version", "rating", "verification_readiness", "rationale"];
        self.keys(value, &keys, FaultKind::Assessment, None, "`assessment`");
        if value["source_rating_version"] != 1 || !value["source_rating_version"].is_u64() {
            self.refuse(FaultKind::Assessment, None, "the source rating version is not 1");
        }
        let rating = match &value["rating"] {
            Value::Null => Some(None),
            rating => rating.as_u64().filter(|rating| (1..=5).contains(rating)).and_then(|rating| u8::try_from(rating).ok()).map(Some),
        };
        if rating.is_none() {
            self.refuse(FaultKind::Assessment, None, "`rating` is 1 to 5, or null");
        }
        let readiness = self.readiness(value["verification_readiness"].as_str().unwrap_or_default(), None);
        let rationale = self.field(&value["rationale"], "rationale", FaultKind::Assessment, None);
        Some(StatedAssessment { rating: rating?, readiness: readiness?, rationale: rationale? })
    }

    /// The one fenced JSON value of a section.
    fn fenced(&mut self, section: &Section) -> Option<(Value, u32)> {
        let blocks: Vec<(&str, u32)> = section
            .blocks
            .iter()
            .filter_map(|block| match block {
                Block::Code { language, text, line } if language == "json" => Some((text.as_str(), *line)),
                _ => None,
            })
            .collect();
        let [(text, line)] = blocks.as_slice() else {
            let message = format!("the section `{}` has {} fenced JSON values, and one is due", section.title, blocks.len());
            self.refuse(FaultKind::Form, Some(section.line), message);
            return None;
        };
        match crate::canonical::read_strict(text.as_bytes(), "response", "") {
            Ok(value) => Some((value, *line)),
            Err(diagnostic) => {
                let line = *line + diagnostic.line.unwrap_or_default();
                self.refuse(FaultKind::Form, Some(line), format!("this is no strict JSON: {}", diagnostic.message));
                None
            }
        }
    }

    fn confidence(&mut self, value: &Value, line: Option<u32>) -> Option<Stated> {
        self.keys(value, &["score", "scope", "gaps"], FaultKind::Form, line, "the confidence");
        let score = value["score"].as_number().and_then(|number| hundredths(&number.to_string()));
        if score.is_none() {
            self.refuse(FaultKind::Form, line, "`score` is a number from 0 to 1 with at most two decimals");
        }
        let scope = self.field(&value["scope"], "scope", FaultKind::Form, line);
        let gaps = self.texts(&value["gaps"], "gaps", line);
        Some((score?, scope?, gaps))
    }

    fn findings(&mut self, value: &Value, line: Option<u32>) -> Vec<Original> {
        let Some(records) = value.as_array() else {
            self.refuse(FaultKind::Form, line, "the findings are no array");
            return Vec::new();
        };
        let mut ids = BTreeSet::new();
        let findings: Vec<Original> = records.iter().filter_map(|record| self.finding(record, line)).collect();
        for finding in &findings {
            if !ids.insert(finding.id.clone()) {
                self.refuse(FaultKind::Form, line, format!("two findings have the id `{}`", finding.id));
            }
        }
        findings
    }

    fn finding(&mut self, value: &Value, line: Option<u32>) -> Option<Original> {
        let keys = ["id", "severity", "title", "summary", "required_change", "closure_evidence", "evidence"];
        self.keys(value, &keys, FaultKind::Form, line, "a finding");
        let [id, title, summary, required_change, closure_evidence] = ["id", "title", "summary", "required_change", "closure_evidence"]
            .map(|key| self.field(&value[key], key, FaultKind::Form, line));
        let severity = value["severity"].as_str().and_then(Severity::parse);
        if severity.is_none() {
            self.refuse(FaultKind::Form, line, "`severity` is critical, high, medium or low");
        }
        let id = id.filter(|id| {
            let good = is_record_id(id);
            if !good {
                self.refuse(FaultKind::Form, line, "`id` is a letter and at most 63 letters, digits, `_` and `-`");
            }
            good
        });
        let cited = value["evidence"].as_array().filter(|cited| !cited.is_empty());
        if cited.is_none() {
            self.refuse(FaultKind::Form, line, "`evidence` is a list of places, at least one");
        }
        let evidence = cited.into_iter().flatten().filter_map(|place| self.cited(place, line)).collect();
        Some(Original {
            id: id?,
            severity: severity?,
            title: title?,
            summary: summary?,
            required_change: required_change?,
            closure_evidence: closure_evidence?,
            evidence,
            json: value.clone(),
        })
    }

    /// A place in the reviewed tree, or in the base tree when it says so (CR-221).
    fn cited(&mut self, value: &Value, line: Option<u32>) -> Option<Cited> {
        let mut keys = vec!["path", "start_line", "end_line", "source_sha256"];
        keys.extend(value.get("tree").map(|_| "tree"));
        self.keys(value, &keys, FaultKind::Form, line, "a place");
        let number = |key: &str| value[key].as_u64().and_then(|number| u32::try_from(number).ok()).filter(|number| *number > 0);
        let (start, end) = (number("start_line"), number("end_line"));
        let base = match value.get("tree").map(|tree| tree.as_str().unwrap_or_default()) {
            None | Some("head") => Some(false),
            Some("base") => Some(true),
            Some(_) => None,
        };
        let digest = value["source_sha256"].as_str().filter(|digest| is_digest(digest));
        if start.zip(end).is_none_or(|(start, end)| end < start) || base.is_none() || digest.is_none() {
            let message = "a place has a path, lines from 1 in their order, the digest of the file, and `tree` head or base";
            self.refuse(FaultKind::Form, line, message);
        }
        let path = self.field(&value["path"], "path", FaultKind::Form, line);
        Some(Cited { base: base?, path: path?, start_line: start?, end_line: end?, source_sha256: digest?.to_owned() })
    }

    fn keys(&mut self, value: &Value, keys: &[&str], kind: FaultKind, line: Option<u32>, what: &str) {
        let Some(object) = value.as_object() else {
            return self.refuse(kind, line, format!("{what} is no object"));
        };
        let same = object.len() == keys.len() && keys.iter().all(|key| object.contains_key(*key));
        if !same {
            self.refuse(kind, line, format!("{what} has exactly the keys {}", keys.join(", ")));
        }
    }

    fn field(&mut self, value: &Value, key: &str, kind: FaultKind, line: Option<u32>) -> Option<String> {
        let text = value.as_str().filter(|text| !text.trim().is_empty() && control_free(text, true));
        if text.is_none() {
            self.refuse(kind, line, format!("`{key}` is no text"));
        }
        text.map(str::to_owned)
    }

    fn texts(&mut self, value: &Value, key: &str, line: Option<u32>) -> Vec<String> {
        let Some(list) = value.as_array() else {
            self.refuse(FaultKind::Form, line, format!("`{key}` is no list"));
            return Vec::new();
        };
        list.iter().filter_map(|text| self.field(text, key, FaultKind::Form, line)).collect()
    }
}

fn is_record_id(id: &str) -> bool {
    let mut bytes = id.bytes();
    bytes.next().is_some_and(|first| first.is_ascii_alphabetic())
        && id.len() <= 64
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
}

/// A path in a list, with its code marks or without.
fn unquoted(item: &str) -> String {
    item.trim().trim_matches('`').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn response() -> String {
        let finding = r#"[{"id": "R-1", "severity": "high", "title": "t", "summary": "s", "required_change": "r", "closure_evidence": "c",
            "evidence": [{"path": "a.rs", "start_line": 1, "end_line": 2, "source_sha256": "SHA"}]}]"#;
        format!(
            "role_id: sw-engineer\n\n## Reviewer Assessment\n\nSource rating version: 1\nRating: 3\nVerification readiness: complete\n\
             Rationale: It retries twice.\n\n## Inspected Paths\n\n- `a.rs`\n- b.rs\n\n## Reviewer Confidence\n\n```json\n\
             {{\"score\": 0.9, \"scope\": \"all of it\", \"gaps\": []}}\n```\n\n## Reviewer Findings\n\n```json\n{}\n```\n",
            finding.replace("SHA", &"0".repeat(64))
        )
    }

    fn faults(text_of: &str) -> Vec<FaultKind> {
        text(text_of, Role::SwEngineer, true).expect_err("must be refused").into_iter().map(|fault| fault.kind).collect()
    }

    #[test]
    fn a_text_response_says_everything() {
        let read = text(&response(), Role::SwEngineer, true).expect("valid");
        assert_eq!((read.assessment.rating, read.confidence), (Some(3), 90));
        assert_eq!(read.inspected_paths, ["a.rs", "b.rs"]);
        assert_eq!((read.findings[0].id.as_str(), read.findings[0].evidence[0].end_line), ("R-1", 2));
    }

    #[test]
    fn repeated_fenced_and_missing_lines_are_no_assessment() {
        assert_eq!(faults(&response().replace("Rating: 3", "Rating: 3\nRating: 4")), [FaultKind::Assessment]);
        assert_eq!(faults(&response().replace("Rating: 3\n", "")), [FaultKind::Assessment]);
        assert_eq!(faults(&response().replace("Rating: 3", "Rating: 6")), [FaultKind::Assessment]);
        let fenced = response().replace("Source rating version: 1\n", "```\nRating: 5\n```\n\nSource rating version: 1\n");
        assert_eq!(faults(&fenced), [FaultKind::Assessment]);
        assert_eq!(faults(&response().replace("role_id: sw-engineer", "Hello")), [FaultKind::Role]);
        assert!(text(&response().replace("role_id: sw-engineer", "Hello"), Role::SwEngineer, false).is_ok());
    }

    #[test]
    fn records_are_exact() {
        for (from, to) in [
            ("\"score\": 0.9", "\"score\": 0.905"),
            ("\"id\": \"R-1\"", "\"id\": \"1R\""),
            ("\"end_line\": 2", "\"end_line\": 0"),
            ("\"severity\": \"high\"", "\"severity\": \"blocker\""),
            ("\"title\": \"t\"", "\"title\": \"t\", \"extra\": 1"),
        ] {
            assert!(faults(&response().replace(from, to)).contains(&FaultKind::Form), "{to}");
        }
    }

    #[test]
    fn a_json_response_has_the_same_content() {
        let value = serde_json::json!({
            "assessment": {"source_rating_version": 1, "rating": null, "verification_readiness": "blocked", "rationale": "no device"},
            "inspected_paths": ["a.rs"], "confidence": {"score": 0.5, "scope": "s", "gaps": ["g"]}, "findings": []
        });
        let read = json(value.to_string().as_bytes()).expect("valid");
        assert_eq!((read.assessment.rating, read.assessment.readiness), (None, Readiness::Blocked));
        let mut wrong = value;
        wrong["assessment"]["source_rating_version"] = serde_json::json!(true);
        assert_eq!(json(wrong.to_string().as_bytes()).expect_err("refused")[0].kind, FaultKind::Assessment);
    }
}
