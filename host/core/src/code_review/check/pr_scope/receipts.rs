//! Reading every receipt; each absent or malformed one is a violation of its own (CR-38).

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::IMPORT_AGAIN;
use crate::code_review::{
    codes::{self, Code},
    image::RunImage,
    pull_request::{
        export::{COMMENTS_FILE, Metadata, PR_FILE, REVIEWS_FILE, THREADS_FILE},
        online::{Online, OnlineReviewSummary, SUMMARY_FILE, UNRESOLVED_FILE},
        receipt::*,
    },
    reading::record,
    violation::{Sink, Violation},
};

/// The receipts of one collection.
pub(super) struct Receipts {
    pub(super) metadata: Metadata,
    pub(super) target: String,
    pub(super) routing: PrRouting,
    pub(super) remote: RemoteSelection,
    pub(super) target_branch: TargetBranch,
    pub(super) head: HeadFetch,
    pub(super) preflight: WorktreePreflight,
    pub(super) checkout: LocalCheckout,
    pub(super) checkout_state: CheckoutState,
    pub(super) source: SourceContext,
    pub(super) online: Online,
    pub(super) unresolved: Vec<Value>,
    pub(super) summary: OnlineReviewSummary,
}

impl Receipts {
    pub(super) fn read(image: &RunImage, sink: &mut Sink) -> Option<Self> {
        let metadata = metadata(image, sink);
        let target = target(image, sink);
        let routing = read(image, ROUTING_FILE, &codes::PR_ROUTING_INVALID, sink);
        let remote = read(image, REMOTE_FILE, &codes::PR_REMOTE_MISMATCH, sink);
        let target_branch = read(image, TARGET_BRANCH_FILE, &codes::PR_TARGET_BRANCH_INVALID, sink);
        let head = read(image, HEAD_FETCH_FILE, &codes::PR_OID_JOIN_MISMATCH, sink);
        let preflight = read(image, PREFLIGHT_FILE, &codes::PR_WORKTREE_PREFLIGHT_INVALID, sink);
        let checkout = read(image, CHECKOUT_FILE, &codes::PR_LOCAL_CHECKOUT_INVALID, sink);
        let checkout_state = read(image, CHECKOUT_STATE_FILE, &codes::PR_LOCAL_CHECKOUT_INVALID, sink);
        let source = read(image, SOURCE_CONTEXT_FILE, &codes::PR_LOCAL_CHECKOUT_INVALID, sink);
        let [comments, reviews, threads, unresolved] =
            [COMMENTS_FILE, REVIEWS_FILE, THREADS_FILE, UNRESOLVED_FILE].map(|file| read(image, file, &codes::MISSING_PR_ARTIFACT, sink));
        let summary = read(image, SUMMARY_FILE, &codes::PR_REVIEW_THREAD_STATUS_INVALID, sink);
        Some(Self {
            metadata: metadata?,
            target: target?,
            routing: routing?,
            remote: remote?,
            target_branch: target_branch?,
            head: head?,
            preflight: preflight?,
            checkout: checkout?,
            checkout_state: checkout_state?,
            source: source?,
            online: Online { comments: comments?, reviews: reviews?, threads: threads? },
            unresolved: unresolved?,
            summary: summary?,
        })
    }
}

fn read<T: DeserializeOwned>(image: &RunImage, path: &str, invalid: &Code, sink: &mut Sink) -> Option<T> {
    record(image, path, &codes::MISSING_PR_ARTIFACT, invalid, sink)
}

/// A description may be empty, and is never absent: what a change is for is part of what is reviewed.
fn metadata(image: &RunImage, sink: &mut Sink) -> Option<Metadata> {
    let value: Option<Value> = image.bytes(PR_FILE).and_then(|bytes| serde_json::from_slice(bytes).ok());
    if value.is_some_and(|value| value.is_object() && !value["body"].is_string()) {
        let message = format!("`{PR_FILE}` has no description");
        sink.push(Violation::new(&codes::PR_DESCRIPTION_MISSING, message, IMPORT_AGAIN).at(PR_FILE, "/body"));
        return None;
    }
    read(image, PR_FILE, &codes::MISSING_PR_ARTIFACT, sink)
}

fn target(image: &RunImage, sink: &mut Sink) -> Option<String> {
    let Some(text) = image.text(TARGET_FILE) else {
        let message = format!("`{TARGET_FILE}` is missing");
        sink.push(Violation::new(&codes::MISSING_PR_ARTIFACT, message, IMPORT_AGAIN).subject(TARGET_FILE).file(TARGET_FILE));
        return None;
    };
    Some(text.strip_suffix('\n').unwrap_or(text).to_owned())
}
