//! Hunks: grouping edits, writing them as git does, and the source around them.

use std::ops::Range;

use super::{PatchHunk, SourceContext};

/// Unchanged lines on each side of an edit.
pub const CONTEXT_LINES: usize = 3;

/// Candidate lines shown on each side of a hunk.
pub const SOURCE_RADIUS: usize = 20;

/// Lines (from 0) that were replaced, and what replaced them. Edits are sorted and do not touch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// In the old text; empty for an insertion.
    pub before: Range<usize>,
    /// In the new text; empty for a removal.
    pub after: Range<usize>,
}

/// The hunks of two texts, given as lines with their line ends, that differ by `edits`.
pub(super) fn hunks(old: &[&str], new: &[&str], edits: &[Edit], with_source: bool) -> Vec<PatchHunk> {
    edits
        .chunk_by(|left, right| right.before.start - left.before.end <= 2 * CONTEXT_LINES)
        .map(|group| hunk(old, new, group, with_source))
        .collect()
}

fn hunk(old: &[&str], new: &[&str], edits: &[Edit], with_source: bool) -> PatchHunk {
    let (first, last) = (&edits[0], &edits[edits.len() - 1]);
    let lead = first.before.start.min(CONTEXT_LINES);
    let tail = (old.len() - last.before.end).min(CONTEXT_LINES);
    let before = first.before.start - lead..last.before.end + tail;
    let after = first.after.start - lead..last.after.end + tail;
    let header = format!("@@ -{} +{} @@\n", side(&before), side(&after));
    let mut text = String::with_capacity(header.len() + room(&old[before.clone()]) + room(&new[after.clone()]));
    text.push_str(&header);
    let mut next = before.start;
    for edit in edits {
        push(&mut text, ' ', &old[next..edit.before.start]);
        push(&mut text, '-', &old[edit.before.clone()]);
        push(&mut text, '+', &new[edit.after.clone()]);
        next = edit.before.end;
    }
    push(&mut text, ' ', &old[next..before.end]);
    PatchHunk {
        candidate_start: number(first_line(&after)),
        candidate_lines: number(after.len()),
        text,
        context: with_source.then(|| source(new, &after)).flatten(),
    }
}

/// `start,count` from 1; git leaves out a count of one and counts an empty side from the line before it.
fn side(lines: &Range<usize>) -> String {
    match lines.len() {
        1 => first_line(lines).to_string(),
        count => format!("{},{count}", first_line(lines)),
    }
}

fn first_line(lines: &Range<usize>) -> usize {
    if lines.is_empty() { lines.start } else { lines.start + 1 }
}

/// Bytes of the lines with their signs.
fn room(lines: &[&str]) -> usize {
    lines.iter().map(|line| line.len() + 1).sum()
}

fn push(text: &mut String, sign: char, lines: &[&str]) {
    for line in lines {
        text.push(sign);
        text.push_str(line);
        if !line.ends_with('\n') {
            text.push_str("\n\\ No newline at end of file\n");
        }
    }
}

/// The candidate around a hunk; nothing when the candidate has no lines.
fn source(new: &[&str], hunk: &Range<usize>) -> Option<SourceContext> {
    if new.is_empty() {
        return None;
    }
    let start = hunk.start.saturating_sub(SOURCE_RADIUS);
    let end = (hunk.end + SOURCE_RADIUS).min(new.len());
    Some(SourceContext { start_line: number(start + 1), end_line: number(end), content: new[start..end].concat() })
}

fn number(lines: usize) -> u32 {
    u32::try_from(lines).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(count: usize, changed: &[usize]) -> Vec<String> {
        (1..=count).map(|line| if changed.contains(&line) { format!("new {line}\n") } else { format!("line {line}\n") }).collect()
    }

    fn replaced(line: usize) -> Edit {
        Edit { before: line - 1..line, after: line - 1..line }
    }

    #[test]
    fn joins_edits_that_share_context() {
        let (old, new) = (text(60, &[]), text(60, &[10, 17, 25]));
        let [old, new] = [&old, &new].map(|text| text.iter().map(String::as_str).collect::<Vec<_>>());
        let hunks = hunks(&old, &new, &[replaced(10), replaced(17), replaced(25)], true);
        let headers: Vec<_> = hunks.iter().map(|hunk| hunk.text.lines().next().unwrap_or_default().to_owned()).collect();
        assert_eq!(headers, ["@@ -7,14 +7,14 @@", "@@ -22,7 +22,7 @@"]);
        let context = hunks[1].context.as_ref().expect("text has context");
        assert_eq!((context.start_line, context.end_line), (2, 48));
        assert!(context.content.starts_with("line 2\n") && context.content.ends_with("line 48\n"));
    }

    #[test]
    fn writes_empty_sides_and_missing_line_ends() {
        let added = hunks(&[], &["only"], &[Edit { before: 0..0, after: 0..1 }], true);
        assert_eq!(added[0].text, "@@ -0,0 +1 @@\n+only\n\\ No newline at end of file\n");
        let emptied = hunks(&["a\n", "b\n"], &[], &[Edit { before: 0..2, after: 0..0 }], true);
        assert_eq!(emptied[0].text, "@@ -1,2 +0,0 @@\n-a\n-b\n");
        assert_eq!((emptied[0].candidate_start, emptied[0].candidate_lines), (0, 0));
        assert_eq!(emptied[0].context, None);
    }
}
