//! The canonical patch of a change (BR-44, BR-45), as values; the engine fills them from blobs.

mod assemble;
mod content;
mod hunk;
mod quote;

pub use assemble::{Body, OpaqueKind, file_patch, join, whole_text};
pub use content::{Content, MAX_TEXT_BYTES, content, content_escaped};
pub use hunk::{CONTEXT_LINES, Edit, SOURCE_RADIUS};
pub use quote::{quote, quote_prefixed};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What happened to a path between two trees. A rename is a deletion and an addition (BR-35).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ChangeStatus {
    /// Only in the candidate.
    Added,
    /// In both, with another mode or id.
    Modified,
    /// Only in the base.
    Deleted,
}

/// What a tree holds at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EntryMode {
    /// 100644
    File,
    /// 100755
    Executable,
    /// 120000
    Link,
    /// 160000
    Gitlink,
}

impl EntryMode {
    /// As git writes it.
    pub fn octal(self) -> &'static str {
        match self {
            Self::File => "100644",
            Self::Executable => "100755",
            Self::Link => "120000",
            Self::Gitlink => "160000",
        }
    }
}

/// A path's entry in one tree.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Entry {
    /// Kind and executable bit.
    pub mode: EntryMode,
    /// Full lower-case hex id of the blob or, for a gitlink, of the commit.
    pub id: String,
}

/// A changed path. Ordered by path bytes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Change {
    /// Repository-relative, `/`.
    pub path: String,
    /// At the base.
    pub old: Option<Entry>,
    /// At the candidate.
    pub new: Option<Entry>,
}

impl Change {
    /// What happened.
    pub fn status(&self) -> ChangeStatus {
        match (&self.old, &self.new) {
            (None, _) => ChangeStatus::Added,
            (_, None) => ChangeStatus::Deleted,
            _ => ChangeStatus::Modified,
        }
    }
}

/// Lines of the candidate around a hunk, from `start-20` to `end+20`, clipped to the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceContext {
    /// First line, from 1.
    pub start_line: u32,
    /// Last line.
    pub end_line: u32,
    /// The lines with their line ends.
    pub content: String,
}

/// One hunk of a file's patch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatchHunk {
    /// First line in the candidate as the hunk header gives it.
    pub candidate_start: u32,
    /// Lines in the candidate; 0 for a pure deletion.
    pub candidate_lines: u32,
    /// Header and lines; for an opaque change the synthetic summary.
    pub text: String,
    /// `None` for deleted, opaque or over-size files.
    pub context: Option<SourceContext>,
}

/// The canonical patch of one path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilePatch {
    /// Repository-relative, `/`.
    pub path: String,
    /// What happened.
    pub status: ChangeStatus,
    /// File header and hunks, ends with a line end.
    pub text: String,
    /// At least one: an opaque change (binary, mode, link, gitlink, over-size, empty file) has one synthetic hunk.
    pub hunks: Vec<PatchHunk>,
}
