//! Whole pages, kept beside their reports, and what holds for every page.
//!
//! `ACCEPT=1 cargo test -p html` writes the pages again: look at them before they are committed.

use std::collections::BTreeSet;

use reading::samples::{ALL, HOSTILE, cases, findings};

use super::*;

fn rendered(report: &str) -> String {
    let mut artifacts = Html::render(report, &NoOptions {}).expect("a report");
    let artifact = artifacts.pop().expect("one");
    assert!(artifacts.is_empty() && artifact.name == "report.html");
    String::from_utf8(artifact.content).expect("made of text")
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

#[test]
fn foreign_text_is_no_markup() {
    let own: BTreeSet<_> = ALL.iter().filter(|(name, _)| *name != "hostile").flat_map(|(_, report)| markup(&rendered(report))).collect();
    let foreign: Vec<_> = markup(&rendered(HOSTILE)).into_iter().filter(|name| !own.contains(name)).collect();
    assert_eq!(foreign, Vec::<String>::new());
    assert!(own.contains("a href=") && !own.contains("script"), "{own:?}");
}

#[test]
fn hidden_characters_are_shown() {
    let page = rendered(HOSTILE);
    let hidden = |character: &char| (character.is_control() && *character != '\n') || ('\u{202a}'..='\u{202e}').contains(character);
    assert_eq!(page.chars().find(hidden), None);
    assert!(page.contains(r"\u{202e}forged"));
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
        assert!(!style.contains("@import") && !style.replace("url(#", "").contains("url("), "{name}");
    }
}

#[test]
fn ten_thousand_cases_stay_usable() {
    let page = rendered(&cases(&[10_000]));
    assert!(page.len() < 1 << 20, "{}", page.len());
    for told in ["10,000 cases", "980 more cases", "9,000 more cases not listed"] {
        assert!(page.contains(told), "{told}");
    }
    let page = rendered(&cases(&[1_000; 30]));
    assert!(page.len() < 4 << 20, "{}", page.len());
    assert_eq!(page.matches("<details").count(), 5, "a thousand cases of each of five proofs");
    assert_eq!(page.matches("1,000 more cases not listed").count(), 25);
}

#[test]
fn many_findings_are_counted() {
    let page = rendered(&findings(1_000));
    assert!(page.contains("The first 200 of 1,000 findings"));
    assert_eq!(page.matches("<article").count(), 200);
}
