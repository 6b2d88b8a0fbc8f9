//! A harness that runs reviewers signs a receipt for each event; this adapter knows its public keys, and attests what they signed.

mod receipt;

use code_polishy_sdk::reviewer_adapter::{Attestation, Receipt};
use code_polishy_sdk::{Failure, ReviewerAdapter, serde};
use ed25519_compact::PublicKey;

use receipt::{Signed, statement};

struct Receipts;

#[derive(Debug, Default, serde::Deserialize)]
#[serde(crate = "code_polishy_sdk::serde", default)]
struct Options {
    /// Public keys of the harness: 64 hex digits each, the old one beside the new one while a key is changed.
    keys: Vec<String>,
}

impl ReviewerAdapter for Receipts {
    type Options = Options;
    const OPTIONS_SCHEMA: &'static str = r#"{"type":"object","properties":{"keys":{"type":"array","items":{"type":"string","pattern":"^[0-9a-f]{64}$"}}},"additionalProperties":false}"#;

    fn verify(run_id: &str, receipts: &[Receipt], options: &Options) -> Result<Attestation, Failure> {
        let keys = options.keys.iter().map(|key| public_key(key)).collect::<Result<Vec<PublicKey>, Failure>>()?;
        let Some((judged, earlier)) = receipts.split_last() else { return Ok(Attestation::inconclusive("there is no receipt")) };
        if keys.is_empty() {
            return Ok(Attestation::inconclusive("no key is known: give the harness's in the option `keys`"));
        }
        let Some(signed) = Signed::read(&judged.content) else { return Ok(Attestation::rejected("it is no signed receipt")) };
        if !keys.iter().any(|key| key.verify(signed.statement, &signed.signature).is_ok()) {
            return Ok(Attestation::rejected("no known key signed it"));
        }
        let wanted = statement(run_id, judged, signed.session);
        if let Some((said, event)) = first_difference(signed.statement, &wanted) {
            return Ok(Attestation::rejected(format!("it says `{said}`, the event `{event}`")));
        }
        let is_another = |receipt: &Receipt| Signed::read(&receipt.content).is_none_or(|other| other.session != signed.session);
        if earlier.iter().any(is_another) {
            return Ok(Attestation::rejected("an earlier receipt of the attempt is of another session"));
        }
        Ok(Attestation::attested(format!("signed in session {}", signed.session)))
    }
}

code_polishy_sdk::export_reviewer_adapter!(Receipts);

fn public_key(text: &str) -> Result<PublicKey, Failure> {
    let bytes = receipt::hex(text).ok_or_else(|| bad_key(text))?;
    PublicKey::from_slice(&bytes).map_err(|_| bad_key(text))
}

fn bad_key(text: &str) -> Failure {
    Failure::new("bad-key", format!("`{}` is no public key", text.escape_debug())).hint("give 64 hex digits of an Ed25519 public key")
}

/// The first line that differs, of each.
fn first_difference(said: &[u8], wanted: &str) -> Option<(String, String)> {
    let said = String::from_utf8_lossy(said);
    if said == wanted {
        return None;
    }
    let (mut said, mut wanted) = (said.lines(), wanted.lines());
    loop {
        match (said.next(), wanted.next()) {
            (None, None) => return Some(("no more".to_owned(), "no more".to_owned())),
            (one, other) if one == other => {}
            (one, other) => return Some((short(one), short(other))),
        }
    }
}

/// A line that a reason of 1 KiB has room for.
fn short(line: Option<&str>) -> String {
    let plain = |character: char| if character.is_control() { ' ' } else { character };
    line.unwrap_or("nothing").chars().map(plain).take(100).collect()
}

#[cfg(test)]
mod tests;
