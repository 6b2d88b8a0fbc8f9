//! Putting a path's patch together: git's headers, hunks, and one summary for what has no lines (BR-44, BR-45).
//!
//! The text is what `git diff --full-index --no-renames --diff-algorithm=myers` prints, but for four things. The function after `@@` is left
//! out, because it depends on configurable patterns. A change without lines (binary, mode, over-size, empty) is one summary block. Bytes that
//! are no UTF-8 are escaped, under a marking line. A file that became a link or a submodule, or the reverse, is a deletion and an addition, as
//! in git, but counts as one path.

use std::fmt::Write;

use super::{Change, Edit, Entry, EntryMode, FilePatch, PatchHunk, hunk, quote_prefixed};

/// Stands before the hunks of text whose bytes are escaped.
const ESCAPED_MARK: &str = "not UTF-8: bytes are shown as \\xNN\n";

/// Why a change has no lines to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpaqueKind {
    /// A side has a NUL in its first 8000 bytes.
    Binary,
    /// Only the mode differs.
    Mode,
    /// A side is larger than 2 MiB.
    OverSize,
    /// An empty file was added or deleted.
    Empty,
}

impl OpaqueKind {
    fn name(self) -> &'static str {
        match self {
            Self::Binary => "binary",
            Self::Mode => "mode",
            Self::OverSize => "over-size",
            Self::Empty => "empty",
        }
    }
}

/// What the blobs of a change hold.
#[derive(Clone, Copy, Debug)]
pub enum Body<'a> {
    /// Lines with their line ends. A side that does not exist has none.
    Lines {
        /// At the base.
        old: &'a [&'a str],
        /// At the candidate.
        new: &'a [&'a str],
        /// How they differ: at least one.
        edits: &'a [Edit],
        /// The texts come from `content_escaped`.
        escaped: bool,
    },
    /// One summary block.
    Opaque {
        /// Why.
        kind: OpaqueKind,
        /// Bytes at the base.
        old_size: u64,
        /// Bytes at the candidate.
        new_size: u64,
    },
}

/// The patch of one path whose sides are of the same kind.
pub fn file_patch(change: &Change, body: Body<'_>) -> FilePatch {
    let mut text = header(change);
    let hunks = match body {
        Body::Lines { old, new, edits, escaped } => {
            if escaped {
                text.push_str(ESCAPED_MARK);
            }
            push_names(&mut text, change);
            hunk::hunks(old, new, edits, !escaped && change.new.as_ref().is_some_and(is_file))
        }
        Body::Opaque { kind, old_size, new_size } => vec![summary(change, kind, old_size, new_size)],
    };
    text.reserve_exact(hunks.iter().map(|hunk| hunk.text.len()).sum());
    hunks.iter().for_each(|hunk| text.push_str(&hunk.text));
    FilePatch { path: change.path.clone(), status: change.status(), text, hunks }
}

/// One patch for a path that changed its kind: the old one deleted, the new one added.
pub fn join(change: &Change, mut deleted: FilePatch, mut added: FilePatch) -> FilePatch {
    deleted.text.push_str(&added.text);
    deleted.hunks.append(&mut added.hunks);
    FilePatch { status: change.status(), ..deleted }
}

/// The patch of the whole change: what `patch_sha256` digests.
pub fn whole_text(files: &[FilePatch]) -> String {
    let mut text = String::with_capacity(files.iter().map(|file| file.text.len()).sum());
    files.iter().for_each(|file| text.push_str(&file.text));
    text
}

fn is_file(entry: &Entry) -> bool {
    matches!(entry.mode, EntryMode::File | EntryMode::Executable)
}

fn header(change: &Change) -> String {
    let mut text = format!("diff --git {} {}\n", quote_prefixed("a/", &change.path), quote_prefixed("b/", &change.path));
    let written = match (&change.old, &change.new) {
        (None, Some(new)) => writeln!(text, "new file mode {}\nindex {}..{}", new.mode.octal(), zeros(new), new.id),
        (Some(old), None) => writeln!(text, "deleted file mode {}\nindex {}..{}", old.mode.octal(), old.id, zeros(old)),
        (Some(old), Some(new)) => push_modified(&mut text, old, new),
        (None, None) => Ok(()),
    };
    written.expect("a string takes everything");
    text
}

fn push_modified(text: &mut String, old: &Entry, new: &Entry) -> std::fmt::Result {
    if old.mode == new.mode {
        return writeln!(text, "index {}..{} {}", old.id, new.id, new.mode.octal());
    }
    writeln!(text, "old mode {}\nnew mode {}", old.mode.octal(), new.mode.octal())?;
    if old.id != new.id {
        writeln!(text, "index {}..{}", old.id, new.id)?;
    }
    Ok(())
}

fn zeros(entry: &Entry) -> String {
    "0".repeat(entry.id.len())
}

fn push_names(text: &mut String, change: &Change) {
    let tab = if change.path.contains(' ') { "\t" } else { "" };
    for (sign, prefix, entry) in [("---", "a/", &change.old), ("+++", "b/", &change.new)] {
        match entry {
            Some(_) => text.push_str(&format!("{sign} {}{tab}\n", quote_prefixed(prefix, &change.path))),
            None => text.push_str(&format!("{sign} /dev/null\n")),
        }
    }
}

/// The synthetic hunk that lets a finding cite a change without lines.
fn summary(change: &Change, kind: OpaqueKind, old_size: u64, new_size: u64) -> PatchHunk {
    let mut text = format!("Opaque change: {}\n", kind.name());
    for (sign, entry, size) in [('-', &change.old, old_size), ('+', &change.new, new_size)] {
        if let Some(entry) = entry {
            text.push_str(&format!("{sign}{} {} {size} bytes\n", entry.mode.octal(), entry.id));
        }
    }
    PatchHunk { candidate_start: 1, candidate_lines: 0, text, context: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(mode: EntryMode, digit: &str) -> Option<Entry> {
        Some(Entry { mode, id: digit.repeat(40) })
    }

    fn change(path: &str, old: Option<Entry>, new: Option<Entry>) -> Change {
        Change { path: path.to_owned(), old, new }
    }

    #[test]
    fn writes_a_new_file_with_a_tab_after_a_path_with_a_space() {
        let edits = [Edit { before: 0..0, after: 0..1 }];
        let patch = file_patch(
            &change("a b", None, entry(EntryMode::Executable, "1")),
            Body::Lines { old: &[], new: &["x\n"], edits: &edits, escaped: false },
        );
        let expected = format!(
            "diff --git a/a b b/a b\nnew file mode 100755\nindex {}..{}\n--- /dev/null\n+++ b/a b\t\n@@ -0,0 +1 @@\n+x\n",
            "0".repeat(40),
            "1".repeat(40)
        );
        assert_eq!(patch.text, expected);
    }

    #[test]
    fn summarises_a_mode_change_in_one_hunk() {
        let patch = file_patch(
            &change("run", entry(EntryMode::File, "1"), entry(EntryMode::Executable, "1")),
            Body::Opaque { kind: OpaqueKind::Mode, old_size: 3, new_size: 3 },
        );
        let id = "1".repeat(40);
        assert_eq!(patch.hunks.len(), 1);
        assert_eq!(patch.hunks[0].text, format!("Opaque change: mode\n-100644 {id} 3 bytes\n+100755 {id} 3 bytes\n"));
        assert!(patch.text.starts_with("diff --git a/run b/run\nold mode 100644\nnew mode 100755\nOpaque change"));
    }
}
