//! One line of the protocol, its indent already taken.

/// What a line is.
#[derive(Debug, PartialEq, Eq)]
pub enum Line {
    /// `TAP version 14`.
    Version,
    /// `1..3`, or `1..0 # SKIP why`.
    Plan(usize),
    /// `ok 1 - adds two`.
    Point(Told),
    /// `# Subtest: table`.
    Subtest,
    /// `Bail out! why`.
    BailOut(String),
    /// The end of the subtests that `ok 1 - table {` opened.
    Close,
}

/// A test point as its line tells it.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Told {
    /// `ok`.
    pub ok: bool,
    /// As printed.
    pub number: Option<u32>,
    /// The description.
    pub name: String,
    /// What follows `#`.
    pub directive: Option<Directive>,
    /// It ends with `{`: its subtests follow.
    pub opens: bool,
}

/// What a point says about itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Directive {
    /// It did not run.
    Skip,
    /// It is expected to fail.
    Todo,
}

impl Line {
    /// `None` for what is no line of the protocol, and for comments.
    pub fn read(line: &str) -> Option<Self> {
        match line.as_bytes().first()? {
            b'o' => point(line.strip_prefix("ok")?, true),
            b'n' => point(line.strip_prefix("not ok")?, false),
            b'1' => plan(line),
            b'#' => line.starts_with("# Subtest: ").then_some(Self::Subtest),
            b'T' => line.strip_prefix("TAP version ")?.trim().parse::<u32>().ok().map(|_| Self::Version),
            b'B' => line.strip_prefix("Bail out!").map(|why| Self::BailOut(why.trim().to_owned())),
            b'}' => (line.trim_end() == "}").then_some(Self::Close),
            _ => None,
        }
    }
}

fn plan(line: &str) -> Option<Line> {
    let rest = line.strip_prefix("1..")?;
    let end = rest.find(|char: char| !char.is_ascii_digit()).unwrap_or(rest.len());
    let comment = rest[end..].trim();
    let points = rest[..end].parse().ok()?;
    (comment.is_empty() || comment.starts_with('#')).then_some(Line::Plan(points))
}

fn point(rest: &str, ok: bool) -> Option<Line> {
    if !rest.is_empty() && !rest.starts_with([' ', '\t']) {
        return None;
    }
    let rest = rest.trim();
    let end = rest.find(|char: char| !char.is_ascii_digit()).unwrap_or(rest.len());
    let number = rest[..end].parse().ok().filter(|_| rest[end..].is_empty() || rest[end..].starts_with([' ', '\t']));
    let rest = if number.is_some() { rest[end..].trim_start() } else { rest };
    let rest = rest.strip_prefix("- ").unwrap_or(if rest == "-" { "" } else { rest });
    let opens = rest == "{" || rest.ends_with(" {");
    let rest = if opens { rest[..rest.len() - 1].trim_end() } else { rest };
    let (name, directive) = directive(rest);
    Some(Line::Point(Told { ok, number, name: unescaped(without_time(name)), directive, opens }))
}

/// The description and its directive. A `#` that says something else belongs to the description, unless it tells a time.
fn directive(text: &str) -> (&str, Option<Directive>) {
    for (at, _) in text.match_indices('#') {
        let escapes = text[..at].bytes().rev().take_while(|byte| *byte == b'\\').count();
        if escapes % 2 == 1 || !(at == 0 || text[..at].ends_with([' ', '\t'])) {
            continue;
        }
        let said = text[at + 1..].trim_start();
        let starts = |word: &str| said.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
        let found = if starts("skip") {
            Some(Directive::Skip)
        } else if starts("todo") {
            Some(Directive::Todo)
        } else if starts("time=") {
            None
        } else {
            continue;
        };
        return (text[..at].trim_end(), found);
    }
    (text, None)
}

/// Without the ` in 32ms` that bats adds: a name has to be the same in every run.
fn without_time(name: &str) -> &str {
    let timed = name.strip_suffix("ms").map(|rest| rest.trim_end_matches(|char: char| char.is_ascii_digit()));
    timed.filter(|rest| rest.len() + 2 < name.len()).and_then(|rest| rest.strip_suffix(" in ")).unwrap_or(name)
}

/// `\#` is `#`, `\\` is `\`.
fn unescaped(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    let mut chars = name.chars().peekable();
    while let Some(char) = chars.next() {
        match (char, chars.peek()) {
            ('\\', Some(next @ ('#' | '\\'))) => {
                text.push(*next);
                chars.next();
            }
            _ => text.push(char),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(line: &str) -> (bool, Option<u32>, String, Option<Directive>, bool) {
        match Line::read(line) {
            Some(Line::Point(told)) => (told.ok, told.number, told.name, told.directive, told.opens),
            other => panic!("{line:?} is {other:?}"),
        }
    }

    #[test]
    fn points_are_read() {
        use Directive::{Skip, Todo};
        for (line, ok, number, name, directive, opens) in [
            ("ok", true, None, "", None, false),
            ("not ok", false, None, "", None, false),
            ("ok 1", true, Some(1), "", None, false),
            ("ok 1 - adds two", true, Some(1), "adds two", None, false),
            ("ok 1 adds two", true, Some(1), "adds two", None, false),
            ("ok - adds", true, None, "adds", None, false),
            ("ok 2nd try", true, None, "2nd try", None, false),
            ("not ok 2 - two \\# hash \\\\", false, Some(2), "two # hash \\", None, false),
            ("ok 3 - fixes # 12 and #13", true, Some(3), "fixes # 12 and #13", None, false),
            ("ok 4 # skip not today", true, Some(4), "", Some(Skip), false),
            ("ok 4 - a#b # SKIP", true, Some(4), "a#b", Some(Skip), false),
            ("not ok 5 - todo # TODO some day", false, Some(5), "todo", Some(Todo), false),
            ("not ok 5 - x \\# TODO no", false, Some(5), "x # TODO no", None, false),
            ("ok 6 - nested # time=2.302ms", true, Some(6), "nested", None, false),
            ("ok 6 - nested # time=2.302ms {", true, Some(6), "nested", None, true),
            ("ok 7 adds in 32ms", true, Some(7), "adds", None, false),
            ("ok 7 later in 28ms # skip later", true, Some(7), "later", Some(Skip), false),
            ("ok 8 runs in ms", true, Some(8), "runs in ms", None, false),
        ] {
            assert_eq!(told(line), (ok, number, name.to_owned(), directive, opens), "{line}");
        }
    }

    #[test]
    fn other_lines_are_read() {
        assert_eq!(Line::read("TAP version 14"), Some(Line::Version));
        assert_eq!(Line::read("1..3"), Some(Line::Plan(3)));
        assert_eq!(Line::read("1..0 # SKIP no network"), Some(Line::Plan(0)));
        assert_eq!(Line::read("# Subtest: table"), Some(Line::Subtest));
        assert_eq!(Line::read("Bail out!  gone"), Some(Line::BailOut("gone".into())));
        assert_eq!(Line::read("}"), Some(Line::Close));
        for noise in [
            "",
            "okay",
            "not okay",
            "nothing",
            "1..x",
            "1.. 3",
            "1..3 times",
            "# note",
            "pragma +strict",
            "TAP version x",
            "1..99999999999999999999",
            "ö",
        ] {
            assert_eq!(Line::read(noise), None, "{noise}");
        }
    }
}
