//! `files.txt`, `untracked.txt` and `numstat.txt`: one path a line, quoted as git quotes paths.

use super::Numstat;
use crate::patch::{FilePatch, quote};

/// One path a line.
pub fn path_lines<'a>(paths: impl IntoIterator<Item = &'a str>) -> String {
    paths.into_iter().map(|path| format!("{}\n", quote(path))).collect()
}

/// The rows of `git diff --numstat`.
pub fn numstat_lines(rows: &[Numstat]) -> String {
    let number = |number: Option<u64>| number.map_or_else(|| "-".to_owned(), |number| number.to_string());
    rows.iter().map(|row| format!("{}\t{}\t{}\n", number(row.added), number(row.deleted), quote(&row.path))).collect()
}

/// The paths of a list, in byte order, each once.
///
/// # Errors
/// The line, from 1, and what is wrong with it.
pub fn read_paths(text: &str) -> Result<Vec<String>, (u32, String)> {
    let paths = read_lines(text, unquote)?;
    match (1..).zip(paths.windows(2)).find(|(_, pair)| pair[0] >= pair[1]) {
        Some((line, pair)) => Err((line + 1, format!("`{}` does not come after `{}`", pair[1], pair[0]))),
        None => Ok(paths),
    }
}

/// The rows of `numstat.txt`.
///
/// # Errors
/// The line, from 1, and what is wrong with it.
pub fn read_numstat(text: &str) -> Result<Vec<Numstat>, (u32, String)> {
    read_lines(text, |line| {
        let mut cells = line.splitn(3, '\t');
        let mut cell = || cells.next().ok_or("three cells are due, divided by tabs");
        let (added, deleted, path) = (cell()?, cell()?, cell()?);
        Ok(Numstat { added: size(added)?, deleted: size(deleted)?, path: unquote(path)? })
    })
}

fn read_lines<T>(text: &str, read: impl Fn(&str) -> Result<T, &'static str>) -> Result<Vec<T>, (u32, String)> {
    if !text.is_empty() && !text.ends_with('\n') {
        return Err((1, "the last line has no end".to_owned()));
    }
    (1..).zip(text.split_terminator('\n')).map(|(number, line)| read(line).map_err(|reason| (number, reason.to_owned()))).collect()
}

fn size(cell: &str) -> Result<Option<u64>, &'static str> {
    if cell == "-" { Ok(None) } else { cell.parse().map(Some).map_err(|_| "a number of lines, or `-`, is due") }
}

/// The path that [`quote`] wrote.
fn unquote(text: &str) -> Result<String, &'static str> {
    const MALFORMED: &str = "the path is not quoted as git quotes it";
    let path = match text.strip_prefix('"') {
        None => text.to_owned(),
        Some(rest) => String::from_utf8(unescape(rest.strip_suffix('"').ok_or(MALFORMED)?).ok_or(MALFORMED)?).map_err(|_| MALFORMED)?,
    };
    if quote(&path) == text && is_relative(&path) { Ok(path) } else { Err(MALFORMED) }
}

/// A path that stays below the repository's root.
fn is_relative(path: &str) -> bool {
    path.split('/').all(|segment| !matches!(segment, "" | "." | ".."))
}

fn unescape(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes().iter().copied();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        bytes.push(match rest.next()? {
            b'a' => 0x07,
            b'b' => 0x08,
            b't' => b'\t',
            b'n' => b'\n',
            b'v' => 0x0b,
            b'f' => 0x0c,
            b'r' => b'\r',
            escaped @ (b'"' | b'\\') => escaped,
            first @ b'0'..=b'3' => [rest.next()?, rest.next()?]
                .into_iter()
                .try_fold(first - b'0', |value, digit| matches!(digit, b'0'..=b'7').then(|| value * 8 + (digit - b'0')))?,
            _ => return None,
        });
    }
    Some(bytes)
}

impl Numstat {
    /// The row of a canonical patch: its added and deleted lines; unknown for binary and over-size content.
    pub fn of(patch: &FilePatch) -> Self {
        let mut row = Self { added: Some(0), deleted: Some(0), path: patch.path.clone() };
        for hunk in &patch.hunks {
            match hunk.text.strip_prefix("Opaque change: ").and_then(|kind| kind.lines().next()) {
                Some("binary" | "over-size") => (row.added, row.deleted) = (None, None),
                Some(_) => {}
                None => {
                    let count = |sign: char| hunk.text.lines().filter(|line| line.starts_with(sign)).count() as u64;
                    row.added = row.added.map(|added| added + count('+'));
                    row.deleted = row.deleted.map(|deleted| deleted + count('-'));
                }
            }
        }
        row
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_read_as_they_are_written() {
        let paths = ["a\tb\n\"\\", "b c", "é"];
        let text = path_lines(paths);
        assert_eq!(text, "\"a\\tb\\n\\\"\\\\\"\nb c\n\"\\303\\251\"\n");
        assert_eq!(read_paths(&text).expect("valid"), paths);
        assert_eq!(read_paths("").expect("valid"), Vec::<String>::new());
    }

    #[test]
    fn a_list_that_was_changed_is_refused_with_its_line() {
        for (text, line) in
            [("b\na\n", 2), ("a\na\n", 2), ("a", 1), ("a\n\"b\"\n", 2), ("\"\\400\"\n", 1), ("../a\n", 1), ("a\n\nb\n", 2), ("/a\n", 1)]
        {
            assert_eq!(read_paths(text).expect_err("refused").0, line, "{text:?}");
        }
    }

    #[test]
    fn rows_are_read_as_they_are_written() {
        let row = |added, deleted, path: &str| Numstat { added, deleted, path: path.to_owned() };
        let rows = vec![row(Some(3), Some(0), "a b"), row(None, None, "é")];
        assert_eq!(read_numstat(&numstat_lines(&rows)).expect("valid"), rows);
        assert_eq!(read_numstat("1\t2\n").expect_err("refused").0, 1);
        assert_eq!(read_numstat("1\t2\ta\nx\t2\tb\n").expect_err("refused").0, 2);
    }
}
