//! The store of compiled plugins: every fault of it costs time and nothing else, and is said to who asks.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, chown, symlink};
use std::path::{Path, PathBuf};
use std::process::Child;

use code_polishy_tests::{Output, Project, Repo, Tmpfs, policy};
use serde_json::Value;

use crate::WORLD;

/// Whoever this is, it is not us.
const SOMEBODY: u32 = 65_534;

/// A repository whose suites pass, and a cache of its own that is not yet there.
struct Shop {
    repo: Repo,
    cache: PathBuf,
}

impl Shop {
    fn new() -> Self {
        let repo = Repo::new(WORLD);
        for (path, content) in Project::shop().base {
            repo.write(path, content);
        }
        repo.policy(&policy::without_review()).commit("Open the shop");
        let cache = repo.area("cache");
        Self { repo, cache }
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = self.repo.command(arguments);
        command.env("CODE_POLISHY_CACHE", &self.cache);
        self.repo.run_command(command)
    }

    /// Runs a suite, which needs one plugin and must pass; the rest is for the caller to ask.
    #[track_caller]
    fn suite(&self) -> Output {
        self.run(&["test", "--suite", "search-contract", "--verbose"]).exits(0)
    }

    /// The one file of the store.
    #[track_caller]
    fn entry(&self) -> PathBuf {
        let [entry] = entries(&self.cache).try_into().expect("one file");
        entry
    }
}

fn entries(cache: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(cache).unwrap().map(|entry| entry.unwrap().path());
    files.filter(|path| path.extension().is_some_and(|extension| extension == "cwasm")).collect()
}

fn files(cache: &Path) -> usize {
    fs::read_dir(cache).unwrap().filter(|entry| entry.as_ref().unwrap().path().is_file()).count()
}

#[test]
fn eight_processes_that_need_every_plugin_first_all_succeed() {
    let shop = Shop::new();
    let start = || -> Child {
        let mut command = shop.repo.command(&["plugin", "warm", "--format", "json"]);
        command.env("CODE_POLISHY_CACHE", &shop.cache).spawn().unwrap()
    };
    let processes: Vec<Child> = (0..8).map(|_| start()).collect();
    let mut names = 0;
    for process in processes {
        let output = process.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let document: Value = serde_json::from_slice(&output.stdout).unwrap();
        names = document["plugins"].as_array().unwrap().len();
    }
    assert!(names > 0);
    assert_eq!((entries(&shop.cache).len(), files(&shop.cache)), (names, names), "one file a plugin, and nothing that was only begun");
    let again = shop.run(&["plugin", "warm", "--format", "json"]).exits(0).json();
    assert!(again["plugins"].as_array().unwrap().iter().all(|plugin| plugin["state"] == "stored"), "{again}");
}

#[test]
fn damaged_code_is_compiled_again() {
    let shop = Shop::new();
    shop.suite();
    let entry = shop.entry();
    let good = fs::read(&entry).unwrap();
    let flipped = |at: usize| {
        let mut bytes = good.clone();
        bytes[at] ^= 0x80;
        bytes
    };
    let cut = good[..good.len() / 3].to_vec();
    for damaged in [flipped(0), flipped(40), flipped(good.len() / 2), flipped(good.len() - 1), cut, Vec::new()] {
        fs::write(&entry, damaged).unwrap();
        shop.suite().names("it is compiled again");
        assert!(fs::read(shop.entry()).unwrap() == good);
    }
    assert!(!shop.suite().stderr.contains("compiled again"));
}

#[test]
fn a_full_disk_stores_nothing_and_stops_nobody() {
    let shop = Shop::new();
    let Some(disk) = Tmpfs::mount(&shop.cache) else { return };
    for (pages, inodes) in [(0, 100), (3, 100), (100, 0)] {
        disk.leave(pages, inodes);
        shop.suite().names("cannot be stored").names("space");
        assert_eq!(files(&shop.cache), 0);
    }
    disk.widen();
    shop.suite();
    shop.entry();
}

#[test]
fn a_read_only_folder_is_read_and_not_written() {
    let shop = Shop::new();
    let Some(disk) = Tmpfs::mount(&shop.cache) else { return };
    disk.read_only(true);
    shop.suite().names("cannot be stored").names("Read-only");
    disk.read_only(false);
    shop.suite();
    disk.read_only(true);
    assert!(!shop.suite().stderr.contains("compiled in every run"), "what is there is loaded");
    disk.read_only(false);
}

#[test]
fn a_folder_that_is_not_ones_own_is_not_used() {
    let shared = |shop: &Shop| everybodys(&shop.cache);
    let linked = |shop: &Shop| {
        everybodys(&shop.repo.area("elsewhere"));
        symlink(shop.repo.area("elsewhere"), &shop.cache).unwrap();
    };
    let foreign = |shop: &Shop| {
        everybodys(&shop.cache);
        // Only root can give a folder away.
        if chown(&shop.cache, Some(SOMEBODY), None).is_ok() {
            fs::set_permissions(&shop.cache, fs::Permissions::from_mode(0o755)).unwrap();
        }
    };
    let makes: [&dyn Fn(&Shop); 3] = [&shared, &linked, &foreign];
    for make in makes {
        let shop = Shop::new();
        make(&shop);
        shop.suite().names("others can write to").names("plugins are compiled in every run");
        assert_eq!(entries(&shop.cache).len(), 0);
    }
}

/// Makes a folder that everybody can write to.
fn everybodys(folder: &Path) {
    fs::create_dir(folder).unwrap();
    fs::set_permissions(folder, fs::Permissions::from_mode(0o777)).unwrap();
}

#[test]
fn what_stands_in_the_folders_place_is_said_and_done_without() {
    let shop = Shop::new();
    fs::write(&shop.cache, "no folder").unwrap();
    shop.suite().names("plugins are compiled in every run");
    fs::remove_file(&shop.cache).unwrap();
    symlink(shop.repo.area("nowhere"), &shop.cache).unwrap();
    shop.suite().names("plugins are compiled in every run");
    assert!(!shop.repo.area("nowhere").exists());
}

#[test]
fn a_link_to_a_private_folder_is_the_users_choice() {
    let shop = Shop::new();
    let elsewhere = shop.repo.area("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    symlink(&elsewhere, &shop.cache).unwrap();
    shop.suite();
    assert_eq!(entries(&elsewhere).len(), 1);
}
