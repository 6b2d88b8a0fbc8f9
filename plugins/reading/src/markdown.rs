//! Foreign text that stays text in Markdown: it makes no markup, no link, no mention, no line and no table cell.

use crate::foreign::visible;

/// Prose in a paragraph, a list item or a table cell: one line.
pub fn text(foreign: &str) -> String {
    let words = foreign.split_whitespace().map(word).collect::<Vec<_>>().join(" ");
    match marker(&words) {
        Some(at) => format!("{}\\{}", &words[..at], &words[at..]),
        None => words,
    }
}

/// What programs read, such as a path or a command, as a code span: one line, every character shown.
pub fn code(foreign: &str) -> String {
    let shown = visible(foreign);
    let longest = shown.split(|character| character != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    // A span takes one space away on each side, and has to have something in it.
    let padding = if shown.starts_with(['`', ' ']) || shown.ends_with(['`', ' ']) || shown.is_empty() { " " } else { "" };
    format!("{fence}{padding}{shown}{padding}{fence}")
}

/// The same in a table, whose cells end at every `|` that is not escaped, in code spans too.
pub fn code_cell(foreign: &str) -> String {
    code(foreign).replace('|', "\\|")
}

/// Hosts of Markdown turn addresses, mentions, references and `:names:` of plain text into links and pictures, but not those of code.
fn word(word: &str) -> String {
    let becomes_more = |part: &str| {
        part.contains(['@', '#']) || part.contains("://") || part.contains("www.") || is_reference(part) || names_a_picture(part)
    };
    let parts = word.split('|').map(|part| if becomes_more(part) { code(part) } else { escaped(part) });
    parts.collect::<Vec<_>>().join("\\|")
}

/// Such as `GH-3`.
fn is_reference(part: &str) -> bool {
    part.to_ascii_lowercase().split("gh-").skip(1).any(|rest| rest.starts_with(|character: char| character.is_ascii_digit()))
}

/// Such as `:tada:`; a time of day is none.
fn names_a_picture(part: &str) -> bool {
    let between = part.split_once(':').and_then(|(_, rest)| rest.rsplit_once(':')).map_or("", |(between, _)| between);
    between.contains(|character: char| character.is_ascii_alphabetic() || matches!(character, '+' | '-'))
}

fn escaped(part: &str) -> String {
    let mut safe = String::with_capacity(part.len());
    for character in visible(part).chars() {
        if matches!(character, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '&' | '~' | '$' | '!') {
            safe.push('\\');
        }
        safe.push(character);
    }
    safe
}

/// Where a line's first characters would start a list, a heading or a rule.
fn marker(line: &str) -> Option<usize> {
    let digits = line.len() - line.trim_start_matches(|character: char| character.is_ascii_digit()).len();
    let starts = if digits == 0 { ['-', '+', '='].as_slice() } else { &['.', ')'] };
    line[digits..].starts_with(starts).then_some(digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_makes_no_markup() {
        assert_eq!(
            text("a *b* _c_ `d` <b>e</b> [f](g) ![h] &amp; | ~i~ \\"),
            r"a \*b\* \_c\_ \`d\` \<b\>e\</b\> \[f\](g) \!\[h\] \&amp; \| \~i\~ \\"
        );
        assert_eq!(text("plain words, (1.5%) and a-b; c=d"), "plain words, (1.5%) and a-b; c=d");
    }

    #[test]
    fn prose_starts_no_block() {
        for (foreign, safe) in
            [("- a", r"\- a"), ("+ a", r"\+ a"), ("1. a", r"1\. a"), ("12) a", r"12\) a"), ("===", r"\==="), ("    a", "a")]
        {
            assert_eq!(text(foreign), safe);
        }
        assert_eq!(text("# a"), "`#` a");
        assert_eq!(text("2 files"), "2 files");
    }

    #[test]
    fn prose_stays_on_its_line() {
        assert_eq!(text("a\nb\r\n\n| c\u{1b}[0m"), r"a b \| c\\u{1b}\[0m");
        assert_eq!(text("a\u{202e}b"), r"a\\u{202e}b");
    }

    #[test]
    fn prose_makes_no_link_and_no_mention() {
        assert_eq!(text("see https://a.example, @b or #3"), "see `https://a.example,` `@b` or `#3`");
        assert_eq!(text("a|@b"), r"a\|`@b`");
        assert_eq!(text("GH-3 gh-12, high-level"), "`GH-3` `gh-12,` high-level");
        assert_eq!(text(":white_check_mark: a::b at 12:30:05"), "`:white_check_mark:` a::b at 12:30:05");
    }

    #[test]
    fn code_shows_every_character() {
        assert_eq!(code("src/a_b.rs"), "`src/a_b.rs`");
        assert_eq!(code("a`b``c"), "```a`b``c```");
        assert_eq!(code("`a"), "`` `a ``");
        assert_eq!(code(""), "`  `");
        assert_eq!(code("a\nb"), "`a\\u{a}b`");
        assert_eq!(code_cell("a|b"), "`a\\|b`");
    }
}
