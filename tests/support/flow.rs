//! The main job step by step: capture, change, prepare, prove, review, finalize, gate.

use serde_json::Value;

use crate::{Output, Project, Repo, Reviewer, World};

/// The request that the change answers.
pub const INTENT: &str = "Totals of three amounts must add all three.\n";

/// A project on the branch `topic`, its base on `main`.
#[derive(Debug)]
pub struct Flow {
    /// The repository.
    pub repo: Repo,
    /// What is played.
    pub project: Project,
    /// The id of the base.
    pub base: String,
}

impl Flow {
    /// The base, committed; nothing captured.
    pub fn new(world: World, project: Project) -> Self {
        Self::on(Repo::new(world), project)
    }

    /// The same in this empty repository.
    pub fn on(repo: Repo, project: Project) -> Self {
        for (path, content) in &project.base {
            repo.write(path, content);
        }
        let base = repo.policy(&project.policy).commit("Open the shop");
        repo.git(&["switch", "--quiet", "--create", "topic"]);
        Self { repo, project, base }
    }

    /// Up to a committed candidate whose request was captured before.
    pub fn changed(world: World, project: Project) -> Self {
        let flow = Self::new(world, project);
        flow.capture(INTENT).exits(0);
        flow.change();
        flow
    }

    /// Up to a prepared packet.
    pub fn prepared(world: World, project: Project) -> Self {
        let flow = Self::changed(world, project);
        flow.prepare().exits(0);
        flow
    }

    /// Up to an accepted receipt over one proof, `three`.
    pub fn accepted(world: World, project: Project) -> Self {
        let flow = Self::prepared(world, project);
        flow.prove("three").exits(0);
        flow.review(flow.reviewer().behavior("requested", &["three"], &["checkout"]));
        flow.finalize().exits(0);
        flow
    }

    /// Captures a request from standard input.
    pub fn capture(&self, intent: &str) -> Output {
        self.repo.run_with_input(&["behavior-review", "capture-intent", "--intent-file", "-"], intent)
    }

    /// Commits the change; the candidate's id.
    pub fn change(&self) -> String {
        for (path, content) in &self.project.change {
            self.repo.write(path, content);
        }
        self.repo.commit("Add every amount")
    }

    /// Runs a `behavior-review` action against `main`.
    pub fn review_action(&self, action: &str, options: &[&str]) -> Output {
        self.repo.run(&[&["behavior-review", action, "--base", "main"], options].concat())
    }

    /// The status against `main`.
    pub fn status(&self, options: &[&str]) -> Output {
        self.repo.run_read_only(&[&["behavior-review", "status", "--base", "main"], options].concat())
    }

    /// The typed member of the status document against `main`.
    pub fn status_json(&self, options: &[&str]) -> Value {
        self.status(&[&["--format", "json"], options].concat()).exits(0).json()["status"].clone()
    }

    /// Prepares the packet.
    pub fn prepare(&self) -> Output {
        self.review_action("prepare", &[])
    }

    /// The packet as it is on disk.
    pub fn packet(&self) -> Value {
        self.repo.evidence("packet.json")
    }

    /// Records the project's proof.
    pub fn prove(&self, id: &str) -> Output {
        self.repo.run(&self.proof_arguments(id))
    }

    /// The command line of the project's proof.
    pub fn proof_arguments<'a>(&self, id: &'a str) -> Vec<&'a str> {
        let Project { suite, evidence, red_exit, .. } = self.project;
        vec!["regression-proof", "--base", "main", "--suite", suite, "--evidence", evidence, "--id", id, "--red-exit", red_exit]
    }

    /// A reviewer who has read the packet.
    pub fn reviewer(&self) -> Reviewer {
        Reviewer::reading(&self.packet())
    }

    /// Saves a result where the packet asks for it.
    pub fn review(&self, reviewer: Reviewer) -> &Self {
        self.review_text(reviewer.text())
    }

    /// Saves any text where the packet asks for the result.
    pub fn review_text(&self, text: impl AsRef<[u8]>) -> &Self {
        let path = self.packet()["result_path"].as_str().expect("a path").to_owned();
        self.repo.write(&path, text);
        self
    }

    /// Finalizes the review.
    pub fn finalize(&self) -> Output {
        self.review_action("finalize", &[])
    }

    /// Runs the merge gate against `main`.
    pub fn merge_gate(&self, options: &[&str]) -> Output {
        self.repo.run(&[&["merge-gate", "--base", "main"], options].concat())
    }

    /// Runs the checkpoint gate against `main`.
    pub fn checkpoint_gate(&self, options: &[&str]) -> Output {
        self.repo.run(&[&["checkpoint-gate", "--base", "main"], options].concat())
    }

    /// The runs of the shop's suite script so far: folder and area.
    pub fn runs(&self) -> Vec<(String, String)> {
        let log = std::fs::read_to_string(self.repo.area("home").join("runs.log")).unwrap_or_default();
        log.lines()
            .map(|line| line.rsplit_once(' ').map(|(folder, area)| (folder.to_owned(), area.to_owned())).expect("two words"))
            .collect()
    }

    /// The areas that ran in the primary worktree, in order.
    pub fn ordinary_runs(&self) -> Vec<String> {
        let root = self.repo.root().to_string_lossy().into_owned();
        self.runs().into_iter().filter(|(folder, _)| *folder == root).map(|(_, area)| area).collect()
    }
}
