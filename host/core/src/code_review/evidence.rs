//! Coordinates in authored text, and what they point at (CR-83, CR-225).

/// `path:line`, `path:start-end` or the same after `base:`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Coordinate {
    /// In the base tree.
    pub base: bool,
    /// Repository-relative.
    pub path: String,
    /// From 1.
    pub start: u32,
    /// Not before the start.
    pub end: u32,
}

/// The file that a coordinate points at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resolved {
    /// Digest of the file.
    pub file_sha256: String,
    /// Its number of lines.
    pub lines: u32,
}
