//! A harness that runs reviewers and signs a receipt for each of their events, as `docs/examples/receipt-adapter` verifies it.

use std::{
    fs,
    path::{Path, PathBuf},
};

use ed25519_compact::{KeyPair, Seed};
use serde_json::{Value, json};

use crate::{Output, Repo, ReviewRun, World, sha256};

/// The adapter's name.
pub const ADAPTER: &str = "receipt-adapter";
const COMPONENT: &str = ".code-polishy/plugins/receipt-adapter.wasm";

/// The harness, with a key of its own.
#[derive(Debug)]
pub struct Harness {
    pair: KeyPair,
}

impl Harness {
    /// The same key for the same seed.
    pub fn new(seed: u8) -> Self {
        Self { pair: KeyPair::from_seed(Seed::new([seed; 32])) }
    }

    /// The public key as the adapter's options have it.
    pub fn key(&self) -> String {
        hex(&*self.pair.pk)
    }

    /// The options of an event of a role's first attempt with the receipt that this harness signs for it.
    pub fn receipt(&self, run: &ReviewRun, event: &str, role: &str, at: &str) -> Vec<String> {
        let digest = |wanted: bool, path: &str| if wanted { run.digest(path) } else { "-".to_owned() };
        let context = digest(matches!(event, "dispatched" | "delivered"), &format!("specialists/{role}-context.md"));
        let output = digest(matches!(event, "completed" | "joined"), &format!("specialists/{role}.attempt-1.md"));
        let id = run.json("run.json")["run_id"].as_str().expect("an id").to_owned();
        let statement = format!(
            "reviewer receipt 1\nrun: {id}\nevent: {event}\nrole: {role}\nattempt: 1\nmode: spawned\nreviewer: {role}-1\nat: {at}\n\
             context: {context}\noutput: {output}\nsession: 4711\n"
        );
        let signature = hex(&*self.pair.sk.sign(statement.as_bytes(), None));
        let file = run.repo.area(&format!("{role}-{event}.txt"));
        fs::write(&file, format!("{statement}signature: {signature}\n")).expect("a written receipt");
        ["--at", at, "--receipt", file.to_str().expect("UTF-8"), "--adapter", ADAPTER].map(str::to_owned).to_vec()
    }

    /// An event whose receipt this harness signs and the adapter judges.
    pub fn event(&self, run: &ReviewRun, event: &str, role: &str, at: &str, more: &[&str]) -> Output {
        let receipt = self.receipt(run, event, role, at);
        let options: Vec<&str> = receipt.iter().map(String::as_str).chain(more.iter().copied()).collect();
        run.event(event, role, &options)
    }

    /// A whole pass whose every event has its receipt; the answer to `joined`.
    #[track_caller]
    pub fn pass(&self, run: &ReviewRun, role: &str, response: &str) -> Output {
        let reviewer = format!("{role}-1");
        self.event(run, "dispatched", role, "2026-01-31T12:00:00Z", &["--mode", "spawned", "--reviewer-id", &reviewer]).exits(0);
        self.event(run, "delivered", role, "2026-01-31T12:01:00Z", &[]).exits(0);
        self.event(run, "started", role, "2026-01-31T12:02:00Z", &[]).exits(0);
        let output = format!("specialists/{role}.attempt-1.md");
        run.write(&output, response);
        let output = run.file(&output);
        self.event(run, "completed", role, "2026-01-31T12:03:00Z", &["--output", output.to_str().expect("UTF-8")]).exits(0);
        self.event(run, "joined", role, "2026-01-31T12:04:00Z", &[]).exits(0)
    }
}

impl ReviewRun {
    /// A run on the sources of [`Self::sources`] whose policy pins the adapter with these keys, started with these options.
    #[track_caller]
    pub fn attested(world: World, keys: &[String], options: &[&str]) -> Self {
        let repo = Self::repository(world);
        let component = adapter(&repo, world);
        let policy = json!({
            "version": 4,
            "plugins": [{
                "name": ADAPTER, "kind": "reviewer-adapter", "source": COMPONENT, "sha256": sha256(&component), "options": {"keys": keys},
            }],
            "codeReview": {"reviewerAdapters": [ADAPTER]},
        });
        repo.write(COMPONENT, &component).policy(&policy).commit("Take the harness's receipts");
        repo.write("src/shop.rs", "pub fn total() -> u32 {\n    1\n}\n");
        let run = Self::start(repo, &[&["--scope", "working-tree"], options].concat());
        let document: Value = run.route(&[]).exits(0).json();
        assert_eq!(document["triggered_roles"], json!(["sw-engineer"]), "{document}");
        run
    }
}

/// The example, built: the folders of cargo are the user's, because nothing is fetched twice.
#[track_caller]
fn adapter(repo: &Repo, world: World) -> Vec<u8> {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/examples/receipt-adapter");
    let dist = repo.area("adapter");
    let [example, folder] = [&example, &dist].map(|path| path.display().to_string());
    let mut command = repo.command(&["plugin", "build", &example, "--dist", &folder]);
    let home = PathBuf::from(std::env::var_os("HOME").expect("a home"));
    command.env("CARGO_HOME", std::env::var_os("CARGO_HOME").map_or_else(|| home.join(".cargo"), PathBuf::from));
    command.env("CARGO_TARGET_DIR", Path::new(world.scratch).join("built-plugins"));
    repo.run_command(command).exits(0);
    fs::read(dist.join("receipt-adapter.wasm")).expect("a built component")
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
