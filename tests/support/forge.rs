//! A pull request of a forge that is a bare repository beside the checkout, with the files that an exporter leaves.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::{Output, PRODUCER, Repo, ReviewRun, World};

/// The address of the repository; nothing listens there.
pub const FORGE_URL: &str = "https://forge.example/acme/shop.git";

/// The files of an export, in the shapes that forges' command-line clients print.
const EXPORTS: [(&str, &str); 5] = [
    ("export.json", include_str!("../fixtures/forge/export.json")),
    ("pr.json", include_str!("../fixtures/forge/pr.json")),
    ("comments.json", include_str!("../fixtures/forge/comments.json")),
    ("reviews.json", include_str!("../fixtures/forge/reviews.json")),
    ("review-threads.json", include_str!("../fixtures/forge/review-threads.json")),
];

/// Pull request 7, which changes a sentence of a document.
#[derive(Debug)]
pub struct Forge {
    /// The checkout in which it is reviewed.
    pub repo: Repo,
    /// The base that the forge names.
    pub base: String,
    /// The head that the forge names.
    pub head: String,
}

impl Forge {
    /// It is exported, and its branches are fetched.
    pub fn new(world: World) -> Self {
        Self::with(world, &[("README.md", "# Shop\n\nSells everything.\n")])
    }

    /// The same, with this change.
    pub fn with(world: World, files: &[(&str, &str)]) -> Self {
        Self::of(ReviewRun::repository(world), files)
    }

    /// The same, on this repository.
    pub fn of(repo: Repo, files: &[(&str, &str)]) -> Self {
        let base = repo.head();
        let bare = repo.area("forge.git").display().to_string();
        repo.git(&["init", "--quiet", "--bare", "--initial-branch=main", &bare]);
        repo.git(&["switch", "--quiet", "--create", "topic"]);
        for (path, content) in files {
            repo.write(path, content);
        }
        let head = repo.commit("Say what the shop sells");
        repo.git(&["switch", "--quiet", "main"]);
        repo.git(&["push", "--quiet", &bare, "main", "topic", "topic:refs/pull/7/head"]);
        repo.git(&["branch", "--quiet", "-D", "topic"]);
        repo.git(&["remote", "add", "origin", FORGE_URL]);
        let forge = Self { repo, base, head };
        forge.export();
        forge.fetch(&["main:refs/remotes/origin/main", "pull/7/head:refs/remotes/origin/pull/7/head"]);
        forge
    }

    /// Fetches as a user does; only here does the address lead somewhere.
    pub fn fetch(&self, refspecs: &[&str]) -> &Self {
        let here = format!("url.{}.insteadOf={FORGE_URL}", self.repo.area("forge.git").display());
        self.repo.git(&[&["-c", &here, "fetch", "--quiet", "--no-tags", "origin"], refspecs].concat());
        self
    }

    /// Makes the forge's `main` have one more commit, which is its id; nothing is fetched.
    pub fn advance(&self) -> String {
        let bare = self.repo.area("forge.git").display().to_string();
        self.repo.git(&["switch", "--quiet", "--detach", &self.base]);
        let commit = self.repo.write("NEWS.md", "Somebody else was faster.\n").commit("Merge another one");
        self.repo.git(&["push", "--quiet", &bare, "HEAD:main"]);
        self.repo.git(&["switch", "--quiet", "main"]);
        commit
    }

    /// Writes the files of an export.
    fn export(&self) {
        fs::create_dir_all(self.exports()).expect("a folder");
        for (name, text) in EXPORTS {
            fs::write(self.exports().join(name), text).expect("a written file");
        }
        self.edit("pr.json", |pr| {
            pr["baseRefOid"] = json!(self.base);
            pr["headRefOid"] = json!(self.head);
        });
        self.edit("reviews.json", |reviews| reviews[0]["commit"]["oid"] = json!(self.head));
    }

    /// The folder of the export.
    pub fn exports(&self) -> PathBuf {
        self.repo.area("exports")
    }

    /// Changes a file of the export.
    pub fn edit(&self, file: &str, change: impl FnOnce(&mut Value)) -> &Self {
        let place = self.exports().join(file);
        let mut value = serde_json::from_slice(&fs::read(&place).unwrap_or_else(|_| b"null".to_vec())).expect("JSON");
        change(&mut value);
        fs::write(place, serde_json::to_vec_pretty(&value).expect("JSON")).expect("a written file");
        self
    }

    /// Removes a file of the export.
    pub fn remove(&self, file: &str) -> &Self {
        fs::remove_file(self.exports().join(file)).expect("a removed file");
        self
    }

    /// What `import-pr` says to these options.
    pub fn import(&self, options: &[&str]) -> Output {
        let exports = self.exports().display().to_string();
        let command = ["--format", "json", "code-review", "import-pr", "--producer-id", PRODUCER, "--exports", &exports];
        self.repo.run(&[&command, options].concat())
    }

    /// What `import-pr` says to these options: the pull request is unavailable for this reason, and nothing says otherwise.
    #[track_caller]
    pub fn unavailable(&self, options: &[&str], token: &str) -> Output {
        let output = self.import(options).exits(1);
        let document = output.json();
        assert_eq!((&document["status"], &document["failure"]), (&json!("unavailable"), &json!(token)), "{output}");
        assert_eq!(self.kept(&output, "pr-error.txt"), Some(format!("{token}\n")));
        assert_eq!(self.kept(&output, "local-checkout.json"), None);
        output
    }

    /// The run of a collected pull request.
    #[track_caller]
    pub fn collected(self) -> ReviewRun {
        let output = self.import(&[]).exits(0);
        self.run(&output)
    }

    /// The run that an import speaks of.
    #[track_caller]
    pub fn run(self, output: &Output) -> ReviewRun {
        let started = output.json();
        let path = PathBuf::from(started["run"].as_str().unwrap_or_else(|| panic!("no run in {output}")));
        ReviewRun { repo: self.repo, path, started }
    }

    /// A file of the run that an import speaks of; `None` when it is absent.
    #[track_caller]
    pub fn kept(&self, output: &Output, file: &str) -> Option<String> {
        let run = PathBuf::from(output.json()["run"].as_str().unwrap_or_else(|| panic!("no run in {output}")));
        fs::read_to_string(run.join(file)).ok()
    }

    /// Makes an earlier run of this pull request with a ledger of these lines, and a result with these findings.
    pub fn earlier(&self, run: &str, ledger: &str, findings: &Value) -> &Self {
        let folder = self.repo.path(".code-polishy-reports/code-review/pr-7").join(run);
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join("resolution.jsonl"), ledger).expect("a written file");
        let result = json!({"schema_version": 3, "metadata": {"review_findings": findings}});
        fs::write(folder.join("result.json"), result.to_string()).expect("a written file");
        self
    }
}
