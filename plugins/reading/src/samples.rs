//! Reports that renderers are tried on. Those of runs are recorded, without the digests of their environment.

use std::fmt::Write;

/// Name and text of each.
pub const ALL: [(&str, &str); 7] = [
    ("passed", include_str!("../reports/passed.json")),
    ("blocked", include_str!("../reports/blocked.json")),
    ("failed", include_str!("../reports/failed.json")),
    ("checkpoint", include_str!("../reports/checkpoint.json")),
    ("proofs", include_str!("../reports/proofs.json")),
    ("empty", include_str!("../reports/empty.json")),
    ("hostile", HOSTILE),
];

/// Gates that end in each way, for renderers that put findings at files. Those of `paths` are at no file that there could be.
pub const GATES: [(&str, &str); 5] = [
    ("suites", include_str!("../reports/suites.json")),
    ("documents", include_str!("../reports/documents.json")),
    ("review", include_str!("../reports/review.json")),
    ("fault", include_str!("../reports/fault.json")),
    ("paths", include_str!("../reports/paths.json")),
];

/// Every text tries to be something else.
pub const HOSTILE: &str = include_str!("../reports/hostile.json");

/// A passed gate that replayed one proof for each number, with that many cases.
pub fn cases(numbers: &[usize]) -> String {
    let replay = |index: usize, cases: usize| {
        let names: Vec<_> = (0..cases).map(|case| format!("\"tests/large.rs (shop)::case_{case:05}\"")).collect();
        format!(
            r#"{{"name":"proof-{index}","category":"behavior-proof-replay","status":"passed","attempts":[],"proof":{{"red_kind":"failed","flipped_cases":[{}]}}}}"#,
            names.join(",")
        )
    };
    let replays: Vec<_> = numbers.iter().enumerate().map(|(index, cases)| replay(index, *cases)).collect();
    format!(r#"{{"protocol":"code-polishy-report/v1","gate":"merge","status":"passed","commands":[{}]}}"#, replays.join(","))
}

/// A blocked gate with this many findings, each with long words.
pub fn findings(number: usize) -> String {
    let mut findings = String::new();
    for index in 0..number {
        let comma = if index == 0 { "" } else { "," };
        let word = "long".repeat(60);
        let _ = write!(
            findings,
            r#"{comma}{{"rule":"gate.command-exit","path":"src/{word}.rs","line":{index},"subject":"{word}-{index}","message":"{word}","remedy":"mend {index}","next":"mend {index}"}}"#
        );
    }
    format!(r#"{{"protocol":"code-polishy-report/v1","gate":"merge","status":"failed","findings":[{findings}]}}"#)
}
