//! From text to cases.

use std::borrow::Cow;

use code_polishy_sdk::suite_runner::CaseOutcome;
use test_output::{cases::Counts, text::head};

use crate::{
    case::Case,
    xml::{Part, Parts, Tag, resolved},
};

/// Depth of elements that is read; reports have about six.
const MAX_DEPTH: usize = 200;

/// The largest sum of what suites say that is believed, so that sums of sums stay numbers.
const MAX_DECLARED: usize = 10_000_000;

/// Bytes of a name or a file that are kept.
const MAX_ATTRIBUTE_BYTES: usize = 4000;

/// How a text ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Every element was closed.
    Whole,
    /// In the middle of a document.
    Early,
    /// At a fault, with what is wrong.
    Malformed(&'static str),
    /// Without a test suite.
    Foreign,
}

/// What is known of a text beside its cases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The sum of what the outermost suites say of themselves; zero where they say nothing.
    pub declared: Counts,
    /// How the text ended.
    pub ending: Ending,
}

/// Reads one document, or several one after another as `cat` joins them, and hands over each case when it ends.
pub fn read<'a>(text: &'a str, on_case: &mut dyn FnMut(Case<'a>)) -> Report {
    let mut walk = Walk { elements: Vec::new(), suites: Vec::new(), case: None, declared: Counts::default(), started: false, on_case };
    let mut fault = None;
    for part in Parts::of(text) {
        fault = walk.fault(part);
        match part {
            _ if fault.is_some() => break,
            Part::Open(tag) => walk.open(tag),
            Part::Empty(tag) => {
                walk.open(tag);
                walk.close();
            }
            Part::Close(_) => walk.close(),
            Part::Text(text) => walk.text(&resolved(text)),
            Part::Verbatim(text) => walk.text(text),
            Part::Cut => {}
        }
    }
    let ending = match fault {
        _ if !walk.started => Ending::Foreign,
        Some(fault) => fault,
        None if walk.elements.is_empty() => Ending::Whole,
        None => Ending::Early,
    };
    Report { declared: walk.declared, ending }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Element {
    /// `testsuites` or `testsuite`, and whether its numbers, or those of one around it, are counted.
    Suite {
        counted: bool,
    },
    Case,
    /// What went wrong.
    Failure,
    Other,
}

struct Walk<'a, 'b> {
    /// The open elements with their names, outermost first.
    elements: Vec<(&'a str, Element)>,
    /// Names and files of the open suites.
    suites: Vec<(Cow<'a, str>, Cow<'a, str>)>,
    case: Option<Case<'a>>,
    declared: Counts,
    started: bool,
    on_case: &'b mut dyn FnMut(Case<'a>),
}

impl<'a> Walk<'a, '_> {
    fn open(&mut self, tag: Tag<'a>) {
        let parent = self.elements.last().map(|(_, element)| *element);
        let element = match tag.local_name() {
            "testsuites" | "testsuite" => self.open_suite(tag, parent),
            "testcase" if self.case.is_none() => self.open_case(tag),
            "skipped" if parent == Some(Element::Case) => self.skip(),
            "failure" | "error" if parent == Some(Element::Case) => self.open_failure(tag),
            _ => Element::Other,
        };
        self.elements.push((tag.name, element));
    }

    fn open_suite(&mut self, tag: Tag<'a>, parent: Option<Element>) -> Element {
        self.started = true;
        let (mut tests, mut failed, mut skipped) = (None, 0_usize, 0);
        let (mut name, mut file) = (Cow::default(), Cow::default());
        for (attribute, value) in tag.attributes() {
            let number = || value.parse::<usize>().unwrap_or_default();
            match attribute {
                "tests" => tests = Some(number()),
                "failures" | "errors" => failed = failed.saturating_add(number()),
                "skipped" | "disabled" => skipped = skipped.max(number()),
                "name" => name = short(value),
                "file" => file = short(value),
                _ => {}
            }
        }
        self.suites.push((name, file));
        let is_counted = parent == Some(Element::Suite { counted: true });
        if let Some(tests) = tests.filter(|_| !is_counted) {
            let add = |sum: &mut usize, more: usize| *sum = sum.saturating_add(more).min(MAX_DECLARED);
            add(&mut self.declared.passed, tests.saturating_sub(failed).saturating_sub(skipped));
            add(&mut self.declared.failed, failed);
            add(&mut self.declared.skipped, skipped);
        }
        Element::Suite { counted: is_counted || tests.is_some() }
    }

    fn open_case(&mut self, tag: Tag<'a>) -> Element {
        let (suite, file) = self.suites.last().cloned().unwrap_or_default();
        // pytest counts lines from 0.
        let first = u32::from(suite == "pytest");
        let (class, name, message, details) = (Cow::default(), Cow::default(), String::new(), String::new());
        let mut case = Case { suite, class, name, file, line: None, outcome: CaseOutcome::Passed, message, details };
        for (attribute, value) in tag.attributes() {
            match attribute {
                "classname" => case.class = short(value),
                "name" => case.name = short(value),
                "file" if !value.is_empty() => case.file = short(value),
                "line" => case.line = value.parse::<u32>().ok().and_then(|line| line.checked_add(first)).filter(|line| *line > 0),
                "status" if matches!(&*value, "notrun" | "disabled" | "skipped") => case.outcome = CaseOutcome::Skipped,
                _ => {}
            }
        }
        self.case = Some(case);
        Element::Case
    }

    fn skip(&mut self) -> Element {
        if let Some(case) = self.case.as_mut().filter(|case| case.outcome == CaseOutcome::Passed) {
            case.outcome = CaseOutcome::Skipped;
        }
        Element::Other
    }

    fn open_failure(&mut self, tag: Tag<'a>) -> Element {
        // PHPUnit reports a test that it finds risky as an error, and passes.
        let is_risky = tag.value("type").ends_with("RiskyTestError");
        let Some(case) = self.case.as_mut().filter(|_| !is_risky) else { return Element::Other };
        if case.outcome == CaseOutcome::Failed {
            case.details.push('\n');
        } else {
            case.message = tag.value("message").into_owned();
        }
        case.outcome = CaseOutcome::Failed;
        Element::Failure
    }

    fn text(&mut self, text: &str) {
        if let (Some((_, Element::Failure)), Some(case)) = (self.elements.last(), self.case.as_mut()) {
            case.details.push_str(text);
        }
    }

    /// Closes the innermost element.
    fn close(&mut self) {
        match self.elements.pop() {
            Some((_, Element::Suite { .. })) => {
                self.suites.pop();
            }
            Some((_, Element::Case)) => {
                if let Some(case) = self.case.take() {
                    (self.on_case)(case);
                }
            }
            _ => {}
        }
    }

    /// Why the text cannot be read further.
    fn fault(&self, part: Part<'a>) -> Option<Ending> {
        let innermost = self.elements.last().map(|(name, _)| *name);
        match part {
            Part::Cut => Some(Ending::Early),
            Part::Open(_) if self.elements.len() >= MAX_DEPTH => Some(Ending::Malformed("elements are nested too deeply")),
            Part::Close(name) if innermost != Some(name) => Some(Ending::Malformed("an element is closed that is not the innermost one")),
            _ => None,
        }
    }
}

/// A value that is kept with every case.
fn short(value: Cow<'_, str>) -> Cow<'_, str> {
    match value {
        Cow::Borrowed(value) => Cow::Borrowed(head(value, MAX_ATTRIBUTE_BYTES)),
        Cow::Owned(value) => Cow::Owned(head(&value, MAX_ATTRIBUTE_BYTES).to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cases(text: &str) -> (Vec<Case<'_>>, Report) {
        let mut cases = Vec::new();
        let report = read(text, &mut |case| cases.push(case));
        (cases, report)
    }

    fn outcomes(text: &str) -> Vec<(String, CaseOutcome)> {
        cases(text).0.into_iter().map(|case| (case.name.into_owned(), case.outcome)).collect()
    }

    #[test]
    fn what_is_in_a_case_tells_its_outcome() {
        let inside = |inside: &str| outcomes(&format!("<testsuite><testcase name='a'>{inside}</testcase></testsuite>"))[0].1;
        for (text, expected) in [
            ("", CaseOutcome::Passed),
            ("<system-out>x</system-out><properties/>", CaseOutcome::Passed),
            ("<failure/>", CaseOutcome::Failed),
            ("<x:error xmlns:x='y'/>", CaseOutcome::Failed),
            ("<skipped/>", CaseOutcome::Skipped),
            ("<skipped/><failure/>", CaseOutcome::Failed),
            ("<failure/><skipped/>", CaseOutcome::Failed),
            ("<flakyFailure><failure/></flakyFailure>", CaseOutcome::Passed),
            ("<system-out><![CDATA[<failure/>]]></system-out><!-- <failure/> -->", CaseOutcome::Passed),
            ("<error type='PHPUnit\\Framework\\RiskyTestError'/>", CaseOutcome::Passed),
        ] {
            assert_eq!(inside(text), expected, "{text}");
        }
        assert_eq!(outcomes("<testsuite><testcase name='a' status='notrun'/></testsuite>"), [("a".into(), CaseOutcome::Skipped)]);
    }

    #[test]
    fn what_went_wrong_is_told_with_all_of_its_text() {
        let text = "<testsuite name='s' file='s.js'><testcase classname='c' name='a' line='3'>\
                    <failure message='1 &lt; 2'>one &amp; <x>no</x><![CDATA[<two>]]></failure><error message='later'>three</error></testcase></testsuite>";
        let (cases, report) = cases(text);
        let expected = Case {
            suite: "s".into(),
            class: "c".into(),
            name: "a".into(),
            file: "s.js".into(),
            line: Some(3),
            outcome: CaseOutcome::Failed,
            message: "1 < 2".into(),
            details: "one & <two>\nthree".into(),
        };
        assert_eq!((cases, report.ending), (vec![expected], Ending::Whole));
    }

    #[test]
    fn the_outermost_numbers_are_declared() {
        let declared = |text: &str| {
            let Counts { passed, failed, skipped } = cases(text).1.declared;
            (passed, failed, skipped)
        };
        assert_eq!(declared("<testsuites tests='9' failures='1' errors='2' skipped='3'><testsuite tests='9'/></testsuites>"), (3, 3, 3));
        assert_eq!(
            declared("<testsuites><testsuite tests='2'><testsuite tests='2'/></testsuite><testsuite tests='1'/></testsuites>"),
            (3, 0, 0)
        );
        assert_eq!(declared("<testsuite tests='1' failures='2'/><testsuite tests='x'/>"), (0, 2, 0));
        assert_eq!(declared(&"<testsuite tests='18446744073709551615'/>".repeat(2)), (10_000_000, 0, 0));
    }

    #[test]
    fn documents_may_follow_each_other_with_noise_between_them() {
        let text = "npm warn\n<?xml version='1.0'?>\n<testsuite><testcase name='a'/></testsuite>\nnoise\n<?xml version='1.0'?><testsuites><testsuite><testcase name='b'/></testsuite></testsuites>";
        assert_eq!(outcomes(text).len(), 2);
        assert_eq!(cases(text).1.ending, Ending::Whole);
    }

    #[test]
    fn an_ending_tells_how_far_the_text_can_be_trusted() {
        let ending = |text: &str| cases(text).1.ending;
        for text in ["", "no report", "<html><body/></html>", "<html>", "{\"a\": 1}", "</testsuite>"] {
            assert_eq!(ending(text), Ending::Foreign, "{text}");
        }
        for text in ["<testsuite", "<testsuite><testcase name='a'", "<testsuite><testcase name='a'>", "<testsuite></testsuite"] {
            assert_eq!(ending(text), if text == "<testsuite" { Ending::Foreign } else { Ending::Early }, "{text}");
        }
        for text in ["<testsuite></testcase>", "<testsuite/></testsuite>", &format!("<testsuite>{}", "<a>".repeat(1_000_000))] {
            assert!(matches!(ending(text), Ending::Malformed(_)), "{}", &text[..20]);
        }
    }

    #[test]
    fn a_case_that_did_not_end_is_none() {
        assert_eq!(outcomes("<testsuite><testcase name='a'/><testcase name='b'><failure/>"), [("a".into(), CaseOutcome::Passed)]);
    }

    #[test]
    fn entities_are_not_expanded() {
        let bomb = "<!DOCTYPE a [<!ENTITY a 'ha'><!ENTITY b '&a;&a;'>]><testsuite><testcase name='&b;'><failure>&b; &amp;</failure></testcase></testsuite>";
        let (cases, report) = cases(bomb);
        assert_eq!((&*cases[0].name, &*cases[0].details, report.ending), ("&b;", "&b; &", Ending::Whole));
    }
}
