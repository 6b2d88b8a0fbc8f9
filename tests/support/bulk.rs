//! Thousands of files in one commit, without a process or a loose object for each.

use std::io::{BufWriter, Write};
use std::process::Stdio;

use crate::Repo;

/// Files that fill a repository: folders of a hundred, each file of about forty lines.
#[derive(Clone, Copy, Debug)]
pub struct Bulk {
    /// How many there are.
    pub files: usize,
    /// How many of them a change touches, spread evenly.
    pub changed: usize,
}

impl Bulk {
    /// Commits all of them on top of HEAD, and checks them out; the commit's id.
    pub fn fill(self, repo: &Repo) -> String {
        self.commit(repo, "Fill the shop", "before", 1)
    }

    /// Commits another line in the middle of those that change; the commit's id.
    pub fn change(self, repo: &Repo) -> String {
        self.commit(repo, "Change some of it", "after", self.files / self.changed)
    }

    /// The size of their text, which is about the same in every commit.
    pub fn bytes(self) -> usize {
        (0..self.files).map(|index| text(index, "before").len()).sum()
    }

    fn commit(self, repo: &Repo, message: &str, middle: &str, step: usize) -> String {
        let branch = repo.git(&["symbolic-ref", "HEAD"]);
        let mut import = repo.program("git", &["fast-import", "--quiet", "--done"]);
        let mut child = import.stdin(Stdio::piped()).spawn().expect("git runs");
        let mut stream = BufWriter::new(child.stdin.take().expect("a pipe"));
        let mut write = || -> std::io::Result<()> {
            writeln!(stream, "commit {branch}\ncommitter Robin <robin@example.org> 981173106 +0000")?;
            writeln!(stream, "data {}\n{message}\nfrom {branch}^0", message.len())?;
            for index in (0..self.files).step_by(step) {
                let text = text(index, middle);
                writeln!(stream, "M 100644 inline {}\ndata {}\n{text}", path(index), text.len())?;
            }
            writeln!(stream, "done")?;
            stream.flush()
        };
        write().expect("git reads");
        drop(stream);
        assert!(child.wait().expect("git ends").success(), "{message}");
        repo.git(&["reset", "--quiet", "--hard"]);
        repo.head()
    }
}

fn path(index: usize) -> String {
    format!("bulk/{:03}/file{:02}.txt", index / 100, index % 100)
}

fn text(index: usize, middle: &str) -> String {
    let lines: Vec<String> = (0..40).map(|line| format!("line {line} of file {index} in the large repository\n")).collect();
    format!("{}{middle}\n{}", lines[..20].concat(), lines[20..].concat())
}
