//! A small file system in memory, to find out what happens when a disk is full.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What `size` counts in.
const PAGE: u64 = 4096;

/// A mounted file system, unmounted when dropped.
#[derive(Debug)]
pub struct Tmpfs {
    at: PathBuf,
    /// An open file without a name, which takes a page: a file system that may have no page at all has no limit.
    _page: File,
}

impl Tmpfs {
    /// Mounts a roomy one over a folder, which is made; `None` where mounting is not allowed.
    pub fn mount(at: &Path) -> Option<Self> {
        fs::create_dir_all(at).expect("a folder");
        run("mount", &["-t", "tmpfs", "-o", "size=64m,mode=700", "none"], at).then(|| Self { at: at.to_owned(), _page: page(at) })
    }

    /// Leaves room for this many pages and files more than there are.
    pub fn leave(&self, pages: u64, files: u64) {
        let taken = rustix::fs::statvfs(&self.at).expect("a file system");
        let size = (taken.f_blocks - taken.f_bfree) * taken.f_frsize / PAGE + pages;
        let inodes = taken.f_files - taken.f_ffree + files;
        self.remount(&format!("size={},nr_inodes={inodes}", size * PAGE));
    }

    /// Leaves room for everything.
    pub fn widen(&self) {
        self.remount("size=64m,nr_inodes=100000");
    }

    /// Lets nobody write, or everybody again.
    pub fn read_only(&self, only: bool) {
        self.remount(if only { "bind,ro" } else { "bind,rw" });
    }

    fn remount(&self, options: &str) {
        assert!(run("mount", &["-o", &format!("remount,{options}")], &self.at), "{options}");
    }
}

impl Drop for Tmpfs {
    fn drop(&mut self) {
        run("umount", &["-l"], &self.at);
    }
}

fn page(folder: &Path) -> File {
    let path = folder.join("page");
    fs::write(&path, "x").expect("a page");
    // Open for reading: nobody may be writing when a mount becomes read-only.
    let file = File::open(&path).expect("a file");
    fs::remove_file(path).expect("a name to remove");
    file
}

fn run(program: &str, arguments: &[&str], at: &Path) -> bool {
    Command::new(program).args(arguments).arg(at).output().is_ok_and(|output| output.status.success())
}
