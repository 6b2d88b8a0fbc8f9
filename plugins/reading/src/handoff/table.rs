//! The tables of a review that judged the source: what is under review, and what has to change.

use super::part::Part;

/// What is under review.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Snapshot<'v> {
    /// Such as `PR Snapshot`.
    pub title: &'v str,
    /// What the change does, in the reviewers' words.
    pub summary: &'v str,
    /// Fields and values.
    pub rows: Vec<Vec<&'v str>>,
    /// Who judged it.
    pub reviewers: Vec<Reviewer<'v>>,
    /// `complete`, `incomplete` or `blocked`.
    pub readiness: &'v str,
}

/// Who judged the source, and how.
#[derive(Debug, PartialEq, Eq)]
pub struct Reviewer<'v> {
    /// The reviewer's label.
    pub role: &'v str,
    /// From 1 to 5; nothing without a judgment.
    pub rating: Option<i64>,
    /// The file with the answer.
    pub evidence: &'v str,
}

/// A finding or a blocker.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Action<'v> {
    /// Its id.
    pub id: &'v str,
    /// Its name.
    pub title: &'v str,
    /// Whose finding it is.
    pub authors: Vec<&'v str>,
    /// What has to be done.
    pub change: &'v str,
    /// What shows it, joined by `; `.
    pub evidence: &'v str,
    /// Such as `Minor change`.
    pub status: &'v str,
    /// What happens; a blocker has none.
    pub summary: Option<&'v str>,
    /// What shows that it is mended; a blocker has none.
    pub closure: Option<&'v str>,
}

impl<'v> Snapshot<'v> {
    pub(super) fn of(title: &'v str, part: Part<'v, '_>) -> Self {
        Self {
            title,
            summary: part.text("summary"),
            rows: part.each("rows", |row| row.texts("cells")),
            reviewers: part.each("reviewers", Reviewer::of),
            readiness: part.text("verification_readiness"),
        }
    }

    /// The value of a field.
    pub fn field(&self, name: &str) -> Option<&'v str> {
        let row = self.rows.iter().find(|row| row.first() == Some(&name))?;
        row.get(1).copied()
    }
}

impl<'v> Reviewer<'v> {
    fn of(part: Part<'v, '_>) -> Self {
        Self { role: part.text("role"), rating: part.integer("rating"), evidence: part.text("evidence") }
    }
}

impl<'v> Action<'v> {
    pub(super) fn of(part: Part<'v, '_>) -> Self {
        let cells = part.texts("cells");
        let [id, change, evidence, status] = cells[..] else {
            part.miss("cells");
            return Self::default();
        };
        Self {
            id,
            title: part.text("title"),
            authors: part.texts("authors"),
            change,
            evidence,
            status,
            summary: part.optional_text("summary"),
            closure: part.optional_text("closure_evidence"),
        }
    }
}
