//! The sources and the catalogues name the same codes: what is reported is explained, and what is explained is reported.
#![allow(clippy::disallowed_methods, reason = "the sources are files")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use code_polishy_core::{code_review, codes, explain::explain};

/// A file of the sources, without its tests.
struct Source {
    /// Relative to `host`, with `/`.
    path: String,
    text: String,
}

fn host() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("below host").to_owned()
}

fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("readable") {
        let path = entry.expect("readable").path();
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The sources that may report a code: neither tests nor templates, which are sources of others, nor the catalogues.
fn sources() -> Vec<Source> {
    let mut files = Vec::new();
    for part in std::fs::read_dir(host()).expect("readable") {
        let source = part.expect("readable").path().join("src");
        if source.is_dir() {
            rust_files(&source, &mut files);
        }
    }
    let read = |file: &PathBuf| {
        let path = file.strip_prefix(host()).expect("below host").to_string_lossy().into_owned();
        if ["/template/", "/codes/", "/fixture.rs"].iter().any(|part| path.contains(part)) || is_test(file) {
            return None;
        }
        let text = std::fs::read_to_string(file).expect("readable");
        let end = text.find("#[cfg(test)]\nmod tests {").unwrap_or(text.len());
        Some(Source { path, text: text[..end].to_owned() })
    };
    let found: Vec<Source> = files.iter().filter_map(read).collect();
    assert!(found.len() > 200, "{} sources", found.len());
    found
}

/// Whether the file is of a module `tests` that its parent compiles for tests only.
fn is_test(file: &Path) -> bool {
    let module = file.ancestors().find(|path| path.file_stem().is_some_and(|stem| stem == "tests"));
    let Some(parent) = module.and_then(Path::parent) else { return false };
    let declares = |file: PathBuf| std::fs::read_to_string(file).is_ok_and(|text| text.contains("#[cfg(test)]\nmod tests;"));
    declares(parent.join("mod.rs")) || declares(parent.with_extension("rs"))
}

fn is_word(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_lowercase())
        && text.bytes().all(|letter| matches!(letter, b'a'..=b'z' | b'0'..=b'9' | b'-'))
}

/// The first string literal behind each `opening`, when at most `distance` bytes lie between.
fn literals_behind<'s>(text: &'s str, opening: &'s str, distance: usize) -> impl Iterator<Item = &'s str> {
    text.match_indices(opening).filter_map(move |(index, _)| {
        let rest = &text[index + opening.len()..];
        let start = rest.find('"')?;
        let between = &rest[..start];
        if between.len() > distance || between.contains(';') || between.contains('!') {
            return None;
        }
        rest[start + 1..].split('"').next()
    })
}

/// The first string literal that is an argument by itself, in a text that begins behind the parenthesis of a call.
fn argument(call: &str) -> Option<&str> {
    let pieces: Vec<&str> = call.split(';').next()?.split('"').collect();
    pieces.windows(2).skip(1).step_by(2).find(|pair| pair[1].starts_with(',')).map(|pair| pair[0])
}

/// Literals of the form `group.name` with a group of the catalogue. Names of files and of failpoints have that form too.
fn dotted<'s>(text: &'s str, groups: &BTreeSet<&str>) -> Vec<&'s str> {
    const EXTENSIONS: [&str; 8] = ["json", "md", "c", "h", "js", "py", "wasm", "rs"];
    let mut found = Vec::new();
    for (index, _) in text.match_indices('"') {
        let Some(literal) = text[index + 1..].split('"').next() else { continue };
        let Some((group, name)) = literal.split_once('.') else { continue };
        let is_name = is_word(&name.to_ascii_lowercase()) && !EXTENSIONS.contains(&name);
        if groups.contains(group) && is_name && !text[..index].ends_with("reached(") {
            found.push(literal);
        }
    }
    found
}

/// The group that short codes of a file belong to: those of its reader's document.
fn groups_of_reader(path: &str) -> &'static [&'static str] {
    match path {
        "core/src/strict/reader.rs" | "core/src/strict/json.rs" => &["policy", "result"],
        _ if path.starts_with("core/src/policy/") => &["policy"],
        _ if path.starts_with("core/src/review/") => &["result"],
        _ => &[],
    }
}

/// Names of an enum's values in `file`: the literals of `Self::X => "name"` behind `function`.
fn arms<'s>(sources: &'s [Source], file: &str, function: &str) -> Vec<&'s str> {
    let text = &sources.iter().find(|source| source.path == file).expect("there").text;
    let body = text[text.find(function).expect("there")..].split("\n    }\n").next().expect("a body");
    let found: Vec<&str> = literals_behind(body, "=> ", 0).collect();
    assert!(found.len() > 3, "{file}: {found:?}");
    found
}

/// Every code that the sources report by its text, with the file.
fn reported(sources: &[Source]) -> BTreeSet<(String, String)> {
    const CONSTRUCTORS: [&str; 4] = ["Diagnostic::new(", "Failure::blocked(", "Failure::usage(", "Failure::operational("];
    let groups: BTreeSet<&str> = codes::all().filter_map(|code| code.name.split_once('.')).map(|(group, _)| group).collect();
    let mut found = BTreeSet::new();
    for source in sources {
        let mut add = |code: String| {
            found.insert((code, source.path.clone()));
        };
        for opening in CONSTRUCTORS {
            literals_behind(&source.text, &format!("{opening}\n"), 20).for_each(|code| add(code.to_owned()));
            literals_behind(&source.text, opening, 0).for_each(|code| add(code.to_owned()));
        }
        dotted(&source.text, &groups).into_iter().for_each(|code| add(code.to_owned()));
        for group in groups_of_reader(&source.path) {
            for opening in ["refuse(", ".checked("] {
                let short = literals_behind(&source.text, opening, 120).filter(|code| is_word(code));
                short.for_each(|code| add(format!("{group}.{code}")));
            }
            for opening in [".reference(", ".references(", ".plugin_reference("] {
                let kinds = source.text.split(opening).skip(1).filter_map(argument);
                kinds.for_each(|kind| add(format!("{group}.unknown-{}", kind.replace(' ', "-"))));
            }
        }
    }
    for (file, function, group) in
        [("core/src/plugin.rs", "fn code(self)", "plugin"), ("core/src/gate/report.rs", "impl FailureCategory", "gate")]
    {
        found.extend(arms(sources, file, function).into_iter().map(|name| (format!("{group}.{name}"), file.to_owned())));
    }
    // Of what both documents are read with, only the policy has names.
    found.retain(|(code, _)| code != "result.duplicate-name");
    found
}

#[test]
fn every_reported_code_is_explained() {
    let unknown: Vec<(String, String)> = reported(&sources()).into_iter().filter(|(code, _)| explain(code).is_none()).collect();
    assert!(unknown.is_empty(), "add them to host/core/src/codes: {unknown:#?}");
}

#[test]
fn every_explained_code_is_reported() {
    let sources = sources();
    let reported: BTreeSet<String> = reported(&sources).into_iter().map(|(code, _)| code).collect();
    // What a helper is given as a short code, or makes of a document's kind.
    let made = |code: &str| {
        let Some((group, name)) = code.split_once('.') else { return false };
        let of_group = sources.iter().filter(|source| groups_of_reader(&source.path).contains(&group));
        let literals = [format!("\"{name}\""), format!("}}.{name}\"")];
        of_group.into_iter().any(|source| literals.iter().any(|literal| source.text.contains(literal)))
    };
    let unused: Vec<&str> = codes::all().map(|code| code.name).filter(|code| !reported.contains(*code) && !made(code)).collect();
    assert!(unused.is_empty(), "remove them from host/core/src/codes: {unused:#?}");
}

#[test]
fn sentences_begin_like_sentences_and_have_no_full_stop() {
    for code in codes::all() {
        for sentence in [code.meaning, code.cause, code.remedy] {
            let starts = |first: char| first.is_uppercase() || first == '`' || sentence.starts_with("--");
            assert!(sentence.starts_with(starts), "{}: {sentence}", code.name);
            assert!(!sentence.ends_with('.') && sentence.trim() == sentence, "{}: {sentence}", code.name);
        }
        let number = code.rule.strip_prefix("BR-").and_then(|number| number.parse::<u32>().ok());
        assert!(number.is_some_and(|number| (1..=85).contains(&number)), "{}: {}", code.name, code.rule);
    }
}

#[test]
fn every_name_is_there_once_in_both_catalogues() {
    let mut names: Vec<&str> = codes::all().map(|code| code.name).chain(code_review::codes::all().map(|code| code.name)).collect();
    names.sort_unstable();
    let twice: Vec<&[&str]> = names.windows(2).filter(|pair| pair[0] == pair[1]).collect();
    assert!(twice.is_empty(), "{twice:?}");
}

/// Codes of the contract that nothing reports: their faults have the code of the part that meets them.
const AWAITED: [&str; 3] = ["artifact-path-outside-review-output", "git-unavailable", "plugin-trap"];

/// The constants of the catalogue of code review, with the names of their codes.
fn constants() -> Vec<(String, String)> {
    let mut files = Vec::new();
    rust_files(&host().join("core/src/code_review/codes"), &mut files);
    let of_file = |file: PathBuf| -> Vec<(String, String)> {
        let text = std::fs::read_to_string(file).expect("readable");
        let entry = |line: &str| {
            let (constant, rest) = line.trim().split_once(": ")?;
            let name = rest.split('"').nth(1)?;
            constant
                .bytes()
                .all(|letter| matches!(letter, b'A'..=b'Z' | b'0'..=b'9' | b'_'))
                .then(|| (constant.to_owned(), name.to_owned()))
        };
        text.lines().filter_map(entry).collect()
    };
    let found: Vec<(String, String)> = files.into_iter().flat_map(of_file).collect();
    assert_eq!(found.len(), code_review::codes::all().count());
    found
}

#[test]
fn every_code_of_code_review_is_reported_or_awaited() {
    let sources = sources();
    let words: BTreeSet<&str> = sources
        .iter()
        .flat_map(|source| source.text.split(|letter: char| !letter.is_ascii_alphanumeric() && !"_-".contains(letter)))
        .collect();
    let is_used = |(constant, name): &(String, String)| words.contains(constant.as_str()) || words.contains(name.as_str());
    let mut unused: Vec<String> = constants().into_iter().filter(|it| !is_used(it)).map(|(_, name)| name).collect();
    unused.sort_unstable();
    assert_eq!(unused, AWAITED, "nothing reports the left ones");
}
