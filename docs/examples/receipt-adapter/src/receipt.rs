//! The form of a receipt: lines `name: value` in a fixed order, and at last the signature of all bytes before its line.

use code_polishy_sdk::reviewer_adapter::{Mode, Receipt};
use ed25519_compact::Signature;

/// A receipt, taken apart.
pub struct Signed<'r> {
    /// What is signed, with the final line feed.
    pub statement: &'r [u8],
    /// The harness's own name for what it ran.
    pub session: &'r str,
    /// Of the statement.
    pub signature: Signature,
}

impl<'r> Signed<'r> {
    /// `None` for anything else: no text, no signature line at its end, no line `session`.
    pub fn read(content: &'r [u8]) -> Option<Self> {
        let text = str::from_utf8(content).ok()?;
        let start = text.trim_end_matches('\n').rfind('\n')? + 1;
        let (statement, last) = text.split_at(start);
        let signature = hex(last.trim_end_matches('\n').strip_prefix("signature: ")?)?;
        let session = statement.lines().find_map(|line| line.strip_prefix("session: "))?;
        Some(Self { statement: statement.as_bytes(), session, signature: Signature::from_slice(&signature).ok()? })
    }
}

/// What a receipt of this event says. A line for each fact, so that a fact of one cannot be read as that of another.
pub fn statement(run_id: &str, receipt: &Receipt, session: &str) -> String {
    let mode = match receipt.mode {
        Mode::Spawned => "spawned",
        Mode::AppServer => "app-server",
        Mode::Inspection => "inspection",
    };
    let digest = |digest: &Option<String>| digest.clone().unwrap_or_else(|| "-".to_owned());
    format!(
        "reviewer receipt 1\nrun: {run_id}\nevent: {}\nrole: {}\nattempt: {}\nmode: {mode}\nreviewer: {}\nat: {}\ncontext: {}\noutput: {}\n\
         session: {session}\n",
        receipt.event.name(),
        receipt.role,
        receipt.attempt,
        receipt.reviewer_id,
        receipt.at,
        digest(&receipt.context_sha256),
        digest(&receipt.output_sha256),
    )
}

/// Bytes of lower-case hex digits.
pub fn hex(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: &u8| match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    };
    let pair = |pair: &[u8]| match pair {
        [high, low] => Some(digit(high)? << 4 | digit(low)?),
        _ => None,
    };
    text.as_bytes().chunks(2).map(pair).collect()
}
