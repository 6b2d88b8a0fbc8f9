//! The components in `tests/fixtures/hostile`, which the black-box tests pin, are what this text gives.
//!
//! After a change of the text or of the contract: `UPDATE_FIXTURES=1 cargo test -p code-polishy-sandbox --test hostile`.

mod support;

use std::{fs, path::Path};

use code_polishy_core::plugin::PluginKind;
use support::guest;

/// What each runner does when it is asked to judge.
const RUNNERS: [(&str, &str); 2] = [
    ("loops", "(call $spin (i32.const 0)) (unreachable)"),
    ("traps", "(call $write (i32.const 3) (i32.const 0) (i32.const 6)) (unreachable)"),
];

#[test]
fn the_hostile_components_are_what_their_text_gives() {
    for (name, body) in RUNNERS {
        let built = guest(PluginKind::SuiteRunner, "judge", body);
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../tests/fixtures/hostile/{name}.wasm"));
        if std::env::var_os("UPDATE_FIXTURES").is_some() {
            fs::write(&path, &built).expect("writable");
        }
        assert!(fs::read(&path).expect("a fixture") == built, "{name}.wasm is out of date");
    }
}
