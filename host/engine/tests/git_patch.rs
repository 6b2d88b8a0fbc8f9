//! The canonical patch beside what git prints, on everything that is odd (BR-44, BR-45).

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

mod git_support;

use std::process::{Command, Stdio};

use code_polishy_core::patch::{ChangeStatus, FilePatch, whole_text};
use code_polishy_engine::git::{Blobs, changes, patch};
use git_support::{Sample, isolated};
use proptest::prelude::*;

const OTHER_COMMIT: &str = "160000,1111111111111111111111111111111111111111,sub";
const ODD_NAMES: [&str; 8] = ["a b", "quo\"te", "tab\tname", "new\nline", ":colon", "[id]", "é", "back\\slash"];

fn patches(sample: &Sample, base: &str, candidate: &str) -> Vec<FilePatch> {
    let repository = sample.open();
    patch(&changes(&repository, base, candidate).unwrap(), &Blobs::of(&repository)).unwrap()
}

/// What git prints, without the function after `@@`.
fn git_diff(sample: &Sample, base: &str, candidate: &str) -> Vec<u8> {
    let options =
        ["diff", "--no-color", "--no-ext-diff", "--no-textconv", "--full-index", "--no-renames", "--diff-algorithm=myers", base, candidate];
    let text = sample.git_bytes(options);
    let lines = text.split_inclusive(|byte| *byte == b'\n').map(|line| match line.strip_prefix(b"@@ ") {
        Some(rest) => {
            let end = rest.windows(3).position(|window| window == b" @@").unwrap() + 6;
            [&line[..end], b"\n"].concat()
        }
        None => line.to_vec(),
    });
    lines.collect::<Vec<_>>().concat()
}

fn of<'a>(patches: &'a [FilePatch], path: &str) -> &'a FilePatch {
    patches.iter().find(|patch| patch.path == path).unwrap()
}

/// Everything that git shows as lines.
fn write_lines(sample: &Sample) -> (String, String) {
    let long = |changed: &[usize]| {
        (1..90).map(|n| if changed.contains(&n) { format!("  new {n}\n") } else { format!("  {n}\n") }).collect::<String>()
    };
    sample
        .write("crlf", "a\r\nb\r\nc\r\n")
        .write("no-end", "a\nb")
        .write("gone", "x\ny\n")
        .write("long", long(&[]))
        .write("script", "#!/bin/sh\n")
        .write("mode-and-text", "a\n")
        .write("becomes-link", "text\n")
        .write("becomes-folder", "text\n")
        .write("filled", "")
        .write("emptied", "a\nb\n")
        .write("late-nul", [vec![b'a'; 9000], b"\n".to_vec()].concat())
        .link("link", "long")
        .link("link-gone", "long");
    for name in ODD_NAMES {
        sample.write(&format!("odd/{name}"), "one\n");
    }
    sample.git(["update-index", "--add", "--cacheinfo", "160000,2222222222222222222222222222222222222222,sub"]);
    sample.git(["add", "-A", ":!sub"]);
    sample.git(["commit", "-q", "-m", "base"]);
    let base = sample.git(["rev-parse", "HEAD"]).trim().to_owned();

    sample
        .write("crlf", "a\r\nB\r\nc\r\n")
        .write("no-end", "a\nc")
        .write("new-without-end", "only")
        .write("long", long(&[1, 10, 17, 40, 60, 89]))
        .write("mode-and-text", "b\n")
        .mode("mode-and-text", 0o755)
        .write("filled", "x\n")
        .write("emptied", "")
        .write("late-nul", [vec![b'a'; 9000], b"\0\n".to_vec()].concat())
        .remove("gone")
        .remove("becomes-link")
        .link("becomes-link", "long")
        .remove("becomes-folder")
        .write("becomes-folder/inside", "text\n")
        .remove("link")
        .link("link", "crlf")
        .remove("link-gone");
    for name in ODD_NAMES {
        sample.write(&format!("odd/{name}"), "two\n");
    }
    sample.git(["update-index", "--cacheinfo", OTHER_COMMIT]);
    sample.git(["add", "-A", ":!sub"]);
    sample.git(["commit", "-q", "-m", "candidate"]);
    (base, sample.git(["rev-parse", "HEAD"]).trim().to_owned())
}

#[test]
fn equals_git_where_there_are_lines() {
    let sample = Sample::new();
    let (base, candidate) = write_lines(&sample);
    let ours = whole_text(&patches(&sample, &base, &candidate));
    assert_eq!(ours, String::from_utf8(git_diff(&sample, &base, &candidate)).unwrap());
    let back = whole_text(&patches(&sample, &candidate, &base));
    assert_eq!(back, String::from_utf8(git_diff(&sample, &candidate, &base)).unwrap());
}

#[test]
fn every_change_has_a_hunk_and_one_entry() {
    let sample = Sample::new();
    let (base, candidate) = write_lines(&sample);
    let patches = patches(&sample, &base, &candidate);
    assert!(patches.is_sorted_by(|left, right| left.path < right.path));
    assert!(patches.iter().all(|patch| !patch.hunks.is_empty() && patch.text.ends_with('\n')));
    let became = of(&patches, "becomes-link");
    assert_eq!((became.status, became.hunks.len()), (ChangeStatus::Modified, 2));
    assert_eq!(of(&patches, "becomes-folder").status, ChangeStatus::Deleted);
    assert!(of(&patches, "link").hunks[0].context.is_none());
    let long = &of(&patches, "long").hunks[2];
    assert_eq!((long.candidate_start, long.candidate_lines), (37, 7));
    assert_eq!(long.context.as_ref().map(|context| (context.start_line, context.end_line)), Some((17, 63)));
}

#[test]
fn summarises_what_has_no_lines() {
    let sample = Sample::new();
    let big = "line of text\n".repeat(200_000);
    sample.write("binary", b"\0one").write("tool", "x\n").write("big", &big).write("text-to-binary", "x\n");
    let base = sample.commit("base");
    sample.write("binary", b"\0two!").mode("tool", 0o755).write("big", big + "more\n").write("text-to-binary", b"\0").write("empty", "");
    let candidate = sample.commit("candidate");
    let patches = patches(&sample, &base, &candidate);
    for (path, kind) in [("binary", "binary"), ("tool", "mode"), ("big", "over-size"), ("text-to-binary", "binary"), ("empty", "empty")] {
        let patch = of(&patches, path);
        assert_eq!(patch.hunks.len(), 1, "{path}");
        assert!(patch.hunks[0].text.starts_with(&format!("Opaque change: {kind}\n")), "{}", patch.text);
        assert!(patch.hunks[0].context.is_none());
    }
    let id = |commit: &str| sample.git(["rev-parse", &format!("{commit}:binary")]).trim().to_owned();
    let expected = format!("Opaque change: binary\n-100644 {} 4 bytes\n+100644 {} 5 bytes\n", id(&base), id(&candidate));
    assert_eq!(of(&patches, "binary").hunks[0].text, expected);
}

#[test]
fn escapes_other_encodings() {
    let sample = Sample::new();
    sample.write("latin", b"caf\xe9\n").write("recoded", b"caf\xe9\n");
    let base = sample.commit("base");
    sample.write("latin", b"caf\xe9 \\xe9\n").write("recoded", "café\n");
    let candidate = sample.commit("candidate");
    let patches = patches(&sample, &base, &candidate);
    assert!(of(&patches, "latin").text.ends_with("@@ -1 +1 @@\n-caf\\xe9\n+caf\\xe9 \\x5cxe9\n"));
    assert!(of(&patches, "latin").text.contains("not UTF-8: bytes are shown as \\xNN\n"));
    assert!(of(&patches, "recoded").text.ends_with("-caf\\xe9\n+café\n"));
    assert!(of(&patches, "latin").hunks[0].context.is_none());
}

#[test]
fn refuses_a_path_that_is_not_utf8() {
    use std::os::unix::ffi::OsStrExt;
    let sample = Sample::new();
    let base = sample.commit("base");
    std::fs::write(sample.root().join(std::ffi::OsStr::from_bytes(b"caf\xe9")), "x").unwrap();
    let candidate = sample.commit("candidate");
    let failure = changes(&sample.open(), &base, &candidate).unwrap_err();
    assert_eq!(failure.diagnostics[0].code, "git.path-not-utf8");
    assert_eq!(failure.diagnostics[0].path.as_deref(), Some("caf\\xe9"));
    assert_eq!(failure.kind.exit_status(), 2);
}

#[test]
fn no_configuration_changes_a_byte() {
    let plain = Sample::new();
    let (base, candidate) = write_lines(&plain);
    let expected = whole_text(&patches(&plain, &base, &candidate));
    for (key, value) in [
        ("diff.noprefix", "true"),
        ("diff.algorithm", "patience"),
        ("diff.context", "9"),
        ("diff.renames", "copies"),
        ("diff.external", "/bin/false"),
        ("diff.odd.textconv", "/bin/false"),
        ("diff.odd.command", "/bin/false"),
        ("core.autocrlf", "true"),
        ("core.abbrev", "5"),
        ("core.quotePath", "false"),
        ("color.ui", "always"),
    ] {
        plain.git(["config", key, value]);
    }
    std::fs::create_dir_all(plain.root().join(".git/info")).unwrap();
    std::fs::write(plain.root().join(".git/info/attributes"), "* diff=odd\nlong binary\n").unwrap();
    assert_eq!(whole_text(&patches(&plain, &base, &candidate)), expected);
}

#[test]
fn sha256_repositories_have_long_ids() {
    let sample = Sample::with_format("sha256");
    sample.write("a", "one\n");
    let base = sample.commit("base");
    sample.write("a", "two\n").write("b", "new\n");
    let candidate = sample.commit("candidate");
    assert_eq!(whole_text(&patches(&sample, &base, &candidate)).as_bytes(), git_diff(&sample, &base, &candidate));
    assert_eq!(base.len(), 64);
}

fn apply(sample: &Sample, patch: &str) {
    let mut command = Command::new("git");
    command.current_dir(sample.root()).args(["apply", "--index", "--whitespace=nowarn", "-"]).stdin(Stdio::piped());
    let mut child = isolated(&mut command).spawn().unwrap();
    std::io::Write::write_all(child.stdin.as_mut().unwrap(), patch.as_bytes()).unwrap();
    drop(child.stdin.take());
    assert!(child.wait().unwrap().success(), "{patch}");
}

fn text() -> impl Strategy<Value = String> {
    proptest::collection::vec(prop_oneof!["[ab]{0,2}\n", "  [ab{}]\r?\n", "é\n"], 0..40)
        .prop_flat_map(|lines| (Just(lines.concat()), any::<bool>()))
        .prop_map(|(text, cut)| if cut { text.trim_end_matches('\n').to_owned() } else { text })
}

/// What stands at a path on one side.
#[derive(Clone, Debug, PartialEq)]
enum Node {
    Absent,
    File(String, bool),
    Link(String),
}

fn node() -> impl Strategy<Value = Node> {
    prop_oneof![
        1 => Just(Node::Absent),
        5 => (text(), any::<bool>()).prop_map(|(text, executable)| Node::File(text, executable)),
        1 => "[a-c]{1,3}".prop_map(Node::Link),
    ]
}

/// Both sides of a path. Where git shows no lines there is nothing to apply: a mode alone, and an empty file that comes or goes.
fn sides() -> impl Strategy<Value = [Node; 2]> {
    let empty = |node: &Node| matches!(node, Node::File(text, _) if text.is_empty());
    [node(), node()].prop_filter("a change with lines", move |[old, new]| match (old, new) {
        (Node::File(old, one), Node::File(new, two)) => old != new || one == two,
        _ => !empty(old) && !empty(new),
    })
}

fn place(sample: &Sample, path: &str, node: &Node) {
    let _ = std::fs::remove_file(sample.root().join(path));
    match node {
        Node::Absent => {}
        Node::File(text, executable) => drop(sample.write(path, text).mode(path, if *executable { 0o755 } else { 0o644 }).root()),
        Node::Link(target) => drop(sample.link(path, target).root()),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn the_patch_turns_the_base_into_the_candidate(
        long_ids in any::<bool>(),
        trees in proptest::collection::btree_map(proptest::sample::select(&ODD_NAMES[..]), sides(), 1..6),
    ) {
        let sample = Sample::with_format(if long_ids { "sha256" } else { "sha1" });
        let commit = |side: usize| {
            trees.iter().for_each(|(name, sides)| place(&sample, name, &sides[side]));
            sample.commit("side")
        };
        let (base, candidate) = (commit(0), commit(1));
        let text = whole_text(&patches(&sample, &base, &candidate));
        prop_assert_eq!(text.as_bytes(), &git_diff(&sample, &base, &candidate)[..]);
        sample.git(["checkout", "-q", "--detach", &base]);
        if !text.is_empty() {
            apply(&sample, &text);
        }
        prop_assert_eq!(sample.git(["write-tree"]), sample.git(["rev-parse", &format!("{candidate}^{{tree}}")]));
    }
}
