//! Receipts that are signed here, with keys that nobody else has.

use code_polishy_sdk::reviewer_adapter::{Answer, Event, Mode};
use ed25519_compact::{KeyPair, Seed};

use super::*;

fn pair(seed: u8) -> KeyPair {
    KeyPair::from_seed(Seed::new([seed; 32]))
}

fn digits(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn options(seeds: &[u8]) -> Options {
    Options { keys: seeds.iter().map(|seed| digits(&*pair(*seed).pk)).collect() }
}

fn event(event: Event) -> Receipt {
    Receipt {
        event,
        role: "sw-engineer".to_owned(),
        attempt: 1,
        mode: Mode::Spawned,
        reviewer_id: "r-1".to_owned(),
        at: "2026-01-31T12:00:00Z".to_owned(),
        context_sha256: None,
        output_sha256: (event == Event::Completed).then(|| "a".repeat(64)),
        content: Vec::new(),
    }
}

fn signed(receipt: Receipt, seed: u8, session: &str) -> Receipt {
    let text = statement("run-7", &receipt, session);
    let signature = pair(seed).sk.sign(text.as_bytes(), None);
    Receipt { content: format!("{text}signature: {}\n", digits(&*signature)).into_bytes(), ..receipt }
}

fn said(receipts: &[Receipt], options: &Options) -> Attestation {
    Receipts::verify("run-7", receipts, options).expect("an answer")
}

#[test]
fn what_a_known_key_signed_about_the_event_is_attested() {
    let receipts = [signed(event(Event::Started), 1, "s"), signed(event(Event::Completed), 1, "s")];
    assert_eq!(said(&receipts[..1], &options(&[1])).answer, Answer::Attested);
    assert_eq!(said(&receipts, &options(&[2, 1])), Attestation::attested("signed in session s"));
}

#[test]
fn another_key_another_event_and_another_session_are_rejected() {
    let started = signed(event(Event::Started), 1, "s");
    assert_eq!(said(std::slice::from_ref(&started), &options(&[2])), Attestation::rejected("no known key signed it"));
    let moved = Receipt { event: Event::Completed, ..started.clone() };
    assert_eq!(said(&[moved], &options(&[1])), Attestation::rejected("it says `event: started`, the event `event: completed`"));
    let late = Receipt { at: "2026-01-31T12:00:01Z".to_owned(), ..started.clone() };
    assert_eq!(said(&[late], &options(&[1])).answer, Answer::Rejected);
    let other = [started, signed(event(Event::Completed), 1, "t")];
    assert_eq!(said(&other, &options(&[1])).answer, Answer::Rejected);
}

#[test]
fn one_changed_byte_is_no_receipt() {
    let whole = signed(event(Event::Started), 1, "s");
    for index in 0..whole.content.len() - 1 {
        let mut receipt = whole.clone();
        receipt.content[index] ^= 1;
        assert_eq!(said(&[receipt], &options(&[1])).answer, Answer::Rejected, "{index}");
    }
}

#[test]
fn without_a_key_nothing_can_be_told() {
    let receipt = signed(event(Event::Started), 1, "s");
    assert_eq!(said(&[receipt.clone()], &Options::default()).answer, Answer::Inconclusive);
    for key in ["", "xyz", &"A".repeat(64), &"0".repeat(63)] {
        let options = Options { keys: vec![key.to_owned()] };
        assert_eq!(Receipts::verify("run-7", std::slice::from_ref(&receipt), &options).expect_err("no key").code, "bad-key");
    }
}
