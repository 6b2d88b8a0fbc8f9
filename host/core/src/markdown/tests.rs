use std::collections::BTreeMap;

use super::*;

/// Documents with their texts; every other path is a file without anchors, or a folder when it ends in `/`.
#[derive(Default)]
struct Sample {
    documents: BTreeMap<String, Document>,
    others: BTreeMap<String, Place>,
}

impl Sample {
    fn with(mut self, path: &str, text: &str) -> Self {
        self.documents.insert(path.to_owned(), Document::parse(path, text));
        self
    }

    fn and(mut self, path: &str, place: Place) -> Self {
        self.others.insert(path.to_owned(), place);
        self
    }

    fn violations(&self, path: &str) -> Vec<String> {
        let shown = |violation: Violation| {
            let code = violation.code.strip_prefix("documentation.").unwrap_or(violation.code).to_owned();
            violation.line.map_or(code.clone(), |line| format!("{line} {code}"))
        };
        check(&self.documents[path], self).into_iter().map(shown).collect()
    }
}

impl Tree for Sample {
    fn place(&self, path: &str) -> Option<Place> {
        if self.documents.contains_key(path) { Some(Place::File) } else { self.others.get(path).copied() }
    }

    fn anchors(&self, path: &str) -> Option<&BTreeSet<String>> {
        self.documents.get(path).map(Document::anchors)
    }
}

fn violations(text: &str) -> Vec<String> {
    Sample::default()
        .and("", Place::Folder)
        .and("docs", Place::Folder)
        .and("docs/a b.md", Place::File)
        .and("src/main.rs", Place::File)
        .and("vendor/lib", Place::Opaque)
        .with("README.md", "# Welcome\n")
        .with("docs/b.md", "# First\n\n## Second part\n\n<a name=\"old\"></a>\n")
        .with("docs/a.md", text)
        .violations("docs/a.md")
}

#[test]
fn a_good_document_has_no_violation() {
    let text = "---\ntitle: x\n---\n# Title\n\n[self](#title) [b](b.md#second-part) [old](b.md#old) <https://x.org> <a@b.org>\n\
        ![pic](/src/main.rs) [space](<a b.md>) [code](../src/main.rs#L3-L9) [up](..) [readme](/#welcome) [sub](/vendor/lib) [ref][B] [B] [none]\n\
        `[x](missing.md)`\n\n```\n[x](missing.md)\n```\n\n[b]: b.md?x=1#first \"title\"\n";
    assert_eq!(violations(text), Vec::<String>::new());
    assert_eq!(violations(""), Vec::<String>::new());
}

#[test]
fn text_ends_its_lines_cleanly() {
    assert_eq!(
        violations("one  \ntwo\t\r\nthree\r\n```\nx \n```\nlast"),
        ["1 trailing-white-space", "2 trailing-white-space", "5 trailing-white-space", "7 final-newline"]
    );
}

#[test]
fn links_lead_to_something_that_exists() {
    assert_eq!(violations("[a](missing.md)\n\n![b](c.png)\n\n[d](b.md/)\n"), ["1 broken-link", "3 broken-link", "5 broken-link"]);
    assert_eq!(violations("[a](../../x)\n[b]()\n[c](%ff)\n"), ["1 outside-link", "2 bad-link", "3 bad-link"]);
    assert_eq!(violations("[a](B.md)\n"), ["1 broken-link"]);
}

#[test]
fn fragments_lead_to_an_anchor() {
    assert_eq!(violations("# T\n\n[a](#t) [b](#T) [c](#t-1)\n"), ["3 broken-fragment", "3 broken-fragment"]);
    assert_eq!(
        violations("[a](b.md#third) [b](/src/main.rs#x) [c](/#x) [d](/vendor/lib#x) [e](#top) [f](b.md#)\n"),
        ["1 broken-fragment"; 4]
    );
}

#[test]
fn references_are_judged_where_they_are_defined() {
    assert_eq!(
        violations("[x][a] and [y][nope] and [z][]\n\nunused [w]\n\n[a]: missing.md\n[c]: #nowhere\n"),
        ["1 undefined-reference", "1 undefined-reference", "5 broken-link", "6 broken-fragment"]
    );
}

#[test]
fn html_links_and_anchors_count() {
    let text = "<p align=\"center\">\n  <img src=\"missing.png\" alt=\"x\">\n  <a href=\"b.md#old\">b</a>\n</p>\n\n<h2 id=\"own\">Raw <em>title</em></h2>\n\n\
        <!-- <a href=\"nothing.md\"> -->\n\n[a](#own) [b](#raw-title) text <a href='nothing.md'>x</a>\n";
    assert_eq!(violations(text), ["2 broken-link", "10 broken-link"]);
}

#[test]
fn headings_have_the_text_that_is_shown() {
    let text = "# Use `code` *and* [link](b.md) ![alt](b.md)\n\nSetext _x_\n=\n\n# Twice\n\n# Twice\n\n\
        [a](#use-code-and-link) [b](#setext-x) [c](#twice-1) [d](#alt)\n";
    assert_eq!(violations(text), ["10 broken-fragment"]);
}

#[test]
fn only_what_concerns_the_caller_is_reported() {
    let sample = Sample::default().with("a.md", "[x](gone.md) [y](also-gone.md) [z](../out) [w](b.md#no)\n").with("b.md", "# B\n");
    let lines = |path: &'static str| broken_links(&sample.documents["a.md"], &sample, |target| target == path).len();
    assert_eq!((lines("gone.md"), lines("b.md"), lines("other.md")), (1, 1, 0));
}

#[test]
fn a_document_that_cannot_be_read_is_named() {
    assert_eq!(Violation::not_utf8("a.md", b"one\ntw\xff").line, Some(2));
    assert!(Violation::too_large("a.md", MAX_BYTES + 1).message.contains("262145"));
}
