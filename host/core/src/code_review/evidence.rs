//! Coordinates in authored text, and what they point at (CR-83, CR-84, CR-225).

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::image::RunImage;
use crate::{canonical::escape_pointer, strict::Node};

/// Lines of a file: `path:line`, `path:start-end`, or the same after `base:`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Coordinate {
    /// In the base tree.
    pub base: bool,
    /// Repository-relative.
    pub path: String,
    /// From 1.
    pub start: u32,
    /// Not before the start.
    pub end: u32,
}

/// The file that a coordinate points at; absent facts are files that the tree does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resolved {
    /// Digest of the file.
    pub file_sha256: String,
    /// Its number of lines.
    pub lines: u32,
}

/// What the beginning of an evidence text is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// Lines of a tree.
    Source(Coordinate),
    /// `run:<path>[:line]`: a file of the run.
    Artifact(String),
    /// Anything else.
    Prose,
}

/// Reads the beginning of an evidence text.
pub fn place(text: &str) -> Place {
    let word = text.split(|character: char| character.is_whitespace() || matches!(character, ',' | ';')).next().unwrap_or_default();
    if let Some(artifact) = word.strip_prefix("run:") {
        let path = match artifact.rsplit_once(':') {
            Some((path, line)) if line.parse::<u32>().is_ok() => path,
            _ => artifact,
        };
        return Place::Artifact(path.to_owned());
    }
    coordinate(word).map_or(Place::Prose, Place::Source)
}

/// A coordinate that is a whole word; a final full stop ends it.
fn coordinate(word: &str) -> Option<Coordinate> {
    let (base, word) = word.strip_prefix("base:").map_or((false, word), |rest| (true, rest));
    let (path, lines) = word.strip_suffix('.').unwrap_or(word).split_once(':')?;
    let lines = lines.split('.').next()?;
    let (start, end) = lines.split_once('-').unwrap_or((lines, lines));
    let (start, end) = (line_number(start)?, line_number(end)?);
    (!path.is_empty()).then(|| Coordinate { base, path: path.to_owned(), start, end })
}

/// A decimal number from 1 without leading zeros.
fn line_number(text: &str) -> Option<u32> {
    let plain = !text.starts_with('0') && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| plain)
}

/// The requirement coordinates `req:<path>:<line>` of a text.
pub fn requirements(text: &str) -> Vec<Coordinate> {
    let words = text.split(|character: char| character.is_whitespace() || matches!(character, '(' | ')' | '"' | '`' | ',' | ';'));
    words.filter_map(|word| coordinate(word.strip_prefix("req:")?)).collect()
}

impl Coordinate {
    /// The coordinate as it is written.
    pub fn text(&self) -> String {
        let base = if self.base { "base:" } else { "" };
        let end = if self.end == self.start { String::new() } else { format!("-{}", self.end) };
        format!("{base}{}:{}{end}", self.path, self.start)
    }

    /// Why it points at nothing; `None` when it resolves.
    pub fn fault(&self, resolved: &BTreeMap<Coordinate, Resolved>) -> Option<String> {
        let tree = if self.base { "base tree" } else { "reviewed tree" };
        match resolved.get(self) {
            None => Some(format!("the {tree} has no file `{}`", self.path)),
            Some(_) if self.end < self.start => Some(format!("line {} is before line {}", self.end, self.start)),
            Some(file) if self.end > file.lines => Some(format!("`{}` has {} lines in the {tree}", self.path, file.lines)),
            Some(_) => None,
        }
    }
}

/// The file of the index.
pub const EVIDENCE_INDEX_FILE: &str = "evidence-index.json";

/// `evidence-index.json`: what each coordinate pointed at when the review was finalized (CR-84, CR-225).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EvidenceIndex {
    /// 1.
    pub schema_version: u32,
    /// In the order of the records.
    pub entries: Vec<IndexEntry>,
}

/// One coordinate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct IndexEntry {
    /// `finding:<id>`, `candidate:<id>` or `rationale`.
    pub owner: String,
    /// The coordinate as it is written.
    pub evidence: String,
    /// `head` or `base`.
    pub tree: Side,
    /// Repository-relative.
    pub path: String,
    /// From 1.
    pub start: u32,
    /// Not before the start.
    pub end: u32,
    /// Digest of the file.
    pub file_sha256: String,
    /// Its number of lines.
    pub lines: u32,
}

/// Which tree a coordinate points into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    /// The reviewed tree.
    Head,
    /// The tree that the change is compared with.
    Base,
}

/// Texts of a result that may begin with a coordinate, with their owner: findings' evidence; the claims' own evidence, what speaks against
/// them and what reconciles their originals; the rationale's requirements.
pub struct Cited {
    /// `finding:<id>`, `candidate:<id>` or `rationale`.
    pub owner: String,
    /// What it points at.
    pub coordinate: Coordinate,
    /// RFC 6901 pointer into the result.
    pub pointer: String,
}

/// Every coordinate of a result, for whoever resolves them. A result that is no JSON, or has another shape, has none.
pub fn coordinates(image: &RunImage, result_file: &str) -> Vec<Cited> {
    let value = image.bytes(result_file).and_then(|bytes| serde_json::from_slice::<Value>(bytes).ok());
    value.map(|value| cited(&value)).unwrap_or_default()
}

/// The same, of a result that was read.
pub(crate) fn cited<R: Document>(result: &R) -> Vec<Cited> {
    let (mut found, metadata) = (Vec::new(), result.member("metadata"));
    let part = |key: &str| metadata?.member(key);
    for (index, finding) in elements(part("review_findings")).iter().enumerate() {
        let owner = format!("finding:{}", text(finding, "id"));
        add_all(&mut found, &owner, finding.member("evidence"), &format!("/metadata/review_findings/{index}/evidence"));
    }
    let validation = part("review_validation");
    for (index, candidate) in elements(validation.and_then(|validation| validation.member("candidates"))).iter().enumerate() {
        let (id, pointer) = (text(candidate, "id"), format!("/metadata/review_validation/candidates/{index}"));
        let owner = format!("candidate:{id}");
        for key in ["confirmation_evidence", "falsification_evidence", "check"] {
            add(&mut found, &owner, text(candidate, key), &format!("{pointer}/{key}"));
        }
        add_all(&mut found, &owner, candidate.member("counterevidence"), &format!("{pointer}/counterevidence"));
        let reconciled = part("source_finding_reconciliation").and_then(|all| all.member(id)?.member("evidence"));
        let pointer = format!("/metadata/source_finding_reconciliation/{}/evidence", escape_pointer(id));
        add_all(&mut found, &owner, reconciled, &pointer);
    }
    let rationale = part("review_decision").map(|decision| text(decision, "rationale")).unwrap_or_default();
    for coordinate in requirements(rationale) {
        found.push(Cited { owner: "rationale".to_owned(), coordinate, pointer: "/metadata/review_decision/rationale".to_owned() });
    }
    found
}

/// A JSON value, with or without its place.
pub(crate) trait Document: Sized {
    /// The value of this key, when this is an object that has it.
    fn member(&self, key: &str) -> Option<&Self>;
    /// The elements, none when this is no array.
    fn items(&self) -> &[Self];
    /// The text, when this is one.
    fn as_text(&self) -> Option<&str>;
}

impl Document for Value {
    fn member(&self, key: &str) -> Option<&Self> {
        self.get(key)
    }

    fn items(&self) -> &[Self] {
        self.as_array().map(Vec::as_slice).unwrap_or_default()
    }

    fn as_text(&self) -> Option<&str> {
        self.as_str()
    }
}

impl Document for Node {
    fn member(&self, key: &str) -> Option<&Self> {
        self.get(key)
    }

    fn items(&self) -> &[Self] {
        self.elements()
    }

    fn as_text(&self) -> Option<&str> {
        self.text()
    }
}

fn elements<R: Document>(value: Option<&R>) -> &[R] {
    value.map(Document::items).unwrap_or_default()
}

fn text<'v, R: Document>(record: &'v R, key: &str) -> &'v str {
    record.member(key).and_then(Document::as_text).unwrap_or_default()
}

fn add_all<R: Document>(found: &mut Vec<Cited>, owner: &str, texts: Option<&R>, pointer: &str) {
    for (position, text) in elements(texts).iter().enumerate() {
        add(found, owner, text.as_text().unwrap_or_default(), &format!("{pointer}/{position}"));
    }
}

fn add(found: &mut Vec<Cited>, owner: &str, text: &str, pointer: &str) {
    let begins = match place(text) {
        Place::Source(coordinate) => Some(coordinate),
        _ => None,
    };
    for coordinate in begins.into_iter().chain(requirements(text)) {
        found.push(Cited { owner: owner.to_owned(), coordinate, pointer: pointer.to_owned() });
    }
}

/// The index of a result whose coordinates all resolve; those that do not are left out.
pub fn index(cited: &[Cited], resolved: &BTreeMap<Coordinate, Resolved>) -> EvidenceIndex {
    let entries = cited.iter().filter_map(|cited| {
        let Coordinate { base, path, start, end } = &cited.coordinate;
        let file = resolved.get(&cited.coordinate)?;
        Some(IndexEntry {
            owner: cited.owner.clone(),
            evidence: cited.coordinate.text(),
            tree: if *base { Side::Base } else { Side::Head },
            path: path.clone(),
            start: *start,
            end: *end,
            file_sha256: file.file_sha256.clone(),
            lines: file.lines,
        })
    });
    EvidenceIndex { schema_version: 1, entries: entries.collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(text: &str) -> Option<String> {
        match place(text) {
            Place::Source(coordinate) => Some(coordinate.text()),
            _ => None,
        }
    }

    #[test]
    fn a_coordinate_stands_first() {
        assert_eq!(source("src/a.rs:9 retries twice").as_deref(), Some("src/a.rs:9"));
        assert_eq!(source("src/a.rs:9-12; see also").as_deref(), Some("src/a.rs:9-12"));
        assert_eq!(source("base:old.rs:3.").as_deref(), Some("base:old.rs:3"));
        for prose in ["see src/a.rs:9", "src/a.rs", "src/a.rs:0", "src/a.rs:09", "a:b:9", ":9", "src/a.rs:9x", "gate:tests"] {
            assert_eq!(source(prose), None, "{prose}");
        }
    }

    #[test]
    fn artifacts_and_requirements_are_places_too() {
        assert_eq!(place("run:checks/tests.stdout.txt:12 shows it"), Place::Artifact("checks/tests.stdout.txt".to_owned()));
        let found: Vec<String> =
            requirements("breaks (req:docs/a.md:3) and req:https://x.example/a").iter().map(Coordinate::text).collect();
        assert_eq!(found, ["docs/a.md:3"]);
    }

    #[test]
    fn a_coordinate_resolves_inside_its_file() {
        let coordinate = |start, end| Coordinate { base: false, path: "a.rs".to_owned(), start, end };
        let file = Resolved { file_sha256: String::new(), lines: 20 };
        let resolved: BTreeMap<_, _> = [coordinate(900, 900), coordinate(20, 20), coordinate(5, 2)].map(|it| (it, file.clone())).into();
        assert!(coordinate(20, 20).fault(&resolved).is_none());
        assert!(coordinate(900, 900).fault(&resolved).is_some_and(|fault| fault.contains("20 lines")));
        assert!(coordinate(5, 2).fault(&resolved).is_some() && coordinate(1, 1).fault(&resolved).is_some());
    }
}
