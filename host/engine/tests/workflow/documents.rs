//! The Markdown contract of a candidate (BR-71, S-93).

use code_polishy_engine::{
    event::Silent,
    workflow::{change::ChangeSet, documents::contract},
};

use crate::{Host, git_support::Sample, workspace};

/// Findings of the change since `base`, as `path:line rule`.
fn findings(sample: &Sample, base: &str) -> Vec<String> {
    let host = Host::new();
    let workspace = workspace(sample, &host, &Silent);
    let change = ChangeSet::since(&workspace, base).unwrap();
    let shown = |finding: code_polishy_core::gate::report::Finding| {
        let line = finding.line.map(|line| format!(":{line}")).unwrap_or_default();
        format!("{}{line} {}", finding.path, finding.rule.strip_prefix("documentation.").unwrap())
    };
    contract(&workspace, &change).unwrap().into_iter().map(shown).collect()
}

#[test]
fn changed_documents_are_held_to_the_contract() {
    let sample = Sample::new();
    sample.write("old.md", "trailing \n[x](nowhere.md)\n").write("src/a.rs", "");
    let base = sample.commit("base");
    sample.write("docs/guide.md", "# Guide\n\n[source](../src/a.rs) ![none](none.png) [part](#nowhere) \nlast");
    sample.write("bytes.md", b"a\xff\n").write("large.markdown", "0123456789abcde\n".repeat(16 * 1024 + 1)).link("link.md", "old.md");
    sample.write("good.md", "# Good\n\n[docs](docs/) [guide](docs/guide.md#guide) [source](/src/a.rs#L1)\n");
    sample.commit("documents");
    assert_eq!(
        findings(&sample, &base),
        [
            "bytes.md:1 not-utf8",
            "docs/guide.md:3 trailing-white-space",
            "docs/guide.md:3 broken-link",
            "docs/guide.md:3 broken-fragment",
            "docs/guide.md:4 final-newline",
            "large.markdown too-large",
            "link.md not-regular",
        ]
    );
}

#[test]
fn documents_that_link_to_what_changed_are_held_to_those_links() {
    let sample = Sample::new();
    sample.write("index.md", "[gone](docs/gone.md)\n[folder](img)\n[part](docs/kept.md#one)\n[other](missing.md) \n");
    sample.write("docs/gone.md", "# Gone\n").write("docs/kept.md", "# One\n").write("img/a.png", "png");
    let base = sample.commit("base");
    sample.remove("docs/gone.md").remove("img/a.png").write("docs/kept.md", "# Two\n");
    sample.commit("move on");
    assert_eq!(findings(&sample, &base), ["index.md:1 broken-link", "index.md:2 broken-link", "index.md:3 broken-fragment"]);
}

#[test]
fn a_renamed_document_breaks_the_links_to_its_old_name() {
    let sample = Sample::new();
    sample.write("a.md", "# A\n\n[b](b.md)\n").write("b.md", "# B\n");
    let base = sample.commit("base");
    sample.git(["mv", "b.md", "c.md"]);
    sample.commit("rename");
    assert_eq!(findings(&sample, &base), ["a.md:3 broken-link"]);
    sample.write("a.md", "# A\n\n[b](c.md#b)\n");
    sample.commit("mend");
    assert_eq!(findings(&sample, &base), Vec::<String>::new());
}
