//! `review-notes.md`, parsed as CommonMark with tables (CR-116).

/// The file's name.
pub const NOTES_FILE: &str = "review-notes.md";

/// The parsed notes.
#[derive(Clone, Debug, PartialEq)]
pub struct Notes {
    /// Sections of level 2, in order.
    pub sections: Vec<Section>,
}

/// A level-2 heading and what follows it.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    /// The heading's text.
    pub title: String,
    /// The heading's line, from 1.
    pub line: u32,
}
