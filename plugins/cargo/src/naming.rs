//! Names that are unique in a run and the same in every run.

use std::collections::BTreeMap;

use code_polishy_sdk::suite_runner::{CaseOutcome, TestCase};

use crate::{
    block::{Block, Case},
    location::{Location, Said, said},
    target::Heading,
    text::{head, one_line},
};

const MAX_NAME_BYTES: usize = 4000;

/// Cases that get their final names.
#[derive(Default)]
pub struct Naming {
    cases: Vec<TestCase>,
    /// How often each name was asked for.
    taken: BTreeMap<String, usize>,
}

impl Naming {
    /// Adds a case. A name that is taken gets a number: `name #2`.
    pub fn add(&mut self, name: &str, case: &Case, folder: &str) {
        let Said { message, location } = if case.outcome == CaseOutcome::Failed { said(&case.output) } else { Said::default() };
        self.add_at(name, case.outcome, message, location.and_then(|location| location.below(folder)));
    }

    fn add_at(&mut self, name: &str, outcome: CaseOutcome, message: Option<String>, location: Option<Location>) {
        let name = self.unique(one_line(head(name, MAX_NAME_BYTES)));
        let (path, line) = location.map(|location| (location.path, location.line)).unzip();
        self.cases.push(TestCase { name, outcome, message, path, line });
    }

    fn unique(&mut self, name: String) -> String {
        let Some(times) = self.taken.get_mut(&name) else {
            self.taken.insert(name.clone(), 1);
            return name;
        };
        *times += 1;
        let numbered = format!("{name} #{times}");
        self.unique(numbered)
    }

    /// All of them.
    pub fn finish(self) -> Vec<TestCase> {
        self.cases
    }
}

/// The cases of all blocks, each named after its target; `None` when names or targets are not known.
///
/// Blocks are on standard output, targets on standard error, so it takes as many of one as of the other to know which is whose.
pub fn cases(blocks: &[Block], headings: &[Heading], folder: &str) -> Option<Vec<TestCase>> {
    if !blocks.iter().all(Block::is_named) {
        return None;
    }
    let mut naming = Naming::default();
    for (block, label) in blocks.iter().zip(labels(blocks, headings)?) {
        for case in block.cases.iter().filter(|case| Doc::of(&case.name).is_none()) {
            let name = if label.is_empty() { case.name.clone() } else { format!("{label}::{}", case.name) };
            naming.add(&name, case, folder);
        }
    }
    add_docs(&mut naming, blocks, folder);
    Some(naming.finish())
}

/// One label a block; an empty one for documentation tests, and for programs that cargo did not start.
fn labels(blocks: &[Block], headings: &[Heading]) -> Option<Vec<String>> {
    if headings.is_empty() {
        return Some(vec![String::new(); blocks.len()]);
    }
    let mut labels = Vec::new();
    for heading in headings {
        let rest = blocks.get(labels.len()..)?;
        match heading {
            Heading::Target(label) => labels.push(label.clone()),
            Heading::Docs if rest.first().is_some_and(|block| block.cases.is_empty()) => labels.push(String::new()),
            Heading::Docs => labels.extend(rest.iter().take_while(|block| is_docs(block)).map(|_| String::new())),
        }
    }
    let matched = blocks.iter().zip(&labels).all(|(block, label)| label.is_empty() || !is_docs(block));
    (matched && labels.len() == blocks.len()).then_some(labels)
}

fn is_docs(block: &Block) -> bool {
    !block.cases.is_empty() && block.cases.iter().all(|case| Doc::of(&case.name).is_some())
}

/// A documentation test as rustdoc names it: `src/lib.rs - total (line 11)`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Doc<'a> {
    path: &'a str,
    item: &'a str,
    line: u32,
}

impl<'a> Doc<'a> {
    fn of(name: &'a str) -> Option<Self> {
        let (place, line) = name.strip_suffix(')')?.rsplit_once(" (line ")?;
        let (path, item) = place.split_once(" -")?;
        Some(Self { path, item: item.trim_start(), line: line.parse().ok()? })
    }

    /// `src/lib.rs (doc)::total`. The line would not stay: it moves with every line above it.
    fn name(&self) -> String {
        let separator = if self.item.is_empty() { "" } else { "::" };
        format!("{} (doc){separator}{}", self.path, self.item)
    }
}

/// Adds documentation tests by place, because those of one item are told apart by their order.
fn add_docs(naming: &mut Naming, blocks: &[Block], folder: &str) {
    let all = blocks.iter().flat_map(|block| &block.cases);
    let mut docs: Vec<(Doc<'_>, &Case)> = all.filter_map(|case| Some((Doc::of(&case.name)?, case))).collect();
    docs.sort_unstable_by(|(one, _), (two, _)| one.cmp(two));
    for (doc, case) in docs {
        let location = Location { path: doc.path.to_owned(), line: doc.line };
        let at = (case.outcome == CaseOutcome::Failed).then(|| location.below(folder)).flatten();
        naming.add_at(&doc.name(), case.outcome, said(&case.output).message, at);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(names: &[&str]) -> Block {
        let cases = names.iter().map(|name| Case::new(*name, CaseOutcome::Passed)).collect();
        Block { announced: names.len(), cases, ..Block::default() }
    }

    fn target(label: &str) -> Heading {
        Heading::Target(label.to_owned())
    }

    fn named(blocks: &[Block], headings: &[Heading]) -> Option<Vec<String>> {
        Some(cases(blocks, headings, ".")?.into_iter().map(|case| case.name).collect())
    }

    fn all(names: &[&str]) -> Option<Vec<String>> {
        Some(names.iter().map(|name| (*name).to_owned()).collect())
    }

    #[test]
    fn a_case_is_named_after_its_target() {
        let blocks = [block(&["a"]), block(&["a", "b"])];
        let headings = [target("src/lib.rs (shop)"), target("tests/two.rs (shop)")];
        assert_eq!(named(&blocks, &headings), all(&["src/lib.rs (shop)::a", "tests/two.rs (shop)::a", "tests/two.rs (shop)::b"]));
        assert_eq!(named(&blocks, &headings[..1]), None, "a block without its target");
        assert_eq!(named(&blocks, &[]), all(&["a", "a #2", "b"]), "programs that were started by hand");
    }

    #[test]
    fn documentation_tests_are_named_by_item_and_order() {
        let blocks = [
            block(&[]),
            block(&["src/lib.rs - total (line 23)", "src/lib.rs - (line 1)", "src/lib.rs - total (line 7)"]),
            block(&["src/lib.rs - total (line 11)"]),
            block(&[]),
        ];
        let headings = [target("src/lib.rs (shop)"), Heading::Docs, Heading::Docs];
        let expected = ["src/lib.rs (doc)", "src/lib.rs (doc)::total", "src/lib.rs (doc)::total #2", "src/lib.rs (doc)::total #3"];
        assert_eq!(named(&blocks, &headings), all(&expected));
    }

    #[test]
    fn programs_that_print_no_cases_leave_the_others_without_names() {
        let headings = [target("tests/custom.rs (shop)"), target("tests/two.rs (shop)"), Heading::Docs];
        assert_eq!(named(&[block(&["a"]), block(&["src/lib.rs - (line 1)"])], &headings), None);
        assert_eq!(named(&[block(&["a"])], &headings[..2]), None);
    }

    #[test]
    fn many_equal_names_stay_apart() {
        let mut naming = Naming::default();
        (0..3).for_each(|_| naming.add("a\u{7}", &Case::new("a", CaseOutcome::Passed), "."));
        assert_eq!(naming.finish().iter().map(|case| case.name.as_str()).collect::<Vec<_>>(), ["a ", "a  #2", "a  #3"]);
    }
}
