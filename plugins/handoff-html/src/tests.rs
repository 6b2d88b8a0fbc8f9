//! Whole pages, kept beside the hand-offs of the renderer `handoff`, and what holds for every page.
//!
//! `ACCEPT=1 cargo test -p handoff-html` writes the pages again: look at them before they are committed.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::*;

const ALL: [(&str, &str); 4] = [
    ("needs-more-work", include_str!("../../handoff/tests/needs-more-work.json")),
    ("accept-as-is", include_str!("../../handoff/tests/accept-as-is.json")),
    ("unavailable", include_str!("../../handoff/tests/unavailable.json")),
    ("closed", include_str!("../../handoff/tests/closed.json")),
];

fn rendered(report: &str) -> String {
    let mut artifacts = Html::render(report, &NoOptions {}).expect("a hand-off");
    let artifact = artifacts.pop().expect("one");
    assert!(artifacts.is_empty() && artifact.name == "final.html");
    String::from_utf8(artifact.content).expect("made of text")
}

/// The page of a hand-off after this change.
fn changed(handoff: &str, change: impl FnOnce(&mut Value)) -> String {
    let mut document: Value = serde_json::from_str(handoff).expect("JSON");
    change(&mut document);
    rendered(&document.to_string())
}

#[test]
fn pages_are_the_kept_ones() {
    for (name, report) in ALL {
        let path = format!("{}/tests/{name}.html", env!("CARGO_MANIFEST_DIR"));
        let page = rendered(report);
        if std::env::var_os("ACCEPT").is_some() {
            std::fs::write(&path, &page).expect("the folder is there");
        }
        assert!(std::fs::read_to_string(&path).is_ok_and(|kept| kept == page), "{path} is not what `{name}.json` gives");
    }
}

/// Every tag and every attribute of the page, by name. Text has no `<`, and no value of an attribute has a `"`.
fn markup(page: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for tag in page.split('<').skip(1) {
        let inside = tag.split('>').next().unwrap_or_default();
        let outside_values: String = inside.split('"').step_by(2).collect();
        let tag = outside_values.split_whitespace().next().unwrap_or_default().trim_start_matches('/').to_owned();
        names.extend(outside_values.split_whitespace().skip(1).map(|attribute| format!("{tag} {attribute}")));
        names.insert(tag);
    }
    names
}

/// Every text but those that the layout is chosen by tries to be something else.
fn poison(value: &mut Value) {
    match value {
        Value::String(text) => text.push_str("\"><script>alert(1)</script><img src=x onerror=alert(1)>&lt;i&gt;\u{202e}\u{1b}[31m"),
        Value::Array(values) => values.iter_mut().for_each(poison),
        Value::Object(members) => {
            members
                .iter_mut()
                .filter(|(key, _)| !["skill", "branch", "outcome"].contains(&key.as_str()))
                .for_each(|(_, value)| poison(value));
        }
        _ => {}
    }
}

#[test]
fn foreign_text_is_no_markup() {
    let own: BTreeSet<_> = ALL.iter().flat_map(|(_, report)| markup(&rendered(report))).collect();
    assert!(own.contains("a href=") && !own.contains("script"), "{own:?}");
    for (name, report) in ALL {
        let page = changed(report, |document| {
            let title = document.pointer("/tables/1/title").cloned();
            poison(document);
            if let Some(title) = title {
                document["tables"][1]["title"] = title;
            }
        });
        let foreign: Vec<_> = markup(&page).into_iter().filter(|name| !own.contains(name)).collect();
        assert_eq!(foreign, Vec::<String>::new(), "{name}");
        let hidden = |character: &char| (character.is_control() && *character != '\n') || ('\u{202a}'..='\u{202e}').contains(character);
        assert_eq!(page.chars().find(hidden), None, "{name}");
        assert!(page.contains(r"\u{202e}\u{1b}[31m"), "{name}");
    }
}

#[test]
fn a_page_asks_for_nothing() {
    for (name, report) in ALL {
        let page = rendered(report);
        let policy = "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">";
        assert!(page.contains(policy), "{name}");
        let links = page.split(" href=\"").skip(1).filter(|link| !link.starts_with('#'));
        assert_eq!(links.collect::<Vec<_>>(), [""; 0], "{name}: all links are to places of the page");
        let style = page.split("<style>").nth(1).and_then(|rest| rest.split("</style>").next()).expect("there is one");
        assert!(!style.contains("@import") && !style.contains("url("), "{name}");
    }
}

#[test]
fn only_what_may_be_merged_has_a_check_mark() {
    let accepted = ALL[1].1;
    let tone = |page: &str| page.split("<header class=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("there is one").to_owned();
    assert_eq!(tone(&rendered(accepted)), "pass");
    for (pointer, value) in [("/result_status", json!("fail")), ("/tables/0/verification_readiness", json!("blocked"))] {
        let page = changed(accepted, |document| *document.pointer_mut(pointer).expect("there") = value);
        assert_eq!(tone(&page), "fault", "{pointer}");
    }
    for (verdict, expected) in
        [("minor-changes", "fault"), ("reject", "fail"), ("insufficient-but-promising", "fail"), ("no source judgment", "wait")]
    {
        let page = changed(accepted, |document| document["outcome"]["summary"] = json!(format!("Recommendation: {verdict}.")));
        assert_eq!(tone(&page), expected, "{verdict}");
    }
}

#[test]
fn items_are_found_by_their_ids() {
    let page = rendered(ALL[0].1);
    for shown in ["<article class=\"card\" id=\"item-F-1\">", "href=\"#item-F-1\"", "<code>src/upload.rs:40-58</code>"] {
        assert!(page.contains(shown), "{shown}");
    }
    let page = changed(ALL[0].1, |document| {
        let rows = document["tables"][1]["rows"].as_array_mut().expect("rows");
        let row = rows[0].clone();
        rows.extend((0..600).map(|index| {
            let mut row = row.clone();
            row["cells"][0] = json!(format!("G-{index}"));
            row
        }));
    });
    assert!(page.contains("The first 500 of 602 items") && page.len() < 1 << 20, "{}", page.len());
}

#[test]
fn a_caller_s_format_has_a_page_too() {
    let page = changed(ALL[1].1, |document| {
        document["branch"] = json!("caller-contract");
        document["caller_contract"] = json!({"format": "json", "evidence": "asked", "output": "{}"});
    });
    assert!(page.contains("in a format that the caller asked for"), "{page}");
}
