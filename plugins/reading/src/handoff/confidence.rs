//! How sure a review is, and what it is short of.

use super::part::Part;

/// How sure a review is.
#[derive(Debug, PartialEq, Eq)]
pub struct Confidence<'v> {
    /// From 0 to 100.
    pub hundredths: u8,
    /// Its name, such as `fair`.
    pub band: &'v str,
    /// Why it is not more.
    pub limits: Vec<&'v str>,
    /// What was not known.
    pub gaps: Vec<Gap<'v>>,
}

/// Something that was not known.
#[derive(Debug, PartialEq, Eq)]
pub struct Gap<'v> {
    /// What.
    pub gap: &'v str,
    /// `closed`, `deferred` or `unresolved`.
    pub status: &'v str,
    /// What closed it, or why it stays.
    pub why: &'v str,
}

impl<'v> Confidence<'v> {
    pub(super) fn of(part: Part<'v, '_>) -> Self {
        Self {
            hundredths: part.hundredths("score"),
            band: part.text("band"),
            limits: part.texts("limits"),
            gaps: part.each("gaps", Gap::of),
        }
    }

    /// Such as `0.86`.
    pub fn score(&self) -> String {
        let digit = |number: u8| char::from(b'0' + number % 10);
        String::from_iter([digit(self.hundredths / 100), '.', digit(self.hundredths / 10), digit(self.hundredths)])
    }
}

impl<'v> Gap<'v> {
    fn of(part: Part<'v, '_>) -> Self {
        let why = part.optional_text("evidence").unwrap_or_else(|| part.text("rationale"));
        Self { gap: part.text("gap"), status: part.text("status"), why }
    }
}

/// What a gap or a limit takes from the score, and its words: `(-0.04) Not tried.` is `−0.04` and `Not tried.`.
pub fn deduction(told: &str) -> (Option<String>, &str) {
    let parts = told.strip_prefix("(-").and_then(|rest| rest.split_once(')'));
    match parts.and_then(|(number, words)| Some((number, words.strip_prefix(' ')?))) {
        Some((number, words)) if number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') => (Some(["−", number].concat()), words),
        _ => (None, told),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deduction_is_told_from_words() {
        assert_eq!(deduction("(-0.04) Not tried."), (Some("−0.04".to_owned()), "Not tried."));
        assert_eq!(deduction("(-all) of it"), (None, "(-all) of it"));
        assert_eq!(deduction("Not tried."), (None, "Not tried."));
    }
}
