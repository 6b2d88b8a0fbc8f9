//! Workflow commands, `::level key=value,…::message`: one line each, whatever they say.

use reading::foreign::{bounded, visible, visible_lines};

/// Characters of a path; one that is cut leads nowhere, and harms nobody.
const PATH: usize = 1_000;
/// Characters of a title; GitHub takes 255.
const TITLE: usize = 200;
/// Characters of a message; GitHub takes 64 KiB.
const MESSAGE: usize = 4_000;

/// How GitHub shows an annotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Red.
    Error,
    /// Blue.
    Notice,
}

/// An annotation; all of it is foreign text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Annotation {
    /// How it is shown.
    pub level: Level,
    /// A path of the repository, and a line in it.
    pub place: Option<(String, Option<u64>)>,
    /// In bold.
    pub title: String,
    /// Below the title.
    pub message: String,
}

impl Annotation {
    /// The command, without a line end.
    pub fn line(&self) -> String {
        let level = match self.level {
            Level::Error => "error",
            Level::Notice => "notice",
        };
        let place = self.place.as_ref().map(|(path, line)| {
            let line = line.map(|line| format!(",line={line}")).unwrap_or_default();
            format!("file={}{line},", property(&visible(&bounded(path, PATH))))
        });
        let title = property(&visible(&bounded(&self.title, TITLE)));
        format!("::{level} {}title={title}::{}", place.unwrap_or_default(), data(&visible_lines(&bounded(&self.message, MESSAGE))))
    }
}

/// What stands after `::`.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// What stands after `=`.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn annotation(title: &str, message: &str) -> Annotation {
        Annotation { level: Level::Error, place: None, title: title.to_owned(), message: message.to_owned() }
    }

    #[test]
    fn a_place_may_have_a_line() {
        let placed = |line| Annotation { place: Some(("src/a,b:c.rs".to_owned(), line)), ..annotation("unit", "wrong: 1, 2") }.line();
        assert_eq!(placed(Some(7)), "::error file=src/a%2Cb%3Ac.rs,line=7,title=unit::wrong: 1, 2");
        assert_eq!(placed(None), "::error file=src/a%2Cb%3Ac.rs,title=unit::wrong: 1, 2");
        assert_eq!(Annotation { level: Level::Notice, ..annotation("a", "b") }.line(), "::notice title=a::b");
    }

    #[test]
    fn no_text_ends_its_line_or_its_command() {
        let title = annotation("a,file=b::error::c\n::error::d\r%0A", "").line();
        assert_eq!(title, "::error title=a%2Cfile=b%3A%3Aerror%3A%3Ac\\u{a}%3A%3Aerror%3A%3Ad\\u{d}%250A::");
        let message = annotation("t", "one\n::error::two\r\n%0A::stop-commands::x\u{1b}[2J\rthree\u{2028}").line();
        assert_eq!(message, "::error title=t::one%0A::error::two%0A%250A::stop-commands::x\\u{1b}[2J\\u{d}three\\u{2028}");
    }

    #[test]
    fn what_is_long_is_cut() {
        let line = annotation(&"t".repeat(300), &"m".repeat(5_000)).line();
        assert!(line.contains("… (100 more characters)::") && line.ends_with("… (1000 more characters)"), "{line}");
    }
}
