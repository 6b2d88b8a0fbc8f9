//! The parts that lines are made of. Styles are written always; the console takes them out where they are not wanted.

use anstyle::{AnsiColor, Style};
use code_polishy_core::text::{escape_line, foreign_lines};

/// Accepted.
pub const GOOD: Style = AnsiColor::Green.on_default().bold();
/// Refused.
pub const BAD: Style = AnsiColor::Red.on_default().bold();
/// Asked for.
pub const OPEN: Style = AnsiColor::Yellow.on_default().bold();
/// Secondary.
pub const FAINT: Style = Style::new().dimmed();
/// The step to take.
pub const STRONG: Style = Style::new().bold();

/// The text in a style.
pub fn paint(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

/// `a, b`, or `none`.
pub fn list<T: AsRef<str>>(items: &[T]) -> String {
    if items.is_empty() {
        return "none".to_owned();
    }
    items.iter().map(|item| escape_line(item.as_ref())).collect::<Vec<_>>().join(", ")
}

/// The last line of everything that is missing or refused (BR-10).
pub fn next(step: &str) -> String {
    format!("{} {}", paint(STRONG, "NEXT:"), escape_line(step))
}

/// Something that the reader should know.
pub fn note(text: &str) -> String {
    format!("{} {}", paint(OPEN, "NOTE:"), escape_line(text))
}

/// One of the two state lines of 8.2, with its state in colour.
pub fn state(line: &str) -> String {
    let line = escape_line(line);
    let Some((label, state)) = line.split_once(": ") else { return line };
    let style = [("PASSED", GOOD), ("FAILED", BAD), ("REQUIRED", OPEN)].into_iter().find(|(word, _)| state.starts_with(word));
    match style {
        Some((word, style)) => format!("{label}: {}{}", paint(style, word), &state[word.len()..]),
        None => line,
    }
}

/// Foreign text of several lines, each behind a bar, so that none of them reads as a line of ours.
pub fn quoted(text: &str) -> impl Iterator<Item = String> + '_ {
    foreign_lines(text, "  | ")
}

/// `1 finding`, `2 findings`.
pub fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

/// Bytes as people read them.
pub fn size(bytes: usize) -> String {
    match bytes {
        0..1024 => format!("{bytes} B"),
        1024..1_048_576 => format!("{}.{} KiB", bytes >> 10, (bytes & 1023) * 10 / 1024),
        _ => format!("{}.{} MiB", bytes >> 20, (bytes & 0xf_ffff) * 10 / 1_048_576),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_list_is_none() {
        assert_eq!((list::<&str>(&[]), list(&["a", "b\n"])), ("none".to_owned(), "a, b\\n".to_owned()));
    }

    #[test]
    fn sizes_keep_one_digit() {
        assert_eq!([size(1023), size(1536), size(3 << 20)], ["1023 B", "1.5 KiB", "3.0 MiB"]);
    }

    #[test]
    fn only_the_state_is_coloured() {
        let line = state("BEHAVIOR REVIEW: PASSED (all changes, checkout)");
        assert_eq!(anstream::adapter::strip_str(&line).to_string(), "BEHAVIOR REVIEW: PASSED (all changes, checkout)");
        assert!(line.starts_with("BEHAVIOR REVIEW: \u{1b}[") && line.ends_with(" (all changes, checkout)"));
        assert_eq!(state("FINAL STATE: NOT RUN (optional)"), "FINAL STATE: NOT RUN (optional)");
    }
}
