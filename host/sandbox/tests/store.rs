//! The store of compiled code: a help that can fail in every way without anybody noticing.
#![cfg(unix)]

mod support;

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
};

use code_polishy_core::plugin::{PluginHost, PluginKind};
use code_polishy_sandbox::{Note, Sandbox};
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
    for broken in [Vec::new(), good[..20].to_vec(), good[..good.len() - 1].to_vec(), flipped(0), flipped(good.len() / 2)] {
        fs::write(&file, broken).expect("writable");
        assert_eq!(run(cache.path()), []);
        assert_eq!(fs::read(&file).expect("readable").len(), good.len());
    }
}

#[test]
fn a_folder_that_cannot_be_used_is_said_and_done_without() {
    let folder = tempfile::tempdir().expect("a folder");
    let in_the_way = folder.path().join("file");
    fs::write(&in_the_way, "").expect("writable");
    let [note] = run(&in_the_way).try_into().expect("one note");
    assert!(!note.foreign && note.text.contains("plugins are compiled in every run"), "{}", note.text);
}

#[test]
fn a_folder_that_others_can_write_is_not_trusted() {
    let cache = tempfile::tempdir().expect("a folder");
    fs::set_permissions(cache.path(), fs::Permissions::from_mode(0o777)).expect("own folder");
    assert_eq!(run(cache.path()).len(), 1);
    assert_eq!(stored(cache.path()), Vec::<PathBuf>::new());
}

#[test]
fn a_read_only_folder_still_loads() {
    let cache = tempfile::tempdir().expect("a folder");
    run(cache.path());
    fs::set_permissions(cache.path(), fs::Permissions::from_mode(0o500)).expect("own folder");
    run(cache.path());
    fs::set_permissions(cache.path(), fs::Permissions::from_mode(0o700)).expect("own folder");
}
