//! Plugins that do harm or nonsense, each with the name of how it ends. Their text is here; the components in `tests/fixtures/hostile`, which the
//! black-box tests pin, are what it gives.
//!
//! After a change of the text or of the contract: `UPDATE_FIXTURES=1 cargo test -p code-polishy-sandbox --test hostile`.

mod support;

use std::{collections::BTreeSet, fs, path::PathBuf};

use code_polishy_core::plugin::{PluginFault, PluginFaultKind, PluginHost, PluginKind, Verdict};
use code_polishy_sandbox::Sandbox;
use support::{ANSWER, built, exited, guest, guest_from, guest_with, pinned, suite};

/// A runner, how asking it ends, and what is said about it.
struct Hostile {
    name: &'static str,
    component: Vec<u8>,
    ends: PluginFaultKind,
    says: &'static str,
}

fn hostile(name: &'static str, component: Vec<u8>, ends: PluginFaultKind, says: &'static str) -> Hostile {
    Hostile { name, component, ends, says }
}

/// A runner whose `judge` has this body.
fn judge(body: &str) -> Vec<u8> {
    guest(PluginKind::SuiteRunner, "judge", body)
}

/// A well-behaved runner whose core module says something else in one place.
fn instead(of: &str, is: &str) -> Vec<u8> {
    guest_from(PluginKind::SuiteRunner, "", "", |text| {
        assert!(text.contains(of), "{of}");
        text.replace(of, is)
    })
}

fn built_for(version: &str) -> Vec<u8> {
    guest_with(PluginKind::SuiteRunner, "", "", |wit| wit.replace("@1.1.0", version)).expect("a component")
}

fn without_judge() -> Vec<u8> {
    let contract = |wit: &str| wit.replace("judge: func", "judges: func");
    built(PluginKind::SuiteRunner, "", "", contract, |text| text.replace("#judge\"", "#judges\"")).expect("a component")
}

fn text(component: &str) -> Vec<u8> {
    wat::parse_str(component).expect("well-formed")
}

/// Stores a word of the answer.
fn put(offset: u32, value: u32) -> String {
    format!("(i32.store (i32.const {}) (i32.const {value}))", ANSWER + offset)
}

/// The summary of the verdict lies here.
fn summary(address: u32, length: u32) -> String {
    format!("{} {} (i32.const {ANSWER})", put(20, address), put(24, length))
}

/// This many cases, whose names all are the same megabyte when `long`.
fn cases(count: u32, long: bool) -> String {
    let name = if long { "(i32.store offset=4 (local.get $i) (i32.const 1000000))" } else { "" };
    format!(
        "(drop (memory.grow (i32.const 200))) (local.set $i (i32.const 200000))
         (loop $more (i32.store (local.get $i) (i32.const 1000000)) {name}
            (br_if $more (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 44))) (i32.const {}))))
         {} {} {} (i32.const {ANSWER})",
        200_000 + 44 * count,
        put(8, 1),
        put(12, 200_000),
        put(16, count),
    )
}

/// Components of components: each level instantiates the one below twice.
fn doubling(levels: usize) -> Vec<u8> {
    let level = |level: usize| {
        let below = level - 1;
        format!("(component $c{level} (alias outer $top $c{below} (component $x)) (instance (instantiate $x)) (instance (instantiate $x)))")
    };
    let levels: String = (1..=levels).map(level).collect();
    text(&format!("(component $top (component $c0) {levels})"))
}

fn runners() -> Vec<Hostile> {
    use PluginFaultKind::{BadOutput, Incompatible, OutOfFuel, OutOfMemory, OutputTooLarge, Trapped, Unreadable};
    let start =
        |body: &str| instead("(func (export \"describe\")", &format!("(func $start {body}) (start $start) (func (export \"describe\")"));
    let memory = |memory: &str| instead("(memory (export \"memory\") 2)", &format!("(memory (export \"memory\") {memory})"));
    let tables = |tables: &str| instead("(global $heap", &format!("{tables} (global $heap"));
    let mut truncated = judge("(i32.const 1024)");
    truncated.truncate(truncated.len() / 2);
    vec![
        hostile("loops", judge("(call $spin (i32.const 0)) (unreachable)"), OutOfFuel, "fuel"),
        hostile("loops-at-start", start("(call $spin (i32.const 0))"), OutOfFuel, "fuel"),
        hostile("traps", judge("(call $write (i32.const 3) (i32.const 0) (i32.const 6)) (unreachable)"), Trapped, "unreachable"),
        hostile("traps-at-start", start("unreachable"), Trapped, "unreachable"),
        hostile("recurses", judge("(call $recurse (i32.const 0))"), Trapped, "call stack exhausted"),
        hostile("grows", judge("(loop $more (drop (memory.grow (i32.const 16))) (br $more)) (unreachable)"), OutOfMemory, "MiB of memory"),
        hostile("huge-memory", memory("65535"), OutOfMemory, "4096 MiB of memory"),
        hostile("huge-table", tables("(table 10000000 funcref)"), OutOfMemory, "a table of 10000000 elements"),
        hostile("many-tables", tables(&"(table 1 funcref)".repeat(17)), Incompatible, "table"),
        hostile(
            "long-answer",
            judge(&format!("(drop (memory.grow (i32.const 820))) {}", summary(131_072, 50 << 20))),
            OutputTooLarge,
            "the summary has",
        ),
        hostile("many-cases", judge(&cases(200_001, false)), OutputTooLarge, "200001 cases"),
        hostile("gigabyte", judge(&cases(1000, true)), BadOutput, "too much data"),
        hostile("lying-length", judge(&summary(0, 3 << 30)), BadOutput, "out of bounds"),
        hostile("not-text", judge(&format!("(i32.store8 (i32.const 0) (i32.const 255)) {}", summary(0, 6))), BadOutput, "utf-8"),
        hostile(
            "no-such-outcome",
            judge(&format!("(i32.store8 (i32.const {ANSWER}) (i32.const 9)) (i32.const {ANSWER})")),
            BadOutput,
            "discriminant",
        ),
        hostile(
            "wasi",
            text(r#"(component (import "wasi:cli/environment@0.2.9" (instance (export "get-environment" (func)))))"#),
            Incompatible,
            "--stub-wasi",
        ),
        hostile(
            "foreign-import",
            text(r#"(component (import "acme:net/http@1.0.0" (instance (export "get" (func)))))"#),
            Incompatible,
            "acme:net/http@1.0.0#get",
        ),
        hostile(
            "resource",
            text(r#"(component (import "acme:io/streams@1.0.0" (instance (export "stream" (type (sub resource))))))"#),
            Incompatible,
            "acme:io/streams",
        ),
        hostile("no-judge", without_judge(), Incompatible, "judge"),
        hostile("no-kind", text("(component)"), Incompatible, "none of the contract's interfaces"),
        hostile("older", built_for("@0.9.0"), Incompatible, "rebuild the plugin"),
        hostile("newer", built_for("@2.0.0"), Incompatible, "upgrade code-polishy"),
        hostile("newer-minor", built_for("@1.2.0"), Incompatible, "upgrade code-polishy"),
        hostile("core-module", text("(module)"), Unreadable, "a core module"),
        hostile("truncated", truncated, Unreadable, "not a valid component"),
        hostile("not-wasm", b"#!/bin/sh\necho owned\n".to_vec(), Unreadable, "not a valid component"),
        hostile("doubling", doubling(40), Unreadable, "instantiations of components"),
    ]
}

fn asked(component: &[u8]) -> Result<Verdict, PluginFault> {
    let mut source = pinned(PluginKind::SuiteRunner, component.to_vec());
    source.pinned.as_mut().expect("pinned").fuel = Some(50_000_000);
    Sandbox::new(None).suite_runner(&source)?.judge(&suite(), &exited(0))
}

#[test]
fn every_hostile_runner_ends_as_it_is_named() {
    for Hostile { name, component, ends, says } in runners() {
        let fault = asked(&component).expect_err(name);
        assert_eq!(fault.kind, ends, "{name}: {fault}");
        assert!(format!("{}; {}", fault.message, fault.next).contains(says), "{name}: {fault}; {}", fault.next);
    }
}

#[test]
fn the_hostile_components_are_what_their_text_gives() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/hostile");
    let runners = runners();
    for Hostile { name, component, .. } in &runners {
        let path = folder.join(format!("{name}.wasm"));
        if std::env::var_os("UPDATE_FIXTURES").is_some() {
            fs::write(&path, component).expect("writable");
        }
        assert!(fs::read(&path).expect("a fixture") == *component, "{name}.wasm is out of date");
    }
    let files = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").file_name().into_string().expect("text"));
    assert_eq!(files.collect::<BTreeSet<_>>(), runners.iter().map(|runner| format!("{}.wasm", runner.name)).collect());
}

#[test]
fn a_plugin_that_traps_in_describe_is_no_plugin() {
    let source = pinned(PluginKind::SuiteRunner, guest(PluginKind::SuiteRunner, "describe", "unreachable"));
    let fault = Sandbox::new(None).describe(&source).expect_err("must fail");
    assert_eq!(fault.kind, PluginFaultKind::Trapped, "{fault}");
    assert_eq!(Sandbox::new(None).check(&source).expect_err("must fail").kind, PluginFaultKind::Trapped);
}
