//! Guests written as WebAssembly text against the canonical ABI, so that a test can say exactly what a plugin does.
#![allow(dead_code, reason = "each test file uses a part")]

use std::{fs, path::Path};

use code_polishy_core::{
    canonical::digest_bytes,
    plugin::{ExecutionFacts, PathFact, PathKind, PinnedComponent, PluginKind, PluginSource, ProcessExit, StreamFacts, SuiteFacts},
};
use code_polishy_sandbox::componentize::componentize;
use wit_component::{StringEncoding, embed_component_metadata};
use wit_parser::Resolve;

/// Where a function's answer lies. The page is zero, which reads as `ok` with empty lists, absent options and the first case of each enum.
pub const ANSWER: u32 = 1024;

/// A component of this kind whose function `name` has this body; the other functions answer with zeros.
///
/// `plan` has the parameters 0 to 9, `judge` one pointer, `classify` and `render` four (`list`, `length`, `options`, `length`), `verify`
/// two more before them. `$write` is `log.write`.
pub fn guest(kind: PluginKind, name: &str, body: &str) -> Vec<u8> {
    guest_with(kind, name, body, |wit| wit.to_owned()).expect("a component")
}

/// The same, built against an edited contract.
pub fn guest_with(kind: PluginKind, name: &str, body: &str, edit: impl Fn(&str) -> String) -> Result<Vec<u8>, String> {
    built(kind, name, body, edit, str::to_owned)
}

/// The same, with an edited core module.
pub fn guest_from(kind: PluginKind, name: &str, body: &str, edit: impl Fn(&str) -> String) -> Vec<u8> {
    built(kind, name, body, str::to_owned, edit).expect("a component")
}

/// The same, against an edited contract and with an edited core module.
pub fn built(
    kind: PluginKind,
    name: &str,
    body: &str,
    edit_contract: impl Fn(&str) -> String,
    edit_module: impl Fn(&str) -> String,
) -> Result<Vec<u8>, String> {
    let resolve = contract(&edit_contract);
    let package = resolve.packages.iter().next().expect("one package").1.name.clone();
    let version = package.version.expect("a version").to_string();
    let text = edit_module(&module(kind, name, body, &version));
    let mut core = wat::parse_str(text).map_err(|error| error.to_string())?;
    let world = resolve.worlds.iter().find(|(_, world)| world.name == format!("{kind}-plugin")).expect("the kind's world").0;
    embed_component_metadata(&mut core, &resolve, world, StringEncoding::UTF8).map_err(|error| error.to_string())?;
    componentize(&core).map_err(|error| error.to_string())
}

fn contract(edit: &impl Fn(&str) -> String) -> Resolve {
    let folder = tempfile::tempdir().expect("a folder");
    for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../wit")).expect("the contract") {
        let path = entry.expect("an entry").path();
        let text = fs::read_to_string(&path).expect("text");
        fs::write(folder.path().join(path.file_name().expect("a name")), edit(&text)).expect("writable");
    }
    let mut resolve = Resolve::default();
    resolve.push_dir(folder.path()).expect("valid WIT");
    resolve
}

fn module(kind: PluginKind, name: &str, body: &str, version: &str) -> String {
    let functions: &[(&str, usize)] = match kind {
        PluginKind::PathRoles => &[("classify", 4)],
        PluginKind::SuiteRunner => &[("plan", 10), ("judge", 1)],
        PluginKind::ReportRenderer => &[("render", 4)],
        PluginKind::ReviewerAdapter => &[("verify", 6)],
    };
    let function = |(function, parameters): &(&str, usize)| {
        let body = if *function == name { body } else { "(i32.const 1024)" };
        let parameters = "i32 ".repeat(*parameters);
        format!(
            "(func (export \"code-polishy:plugin/{kind}@{version}#{function}\") (param {parameters}) (result i32) (local $i i32) {body})"
        )
    };
    let functions: Vec<String> = functions.iter().map(function).collect();
    let describe = if name == "describe" { body } else { "(i32.const 32)" };
    format!(
        r#"(module
            (import "code-polishy:plugin/log@{version}" "write" (func $write (param i32 i32 i32)))
            (memory (export "memory") 2)
            (global $heap (mut i32) (i32.const 65536))
            (data (i32.const 0) "sample 1.0.0 {{}}")
            (data (i32.const 32) "\00\00\00\00\06\00\00\00\07\00\00\00\05\00\00\00\00\00\00\00\06\00\00\00\0d\00\00\00\02\00\00\00")
            (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (local $start i32)
                (local.set $start (i32.and (i32.add (global.get $heap) (i32.const 7)) (i32.const -8)))
                (global.set $heap (i32.add (local.get $start) (local.get 3)))
                (block $room
                    (br_if $room (i32.le_u (global.get $heap) (i32.mul (memory.size) (i32.const 65536))))
                    (drop (memory.grow (i32.add (i32.div_u (local.get 3) (i32.const 65536)) (i32.const 1)))))
                (local.get $start))
            (func $spin (param i32) (loop $again (br_if $again (i32.ne (local.get 0) (i32.const -1)))))
            (func $recurse (param i32) (result i32) (i32.add (call $recurse (local.get 0)) (i32.const 1)))
            (func (export "describe") (result i32) (local $i i32) {describe})
            {})"#,
        functions.join("\n")
    )
}

/// A source that pins these bytes.
pub fn pinned(kind: PluginKind, bytes: Vec<u8>) -> PluginSource {
    let sha256 = digest_bytes(&bytes);
    let pinned = PinnedComponent { bytes, sha256, fuel: None, memory_mib: None, size_mib: None };
    PluginSource { name: "sample".to_owned(), kind, pinned: Some(pinned), options: "{}".to_owned() }
}

/// A source of a bundled plugin.
pub fn bundled(kind: PluginKind, name: &str) -> PluginSource {
    PluginSource { name: name.to_owned(), kind, pinned: None, options: "{}".to_owned() }
}

pub fn suite() -> SuiteFacts {
    SuiteFacts { name: "unit".to_owned(), kind: "unit".to_owned(), argv: vec!["make".to_owned(), "test".to_owned()], cwd: ".".to_owned() }
}

pub fn exited(code: i32) -> ExecutionFacts {
    ExecutionFacts { exit: ProcessExit::Code(code), output: StreamFacts::default(), errors: StreamFacts::default(), files: Vec::new() }
}

pub fn file(path: &str) -> PathFact {
    PathFact { path: path.to_owned(), kind: PathKind::File, executable: false, size: 0, head: Vec::new(), attributes: Vec::new() }
}
