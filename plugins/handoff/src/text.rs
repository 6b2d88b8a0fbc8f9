//! Texts of the review on lines of the report: in their own words, and each where it belongs.

/// A paragraph or the rest of a list item: one line that starts no block of its own.
pub fn line(text: &str) -> String {
    let words = text.split('\n').map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
    let line = visible(&words);
    match marker(&line) {
        Some(at) => format!("{}\\{}", &line[..at], &line[at..]),
        None => line,
    }
}

/// A table row.
pub fn row<'c>(cells: impl IntoIterator<Item = &'c str>) -> String {
    let cells: Vec<String> = cells.into_iter().map(cell).collect();
    format!("| {} |", cells.join(" | "))
}

/// A table: its header, the divider and its rows.
pub fn table(columns: &[&str], rows: impl IntoIterator<Item = String>) -> String {
    let divider = vec!["---"; columns.len()];
    let lines = [row(columns.iter().copied()), row(divider)].into_iter().chain(rows);
    lines.collect::<Vec<_>>().join("\n")
}

/// A list.
pub fn list(items: impl IntoIterator<Item = String>) -> String {
    items.into_iter().map(|item| format!("- {}", line(&item))).collect::<Vec<_>>().join("\n")
}

/// A line that opens a block.
pub fn heading(title: &str) -> String {
    format!("**{}**", line(title))
}

fn cell(text: &str) -> String {
    let escaped = visible(text).replace('\\', "\\\\").replace('|', "\\|");
    escaped.replace('\n', "<br>")
}

/// Control characters are shown, so that no terminal obeys them.
fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_control() && !matches!(character, '\n' | '\t') {
            shown.extend(character.escape_unicode());
        } else {
            shown.push(character);
        }
    }
    shown
}

/// Where the first characters would start a heading, a list, a quote, a table, a rule, a fence or an element.
fn marker(line: &str) -> Option<usize> {
    let digits = line.len() - line.trim_start_matches(|character: char| character.is_ascii_digit()).len();
    let rest = &line[digits..];
    let ends = |rest: &str| rest.is_empty() || rest.starts_with([' ', '\t']);
    let starts = match digits {
        0 => {
            rest.starts_with(['>', '|', '<'])
                || rest.starts_with("```")
                || rest.starts_with("~~~")
                || ends(rest.trim_start_matches('#')) && rest.starts_with('#')
                || rest.strip_prefix(['-', '+', '*']).is_some_and(ends)
                || is_rule(rest)
        }
        _ => rest.strip_prefix(['.', ')']).is_some_and(ends),
    };
    starts.then_some(digits)
}

/// Three or more of one of these, with blanks or without.
fn is_rule(line: &str) -> bool {
    ['-', '*', '_', '='].iter().any(|mark| {
        let marks = line.matches(*mark).count();
        marks >= 3 && line.chars().all(|character| character == *mark || character == ' ')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_one_line_in_its_own_words() {
        assert_eq!(line("It `keeps` <limits>, *all* of them.\n\n  And #7. "), "It `keeps` <limits>, *all* of them. And #7.");
        assert_eq!(line("a\u{1b}[31mred"), r"a\u{1b}[31mred");
    }

    #[test]
    fn a_line_starts_no_block() {
        for (text, safe) in [
            ("# a", r"\# a"),
            ("###", r"\###"),
            ("- a", r"\- a"),
            ("* a", r"\* a"),
            ("> a", r"\> a"),
            ("| a |", r"\| a |"),
            ("```sh", r"\```sh"),
            ("~~~", r"\~~~"),
            ("<!-- a", r"\<!-- a"),
            ("12. a", r"12\. a"),
            ("- - -", r"\- - -"),
            ("===", r"\==="),
            ("#7 is open", "#7 is open"),
            ("-5 degrees", "-5 degrees"),
            ("**bold**", "**bold**"),
            ("1.5 times", "1.5 times"),
            ("`code`", "`code`"),
        ] {
            assert_eq!(line(text), safe);
        }
    }

    #[test]
    fn a_cell_ends_where_it_ends() {
        assert_eq!(row(["a|b", r"c\d", "e\nf"]), r"| a\|b | c\\d | e<br>f |");
        assert_eq!(table(&["A", "B"], [row(["1", "2"])]), "| A | B |\n| --- | --- |\n| 1 | 2 |");
    }
}
