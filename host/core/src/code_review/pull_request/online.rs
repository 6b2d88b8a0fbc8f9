//! What others wrote on a pull request: comments, reviews and threads as items that a triage answers (CR-43, CR-44, CR-45).

use std::collections::BTreeSet;

use pulldown_cmark::{Event, Parser, Tag};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::export::{Export, ThreadsStatus, Transport};
use crate::canonical::nullable;

/// [`OnlineReviewSummary`].
pub const SUMMARY_FILE: &str = "online-review-summary.json";
/// The threads that are not resolved, as the forge gave them.
pub const UNRESOLVED_FILE: &str = "unresolved-review-threads.json";
/// Why the threads could not be read.
pub const THREADS_ERROR_FILE: &str = "review-threads-error.txt";
/// What the fallback may lack, sorted (CR-44).
pub const OMISSIBLE: [&str; 5] = ["github_provided_file_list", "mergeability", "review_decision", REVIEWS_ID, COMMENTS_ID];
const COMMENTS_ID: &str = "top_level_comments";
const REVIEWS_ID: &str = "reviews";

/// `online-review-summary.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OnlineReviewSummary {
    /// How the forge was asked.
    pub pr_metadata_transport: Transport,
    /// The fallback answered.
    pub limited_data: bool,
    /// What it omitted, sorted.
    pub unavailable_evidence: Vec<String>,
    /// Whether the threads could be read.
    pub review_threads_status: ThreadsStatus,
    /// Why not; null when they could.
    #[serde(deserialize_with = "nullable")]
    pub review_threads_error: Option<String>,
    /// How many there are.
    pub counts: Counts,
    /// Comments, reviews, unresolved threads, each in the forge's order.
    pub parents: Vec<Parent>,
}

/// How many of each there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Counts {
    /// Comments on the pull request.
    pub comments: usize,
    /// Reviews.
    pub reviews: usize,
    /// Threads, resolved ones too.
    pub review_threads: usize,
    /// Threads that are not resolved.
    pub unresolved_review_threads: usize,
}

/// Something that others wrote and a triage answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Parent {
    /// The forge's id.
    pub id: String,
    /// What it is.
    pub kind: ParentKind,
    /// List items of its body that are answered one by one (CR-45); of a thread, those of its first comment.
    pub fragments: usize,
}

/// What others wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ParentKind {
    /// A comment on the pull request.
    Comment,
    /// A review.
    Review,
    /// An unresolved thread.
    ReviewThread,
}

/// The elements of `comments.json`, `reviews.json` and `review-threads.json`, as the forge gave them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Online {
    /// Comments on the pull request.
    pub comments: Vec<Value>,
    /// Reviews.
    pub reviews: Vec<Value>,
    /// Threads, resolved ones too.
    pub threads: Vec<Value>,
}

/// An element without what every element has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ElementFault {
    /// What it is in.
    pub kind: ParentKind,
    /// Its place, from 0.
    pub index: usize,
    /// What is wrong.
    pub message: String,
}

/// A part of a comment or a review that counts here; forges tell more.
#[derive(Deserialize)]
struct Remark {
    id: String,
    #[serde(default)]
    body: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Thread {
    id: String,
    is_resolved: bool,
    comments: Comments,
}

/// A list, or the connection that a forge's graph answers.
#[derive(Deserialize)]
#[serde(untagged)]
enum Comments {
    List(Vec<Remark>),
    Connection { nodes: Vec<Remark> },
}

impl Comments {
    fn first_body(&self) -> &str {
        let (Self::List(remarks) | Self::Connection { nodes: remarks }) = self;
        remarks.first().and_then(|remark| remark.body.as_deref()).unwrap_or_default()
    }
}

impl Online {
    /// The threads that are not resolved, in the forge's order.
    pub fn unresolved(&self) -> Vec<Value> {
        self.threads.iter().filter(|thread| thread.get("isResolved") == Some(&Value::Bool(false))).cloned().collect()
    }

    /// The parents, and every element that is none: without an id of its own, or in another shape.
    pub fn parents(&self) -> (Vec<Parent>, Vec<ElementFault>) {
        let mut found = Found::default();
        for (kind, elements) in [(ParentKind::Comment, &self.comments), (ParentKind::Review, &self.reviews)] {
            for (index, element) in elements.iter().enumerate() {
                match Remark::deserialize(element) {
                    Ok(remark) => found.take(kind, index, remark.id, remark.body.as_deref(), true),
                    Err(error) => found.refuse(kind, index, error.to_string()),
                }
            }
        }
        for (index, element) in self.threads.iter().enumerate() {
            let kind = ParentKind::ReviewThread;
            match Thread::deserialize(element) {
                Ok(thread) => found.take(kind, index, thread.id, Some(thread.comments.first_body()), !thread.is_resolved),
                Err(error) => found.refuse(kind, index, error.to_string()),
            }
        }
        (found.parents, found.faults)
    }

    /// The summary of what an exporter took; elements with a fault are left out.
    pub fn summary(&self, export: &Export) -> OnlineReviewSummary {
        OnlineReviewSummary {
            pr_metadata_transport: export.transport,
            limited_data: export.transport == Transport::PublicHttpsFallback,
            unavailable_evidence: export.unavailable_evidence.clone(),
            review_threads_status: export.review_threads_status,
            review_threads_error: export.review_threads_error.clone(),
            counts: self.counts(),
            parents: self.parents().0,
        }
    }

    /// How many there are.
    pub fn counts(&self) -> Counts {
        Counts {
            comments: self.comments.len(),
            reviews: self.reviews.len(),
            review_threads: self.threads.len(),
            unresolved_review_threads: self.unresolved().len(),
        }
    }
}

#[derive(Default)]
struct Found {
    seen: BTreeSet<String>,
    parents: Vec<Parent>,
    faults: Vec<ElementFault>,
}

impl Found {
    fn take(&mut self, kind: ParentKind, index: usize, id: String, body: Option<&str>, is_open: bool) {
        if id.is_empty() || id.contains(|character: char| character.is_whitespace() || character.is_control() || character == '#') {
            return self.refuse(kind, index, "the id is empty, or has white space, control characters or `#`".to_owned());
        }
        if !self.seen.insert(id.clone()) {
            return self.refuse(kind, index, format!("another element has the id `{id}`"));
        }
        if is_open {
            self.parents.push(Parent { id, kind, fragments: fragments(body.unwrap_or_default()) });
        }
    }

    fn refuse(&mut self, kind: ParentKind, index: usize, message: String) {
        self.faults.push(ElementFault { kind, index, message });
    }
}

/// The number of top-level list items of a text if it has two or more, else 0 (CR-45).
pub fn fragments(body: &str) -> usize {
    let (mut depth, mut items) = (0_usize, 0_usize);
    for event in Parser::new(body) {
        match event {
            Event::Start(tag) => {
                items += usize::from(depth == 1 && matches!(tag, Tag::Item));
                depth += 1;
            }
            Event::End(_) => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    if items < 2 { 0 } else { items }
}

/// The ids that a triage answers: a parent's own, or one for each of its fragments (CR-45).
pub fn item_ids(parents: &[Parent]) -> Vec<String> {
    let ids = |parent: &Parent| match parent.fragments {
        0 => vec![parent.id.clone()],
        count => (1..=count).map(|ordinal| format!("{}#finding-{ordinal}", parent.id)).collect(),
    };
    parents.iter().flat_map(ids).collect()
}

/// Every way in which a summary says more than is known; empty when it does not (CR-43, CR-44, CR-216).
pub fn transport_faults(summary: &OnlineReviewSummary) -> Vec<String> {
    let listed = &summary.unavailable_evidence;
    let mut faults = Vec::new();
    let falls_back = summary.pr_metadata_transport == Transport::PublicHttpsFallback;
    if summary.limited_data != falls_back {
        faults.push(format!("`limited_data` is {falls_back} for this transport"));
    }
    if falls_back == listed.is_empty() {
        let word = if falls_back { "has" } else { "has no" };
        faults.push(format!("this transport {word} omitted evidence"));
    }
    if !listed.is_sorted_by(|one, other| one < other) {
        faults.push("the omitted evidence is not sorted, each once".to_owned());
    }
    let unknown = listed.iter().filter(|id| !OMISSIBLE.contains(&id.as_str()));
    faults.extend(unknown.map(|id| format!("`{id}` is no evidence that the fallback omits")));
    if falls_back {
        for (id, count) in [(COMMENTS_ID, summary.counts.comments), (REVIEWS_ID, summary.counts.reviews)] {
            if listed.iter().any(|listed| listed == id) != (count == 0) {
                faults.push(format!("`{id}` is listed exactly when there is none of it, and there are {count}"));
            }
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn export(transport: Transport, omitted: &[&str]) -> Export {
        Export {
            schema_version: 1,
            tool: "exporter".to_owned(),
            exported_at: "2026-01-02T03:04:05Z".to_owned(),
            transport,
            unavailable_evidence: omitted.iter().map(|id| (*id).to_owned()).collect(),
            review_threads_status: ThreadsStatus::Complete,
            review_threads_error: None,
        }
    }

    fn online() -> Online {
        Online {
            comments: vec![json!({"id": "C_1", "body": "Fine.\r\n", "author": null})],
            reviews: vec![
                json!({"id": "R_1", "body": "Two things:\r\n\r\n- a\r\n  - nested\r\n- b\r\n"}),
                json!({"id": "R_2", "body": null}),
            ],
            threads: vec![
                json!({"id": "T_1", "isResolved": false, "comments": {"nodes": [{"id": "X", "body": "1. a\n2. b\n3. c"}]}}),
                json!({"id": "T_2", "isResolved": true, "comments": []}),
            ],
        }
    }

    #[test]
    fn top_level_items_are_fragments() {
        for (body, count) in [
            ("", 0),
            ("- one", 0),
            ("- a\n- b", 2),
            ("- a\n  - b\n  - c", 0),
            ("- a\n\ntext\n\n1. b\n2. c", 3),
            ("> - a\n> - b", 0),
            ("```\n- a\n- b\n```", 0),
            ("- a ![x](y) <b>z</b>\n- b\n\n<div>\n</div>\n", 2),
        ] {
            assert_eq!(fragments(body), count, "{body}");
        }
    }

    #[test]
    fn items_follow_their_parents() {
        let summary = online().summary(&export(Transport::Api, &[]));
        assert_eq!(summary.counts, Counts { comments: 1, reviews: 2, review_threads: 2, unresolved_review_threads: 1 });
        let ids = item_ids(&summary.parents);
        assert_eq!(ids, ["C_1", "R_1#finding-1", "R_1#finding-2", "R_2", "T_1#finding-1", "T_1#finding-2", "T_1#finding-3"]);
        assert_eq!(online().unresolved(), online().threads[..1]);
    }

    #[test]
    fn elements_have_an_id_of_their_own() {
        let mut online = online();
        online.comments.push(json!({"id": "R_1", "body": ""}));
        online.comments.push(json!({"body": ""}));
        online.comments.push(json!({"id": "a#finding-1"}));
        online.threads.push(json!({"id": "T_3", "comments": []}));
        let faults: Vec<(ParentKind, usize)> = online.parents().1.into_iter().map(|fault| (fault.kind, fault.index)).collect();
        let comment = ParentKind::Comment;
        assert_eq!(faults, [(comment, 2), (comment, 3), (ParentKind::Review, 0), (ParentKind::ReviewThread, 2)]);
    }

    #[test]
    fn the_fallback_says_what_it_lacks() {
        let fallback = Transport::PublicHttpsFallback;
        let faults = |online: &Online, transport, omitted: &[&str]| transport_faults(&online.summary(&export(transport, omitted))).len();
        assert_eq!(faults(&online(), Transport::Api, &[]), 0);
        assert_eq!(faults(&online(), Transport::Api, &["mergeability"]), 1);
        assert_eq!(faults(&online(), fallback, &["mergeability"]), 0);
        assert_eq!(faults(&online(), fallback, &[]), 1);
        assert_eq!(faults(&online(), fallback, &["reviews"]), 1);
        assert_eq!(faults(&online(), fallback, &["review_decision", "mergeability"]), 1);
        assert_eq!(faults(&online(), fallback, &["weather"]), 1);
        assert_eq!(faults(&Online::default(), fallback, &["reviews", "top_level_comments"]), 0);
        assert_eq!(faults(&Online::default(), fallback, &["mergeability"]), 2);
    }
}
