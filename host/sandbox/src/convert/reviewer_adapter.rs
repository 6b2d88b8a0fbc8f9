//! Receipts for an adapter, and what it says of them (CR-62).

use code_polishy_core::{
    code_review::vocabulary::{Attestation, EventKind, PassMode},
    plugin::{ReceiptFacts, Verification},
};

use super::{Checked, line};
use crate::bindings::reviewer_adapter::exports::code_polishy::plugin::reviewer_adapter as wit;

/// The receipts as the contract has them.
pub fn receipts(receipts: &[ReceiptFacts]) -> Vec<wit::Receipt> {
    receipts.iter().map(receipt).collect()
}

fn receipt(receipt: &ReceiptFacts) -> wit::Receipt {
    wit::Receipt {
        event: match receipt.event {
            EventKind::Dispatched => wit::Event::Dispatched,
            EventKind::Delivered => wit::Event::Delivered,
            EventKind::Started => wit::Event::Started,
            EventKind::Completed => wit::Event::Completed,
            EventKind::Joined => wit::Event::Joined,
            EventKind::Refused => wit::Event::Refused,
        },
        role: receipt.role.clone(),
        attempt: receipt.attempt,
        mode: match receipt.mode {
            PassMode::Spawned => wit::Mode::Spawned,
            PassMode::AppServer => wit::Mode::AppServer,
            // A substitute has no receipts: whoever hands one in gets the mode that claims least.
            PassMode::Inspection | PassMode::Substituted => wit::Mode::Inspection,
        },
        reviewer_id: receipt.reviewer_id.clone(),
        at: receipt.at.clone(),
        context_sha256: receipt.context_sha256.clone(),
        output_sha256: receipt.output_sha256.clone(),
        content: receipt.content.clone(),
    }
}

/// Bytes that the receipts take in the guest.
pub fn receipts_size(receipts: &[ReceiptFacts]) -> usize {
    let digests =
        |receipt: &ReceiptFacts| [&receipt.context_sha256, &receipt.output_sha256].into_iter().flatten().map(String::len).sum::<usize>();
    let one = |receipt: &ReceiptFacts| {
        receipt.content.len() + receipt.role.len() + receipt.reviewer_id.len() + receipt.at.len() + digests(receipt) + 64
    };
    receipts.iter().map(one).sum()
}

/// Checks what the adapter says.
pub fn verification(said: wit::Attestation) -> Checked<Verification> {
    line("the reason", &said.reason, 1 << 10)?;
    let answer = match said.answer {
        wit::Answer::Attested => Attestation::Attested,
        wit::Answer::Rejected => Attestation::Rejected,
        wit::Answer::Inconclusive => Attestation::Inconclusive,
    };
    Ok(Verification { answer, reason: said.reason })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convert::AnswerError;

    #[test]
    fn a_reason_is_one_short_line() {
        let said = |reason: &str| verification(wit::Attestation { answer: wit::Answer::Rejected, reason: reason.to_owned() });
        assert_eq!(said("").expect("valid").answer, Attestation::Rejected);
        assert!(matches!(said("two\nlines"), Err(AnswerError::Bad(_))));
        assert!(matches!(said(&"x".repeat(1025)), Err(AnswerError::TooLarge(_))));
    }
}
