//! Whole files, kept beside their reports, and what holds for every file.
//!
//! `ACCEPT=1 cargo test -p github` writes the files again: look at them before they are committed.

use reading::samples::{ALL, HOSTILE, cases, findings};

use super::*;

fn rendered(report: &str) -> [String; 2] {
    let artifacts = GitHub::render(report, &NoOptions {}).expect("a report");
    let names: Vec<_> = artifacts.iter().map(|artifact| artifact.name.as_str()).collect();
    assert_eq!(names, ["annotations.txt", "summary.md"]);
    [0, 1].map(|index: usize| String::from_utf8(artifacts[index].content.clone()).expect("made of text"))
}

#[test]
fn files_are_the_kept_ones() {
    for (name, report) in ALL {
        for (content, end) in rendered(report).into_iter().zip(["annotations.txt", "summary.md"]) {
            let path = format!("{}/tests/{name}.{end}", env!("CARGO_MANIFEST_DIR"));
            if std::env::var_os("ACCEPT").is_some() {
                std::fs::write(&path, &content).expect("the folder is there");
            }
            assert!(std::fs::read_to_string(&path).is_ok_and(|kept| kept == content), "{path} is not what `{name}.json` gives");
        }
    }
}

#[test]
fn every_line_is_one_annotation_of_ours() {
    for report in ALL.map(|(_, report)| report.to_owned()).into_iter().chain([findings(1_000), cases(&[10_000])]) {
        let [annotations, _] = rendered(&report);
        assert!(annotations.ends_with('\n'));
        let lines: Vec<_> = annotations.split_terminator('\n').collect();
        for line in &lines {
            let (properties, message) = line[2..].split_once("::").expect("a command");
            assert!(line.starts_with("::error ") || line.starts_with("::notice "), "{line}");
            assert!(!properties.contains("::") && !line.contains('\r'), "{line}");
            assert!(properties.len() < 5_000 && message.len() < 64 << 10, "GitHub cuts {line}");
        }
        for level in ["::error ", "::notice "] {
            assert!(lines.iter().filter(|line| line.starts_with(level)).count() <= 10, "GitHub shows ten of a level");
        }
    }
}

#[test]
fn a_summary_holds_no_markup_but_ours() {
    let [_, summary] = rendered(HOSTILE);
    // Code spans and escapes are taken out; what is left must be our own.
    let mut left = String::new();
    for line in summary.lines() {
        left.push_str(&outside_code(line));
        left.push('\n');
    }
    for tag in left.split('<').skip(1).map(|rest| rest.split('>').next().unwrap_or_default()) {
        assert!(["details", "/details", "summary", "/summary"].contains(&tag), "<{tag}>");
    }
    for active in ["@team", "#1", "GH-", "](", "://", "www.", ":tada:", "![", "$"] {
        assert!(!left.contains(active), "{active} in {left}");
    }
    let starts = |line: &&str| line.starts_with("# ") || line.starts_with("1. ") || line.starts_with("- [") || line.starts_with("::");
    assert_eq!(left.lines().filter(starts).collect::<Vec<_>>(), [""; 0]);
}

/// The line without its code spans and without escaped characters.
fn outside_code(line: &str) -> String {
    let (mut outside, mut rest) = (String::new(), line);
    while let Some(at) = rest.find(['`', '\\']) {
        outside.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some(escaped) = rest.strip_prefix('\\') {
            rest = escaped.chars().next().map_or("", |character| &escaped[character.len_utf8()..]);
            continue;
        }
        let fence = &rest[..rest.len() - rest.trim_start_matches('`').len()];
        let inside = &rest[fence.len()..];
        let close = (0..inside.len()).filter(|at| inside.is_char_boundary(*at) && inside[*at..].starts_with(fence));
        let exact = |at: &usize| !inside[at + fence.len()..].starts_with('`') && !inside[..*at].ends_with('`');
        let end = close.into_iter().find(exact).unwrap_or_else(|| panic!("a code span does not end in {line}"));
        rest = &inside[end + fence.len()..];
    }
    outside + rest
}

#[test]
fn a_summary_fits() {
    for report in [cases(&[10_000]), cases(&[1_000; 100]), findings(1_000)] {
        let [_, summary] = rendered(&report);
        assert!(summary.len() <= 1 << 20, "{}", summary.len());
    }
    let [_, summary] = rendered(&cases(&[10_000]));
    assert!(summary.contains("9,500 more cases: see `report.json`"), "{}", &summary[summary.len() - 200..]);
    let [_, summary] = rendered(&cases(&[1_000; 100]));
    assert!(summary.trim_end().ends_with("`report.json` has it all.*"));
}
