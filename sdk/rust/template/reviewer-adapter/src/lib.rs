//! Compares what a receipt says with the event that it came with. Nothing shows who wrote it, so it never attests: a real adapter checks a signature.

use code_polishy_sdk::reviewer_adapter::{Attestation, Receipt};
use code_polishy_sdk::serde_json::{self, Value};
use code_polishy_sdk::{Failure, NoOptions, ReviewerAdapter};

struct Plugin;

impl ReviewerAdapter for Plugin {
    type Options = NoOptions;

    fn verify(run_id: &str, receipts: &[Receipt], _: &NoOptions) -> Result<Attestation, Failure> {
        let Some(receipt) = receipts.last() else { return Ok(Attestation::inconclusive("there is no receipt")) };
        let Ok(said) = serde_json::from_slice::<Value>(&receipt.content) else { return Ok(Attestation::rejected("it is no JSON")) };
        let wanted = [("run", run_id), ("reviewer", receipt.reviewer_id.as_str()), ("event", receipt.event.name())];
        Ok(match wanted.into_iter().find(|(key, value)| said[*key] != *value) {
            Some((key, _)) => Attestation::rejected(format!("`{key}` is another one")),
            None => Attestation::inconclusive("it fits, and anybody can have written it"),
        })
    }
}

code_polishy_sdk::export_reviewer_adapter!(Plugin);

#[cfg(test)]
mod tests {
    use super::*;
    use code_polishy_sdk::reviewer_adapter::{Answer, Event, Mode};

    fn answer(content: &str) -> Answer {
        let receipt = Receipt {
            event: Event::Started,
            role: "sw-engineer".to_owned(),
            attempt: 1,
            mode: Mode::Spawned,
            reviewer_id: "r-1".to_owned(),
            at: "2026-01-31T12:00:00Z".to_owned(),
            context_sha256: None,
            output_sha256: None,
            content: content.as_bytes().to_vec(),
        };
        Plugin::verify("run-7", &[receipt], &NoOptions {}).expect("an answer").answer
    }

    #[test]
    fn a_receipt_of_something_else_is_rejected() {
        assert_eq!(answer(r#"{"run":"run-6","reviewer":"r-1","event":"started"}"#), Answer::Rejected);
        assert_eq!(answer(r#"{"run":"run-7","reviewer":"r-1","event":"joined"}"#), Answer::Rejected);
        assert_eq!(answer("started"), Answer::Rejected);
    }

    #[test]
    fn what_nothing_shows_is_not_attested() {
        assert_eq!(answer(r#"{"run":"run-7","reviewer":"r-1","event":"started"}"#), Answer::Inconclusive);
    }
}
