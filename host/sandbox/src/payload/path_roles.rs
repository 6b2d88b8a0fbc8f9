//! Facts about paths.

use code_polishy_core::plugin::{PathFact, PathKind};

use super::{INJECTION, UNICODE};
use crate::convert::path_roles::{HEAD_BYTES, MAX_PATHS};

/// A name and what makes the payload.
pub type Named = (&'static str, fn() -> Vec<PathFact>);

/// Every payload of `classify`.
pub const ALL: [Named; 5] = [
    ("no paths", Vec::new),
    ("1,000 paths", || paths(1000)),
    ("odd paths and heads", odd),
    ("2,000 paths of 4 KiB", || paths(2000).into_iter().map(|fact| PathFact { head: full_head(), ..fact }).collect()),
    ("100,000 paths", || paths(MAX_PATHS)),
];

/// Paths as repositories have them.
fn paths(count: usize) -> Vec<PathFact> {
    let folders = ["src", "tests", "docs", "src/fixtures", "build", "über uns"];
    let endings = ["rs", "md", "json", "py", "lock"];
    let kinds = [PathKind::File, PathKind::File, PathKind::File, PathKind::Link, PathKind::Gitlink];
    let fact = |number: usize| {
        let kind = kinds[number % kinds.len()];
        let head = if kind == PathKind::Gitlink { Vec::new() } else { format!("// generated line {number}\n").into_bytes() };
        PathFact {
            path: format!("{}/file-{number}.{}", folders[number % folders.len()], endings[number % endings.len()]),
            kind,
            executable: number.is_multiple_of(7),
            size: head.len() as u64,
            head,
            attributes: if number.is_multiple_of(50) { vec![("linguist-generated".to_owned(), "true".to_owned())] } else { Vec::new() },
        }
    };
    (0..count).map(fact).collect()
}

/// What a path may be, though few are.
fn odd() -> Vec<PathFact> {
    let paths = [
        "a".to_owned(),
        "-rf".to_owned(),
        " ".to_owned(),
        "..a/...".to_owned(),
        "con/nul.txt".to_owned(),
        "*?[a-z]{b}".to_owned(),
        "a\\b".to_owned(),
        UNICODE.to_owned(),
        INJECTION.replace('/', "_").replace('\0', ""),
        ["d"; 2000].join("/"),
        "n".repeat(4096),
    ];
    let heads =
        [Vec::new(), b"\xef\xbb\xbf#!/bin/sh\r\n".to_vec(), (0..=255).collect(), vec![0; HEAD_BYTES], INJECTION.as_bytes().to_vec()];
    let fact = |(number, path): (usize, String)| PathFact {
        path,
        kind: PathKind::File,
        executable: false,
        size: u64::MAX,
        head: heads[number % heads.len()].clone(),
        attributes: vec![("linguist-generated".to_owned(), INJECTION.to_owned()), ("linguist-language".to_owned(), String::new())],
    };
    paths.into_iter().enumerate().map(fact).collect()
}

fn full_head() -> Vec<u8> {
    b"// a line of an ordinary file, one of many like it\n".iter().copied().cycle().take(HEAD_BYTES).collect()
}
