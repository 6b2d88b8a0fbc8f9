//! The store of compiled code: a help that can fail in every way without anybody noticing.
#![cfg(unix)]

mod support;

use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
    thread,
};

use code_polishy_core::plugin::{PluginHost, PluginKind};
use code_polishy_sandbox::{Level, Note, Sandbox};
use support::{exited, guest, pinned, suite};

/// Loads and calls the sample with this cache folder; the notes that came with it.
fn run(cache: &Path) -> Vec<Note> {
    let notes: Arc<Mutex<Vec<Note>>> = Arc::default();
    let heard = Arc::clone(&notes);
    let sandbox = Sandbox::with_listener(Some(cache.to_owned()), move |note| heard.lock().expect("not poisoned").push(note));
    let source = pinned(PluginKind::SuiteRunner, guest(PluginKind::SuiteRunner, "", ""));
    sandbox.suite_runner(&source).expect("loads").judge(&suite(), &exited(0)).expect("answers");
    notes.lock().expect("not poisoned").clone()
}

/// Runs with this cache folder, and demands one note of this level that says this.
#[track_caller]
fn run_noting(cache: &Path, level: Level, says: &str) {
    let [note] = run(cache).try_into().expect("one note");
    assert!(!note.foreign && note.level == level && note.text.contains(says), "{note:?}");
}

fn stored(cache: &Path) -> Vec<PathBuf> {
    fs::read_dir(cache).expect("a folder").map(|entry| entry.expect("an entry").path()).collect()
}

#[test]
fn a_plugin_is_compiled_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let cache = folder.path().join("cache/plugins");
    run(&cache);
    let [file] = stored(&cache).try_into().expect("one file");
    assert_eq!(fs::metadata(&cache).expect("made").permissions().mode() & 0o777, 0o700);
    let written = fs::metadata(&file).expect("there").modified().expect("a time");
    run(&cache);
    assert_eq!(stored(&cache), std::slice::from_ref(&file));
    assert_eq!(fs::metadata(&file).expect("there").modified().expect("a time"), written);
}

#[test]
fn any_fault_in_a_stored_file_is_a_miss_that_mends_itself() {
    let cache = tempfile::tempdir().expect("a folder");
    run(cache.path());
    let [file] = stored(cache.path()).try_into().expect("one file");
    let good = fs::read(&file).expect("readable");
    let flipped = |at: usize| {
        let mut bytes = good.clone();
        bytes[at] ^= 1;
        bytes
    };
    let code = good.len() - 32;
    let flips = [0, 31, 32, 48, 32 + code / 4, 32 + code / 2, 32 + code * 3 / 4, good.len() - 1].map(flipped);
    let cuts = [0, 20, 32, 100, good.len() / 2, good.len() - 1].map(|length| good[..length].to_vec());
    for broken in flips.into_iter().chain(cuts).chain([[&good[..], b"x"].concat()]) {
        fs::write(&file, broken).expect("writable");
        run_noting(cache.path(), Level::Info, "compiled again");
        assert_eq!(fs::read(&file).expect("readable").len(), good.len());
    }
    assert_eq!(run(cache.path()), []);
}

#[test]
fn code_of_another_engine_is_a_miss_even_with_the_right_digest() {
    let cache = tempfile::tempdir().expect("a folder");
    run(cache.path());
    let [file] = stored(cache.path()).try_into().expect("one file");
    let good = fs::read(&file).expect("readable");
    // wasmtime's major version stands in the header of the code that it makes, after its length.
    let version = good.windows(3).position(|window| window == b"\x0248").expect("a version");
    let mut foreign = good[32..].to_vec();
    foreign[version - 32 + 1] = b'5';
    for code in [foreign, b"\x7fELF".to_vec(), vec![0; 4096]] {
        fs::write(&file, [sha256(&code), code].concat()).expect("writable");
        run_noting(cache.path(), Level::Info, "for another engine");
        assert!(fs::read(&file).expect("readable") == good);
    }
}

fn sha256(bytes: &[u8]) -> Vec<u8> {
    let hex = code_polishy_core::canonical::digest_bytes(bytes);
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).expect("hex")).collect()
}

#[test]
fn a_folder_that_cannot_be_used_is_said_and_done_without() {
    let folder = tempfile::tempdir().expect("a folder");
    let in_the_way = folder.path().join("file");
    fs::write(&in_the_way, "").expect("writable");
    run_noting(&in_the_way, Level::Warning, "plugins are compiled in every run");
}

#[test]
fn a_link_is_no_folder_of_ones_own() {
    let folder = tempfile::tempdir().expect("a folder");
    let (elsewhere, link) = (folder.path().join("elsewhere"), folder.path().join("link"));
    fs::create_dir(&elsewhere).expect("a folder");
    symlink(&elsewhere, &link).expect("a link");
    run_noting(&link, Level::Warning, "plugins are compiled in every run");
    assert_eq!(stored(&elsewhere), Vec::<PathBuf>::new());
}

#[test]
fn a_folder_that_others_can_write_is_not_trusted() {
    let cache = tempfile::tempdir().expect("a folder");
    for mode in [0o777, 0o770, 0o702] {
        fs::set_permissions(cache.path(), fs::Permissions::from_mode(mode)).expect("own folder");
        run_noting(cache.path(), Level::Warning, "can be written by");
        assert_eq!(stored(cache.path()), Vec::<PathBuf>::new());
    }
}

#[test]
fn threads_that_need_the_same_plugin_compile_it_once() {
    let cache = tempfile::tempdir().expect("a folder");
    thread::scope(|scope| {
        for run in (0..8).map(|_| scope.spawn(|| run(cache.path()))).collect::<Vec<_>>() {
            assert_eq!(run.join().expect("no panic"), []);
        }
    });
    let names: Vec<PathBuf> = stored(cache.path());
    assert!(names.len() == 1 && names[0].extension().is_some_and(|extension| extension == "cwasm"), "{names:?}");
}

#[test]
fn whoever_keeps_something_clears_what_nobody_uses() {
    let cache = tempfile::tempdir().expect("a folder");
    let old = cache.path().join("old.cwasm");
    fs::write(&old, "code of an engine that is gone").expect("writable");
    let file = fs::File::options().write(true).open(&old).expect("there");
    file.set_modified(std::time::SystemTime::now() - std::time::Duration::from_secs(100 * 24 * 60 * 60)).expect("own file");
    assert_eq!(run(cache.path()), []);
    assert!(!old.exists());
    assert_eq!(stored(cache.path()).len(), 1);
}
