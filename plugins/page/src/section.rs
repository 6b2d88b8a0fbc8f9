//! What the page is made of.

use maud::Markup;

/// A part of the page with a place in the table of contents.
pub struct Section {
    /// Anchor.
    pub id: &'static str,
    /// Heading.
    pub title: &'static str,
    /// What stands below the heading.
    pub content: Markup,
}
