//! What others wrote is counted as it was exported, and nothing is claimed of threads that could not be read (CR-43 to CR-45).

use super::{IMPORT_AGAIN, receipts::Receipts};
use crate::code_review::{
    codes::{self, Code},
    image::RunImage,
    pull_request::{
        export::{COMMENTS_FILE, REVIEWS_FILE, THREADS_FILE, ThreadsStatus},
        online::{ParentKind, SUMMARY_FILE, THREADS_ERROR_FILE, UNRESOLVED_FILE, transport_faults},
    },
    violation::{Sink, Violation},
};

pub(super) fn check(receipts: &Receipts, image: &RunImage, sink: &mut Sink) {
    let (online, summary) = (&receipts.online, &receipts.summary);
    let (parents, faults) = online.parents();
    for fault in faults {
        let file = match fault.kind {
            ParentKind::Comment => COMMENTS_FILE,
            ParentKind::Review => REVIEWS_FILE,
            ParentKind::ReviewThread => THREADS_FILE,
        };
        refuse(&codes::MISSING_PR_ARTIFACT, file, format!("/{}", fault.index), fault.message, sink);
    }
    let invalid = &codes::PR_REVIEW_THREAD_STATUS_INVALID;
    for (key, holds) in [("counts", summary.counts == online.counts()), ("parents", summary.parents == parents)] {
        if !holds {
            let message = format!("`{key}` is not what the exported comments, reviews and threads give");
            refuse(invalid, SUMMARY_FILE, format!("/{key}"), message, sink);
        }
    }
    if receipts.unresolved != online.unresolved() {
        let message = format!("these are not the unresolved threads of `{THREADS_FILE}`");
        refuse(invalid, UNRESOLVED_FILE, String::new(), message, sink);
    }
    for message in transport_faults(summary) {
        refuse(&codes::PR_PUBLIC_FALLBACK_EVIDENCE_INVALID, SUMMARY_FILE, "/unavailable_evidence".to_owned(), message, sink);
    }
    match summary.review_threads_status {
        ThreadsStatus::Complete => read_threads(receipts, image, sink),
        ThreadsStatus::Unavailable => unread_threads(receipts, image, sink),
    }
}

fn read_threads(receipts: &Receipts, image: &RunImage, sink: &mut Sink) {
    if receipts.summary.review_threads_error.is_some() || image.has(THREADS_ERROR_FILE) {
        let message = "the threads were read, and there is an error of reading them".to_owned();
        refuse(&codes::PR_REVIEW_THREAD_ERROR_MISMATCH, SUMMARY_FILE, "/review_threads_error".to_owned(), message, sink);
    }
}

fn unread_threads(receipts: &Receipts, image: &RunImage, sink: &mut Sink) {
    for (file, count) in [(THREADS_FILE, receipts.online.threads.len()), (UNRESOLVED_FILE, receipts.unresolved.len())] {
        if count > 0 {
            let message = format!("the threads could not be read, and `{file}` has {count}");
            refuse(&codes::PR_REVIEW_THREAD_UNAVAILABLE_MUST_BE_EMPTY, file, String::new(), message, sink);
        }
    }
    let error = receipts.summary.review_threads_error.as_deref().filter(|error| !error.trim().is_empty());
    let kept = image.text(THREADS_ERROR_FILE).map(|text| text.strip_suffix('\n').unwrap_or(text));
    if error.is_none() || kept != error {
        let message = format!("the threads could not be read, and `{THREADS_ERROR_FILE}` does not hold the error of the summary");
        refuse(&codes::PR_REVIEW_THREAD_ERROR_MISMATCH, SUMMARY_FILE, "/review_threads_error".to_owned(), message, sink);
    }
}

fn refuse(code: &Code, file: &str, pointer: String, message: String, sink: &mut Sink) {
    sink.push(Violation::new(code, message, IMPORT_AGAIN).subject(file).at(file, pointer));
}
