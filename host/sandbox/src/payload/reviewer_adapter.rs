//! Receipts of harnesses. None is genuine: an adapter that attests one attests anything.

use code_polishy_core::{
    canonical::digest_bytes,
    code_review::vocabulary::{EventKind, PassMode},
    plugin::ReceiptFacts,
};

use super::{INJECTION, UNICODE};

/// Bytes of the largest receipt.
const LARGEST: usize = 1 << 20;

/// The review of every payload.
pub const RUN_ID: &str = "5f0c5a6e-0000-4000-8000-000000000001";

/// A name and what makes the payload.
pub type Named = (&'static str, fn() -> Vec<ReceiptFacts>);

/// Every payload of `verify`.
pub const ALL: [Named; 8] = [
    ("an empty receipt", || vec![receipt(EventKind::Started, b"")]),
    ("a JSON object", || vec![receipt(EventKind::Started, JSON.as_bytes())]),
    ("a whole attempt", attempt),
    ("bytes that are no text", || vec![receipt(EventKind::Completed, &(0..=255).cycle().take(64 << 10).collect::<Vec<u8>>())]),
    ("colours and markup", || vec![odd(EventKind::Joined, INJECTION)]),
    ("letters of everywhere", || vec![odd(EventKind::Refused, UNICODE)]),
    ("JSON that nests without end", || vec![receipt(EventKind::Delivered, "[{\"a\":".repeat(100_000).as_bytes())]),
    ("the largest receipts", || attempt().into_iter().map(|receipt| ReceiptFacts { content: vec![b'x'; LARGEST], ..receipt }).collect()),
];

const JSON: &str = r#"{"event":"started","role":"sw-engineer","signature":"AAAA","run_id":"5f0c5a6e-0000-4000-8000-000000000001"}"#;

fn receipt(event: EventKind, content: &[u8]) -> ReceiptFacts {
    let has_context = matches!(event, EventKind::Dispatched | EventKind::Delivered);
    let has_output = matches!(event, EventKind::Completed | EventKind::Joined);
    ReceiptFacts {
        event,
        role: "sw-engineer".to_owned(),
        attempt: 1,
        mode: PassMode::Spawned,
        reviewer_id: "reviewer-1".to_owned(),
        at: "2026-01-31T12:00:00Z".to_owned(),
        context_sha256: has_context.then(|| digest_bytes(b"context")),
        output_sha256: has_output.then(|| digest_bytes(b"output")),
        content: content.to_vec(),
    }
}

fn attempt() -> Vec<ReceiptFacts> {
    let events = [EventKind::Dispatched, EventKind::Delivered, EventKind::Started, EventKind::Completed, EventKind::Joined];
    events.into_iter().map(|event| receipt(event, JSON.replace("started", event.as_str()).as_bytes())).collect()
}

fn odd(event: EventKind, text: &str) -> ReceiptFacts {
    let content = format!("{{\"reason\":\"{text}\"}}").into_bytes();
    ReceiptFacts { reviewer_id: text.to_owned(), mode: PassMode::AppServer, attempt: 2, ..receipt(event, &content) }
}
