//! `demo`: the whole story on a small repository, told by the real commands.

mod project;
mod stage;

use std::{
    fs,
    path::{Path, PathBuf},
    time::Instant,
};

use code_polishy_core::diagnostic::Failure;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::Context;
use crate::{
    arguments::Demo,
    reply::{Human, Reply},
    view::{
        json::Protocol,
        lines::{GOOD, count, paint},
    },
};
use project::{BASE, CHANGE, EVIDENCE, REQUEST};
use stage::{Stage, fault};

/// Lines of the rendered report that are shown.
const RENDERED_LINES: usize = 31;

/// Plays the story; a command that ends otherwise than the story says ends it with exit 3.
pub fn run(context: &Context, arguments: &Demo) -> Result<Reply, Failure> {
    let started = Instant::now();
    let place = Place::of(context, arguments.keep.as_deref())?;
    let mut stage = Stage::new(context, place.path())?;
    play(&mut stage)?;
    let kept = arguments.keep.is_some().then(|| place.path().display().to_string());
    let seconds = started.elapsed().as_secs_f64();
    stage.say(&match &kept {
        Some(folder) => format!("The repository is in {folder}"),
        None => "The repository is removed; `code-polishy demo --keep DIR` keeps it".to_owned(),
    })?;
    stage.show(&[format!("{} ({}, {seconds:.1} s)", paint(GOOD, "PASS demo"), count(stage.steps.len(), "command"))])?;
    let document = Protocol::Report("demo").done("passed", "demo", &json!({"commands": stage.steps, "repository": kept}));
    Ok(Reply { human: Human::Printed, ..Reply::lines(Vec::new(), document) })
}

fn play(stage: &mut Stage<'_>) -> Result<(), Failure> {
    stage.say("A shop whose policy protects the feature `checkout` at merge. Its total adds two prices, whatever is bought.")?;
    stage.begin(&BASE)?;
    stage.say("The request is captured before the work, in its own words.")?;
    stage.run(&["behavior-review", "capture-intent", "--intent-file", "-"], REQUEST, 0)?;
    stage.say("The change is made and committed, with a test that shows it.")?;
    stage.change(&CHANGE, "Add every price")?;
    stage.say("The gate refuses: nobody has reviewed the behavior of `checkout`.")?;
    stage.run(&["merge-gate", "--base", "main"], "", 1)?;
    stage.run(&["behavior-review", "status", "--base", "main"], "", 0)?;
    stage.say("The packet is the one file that an isolated reviewer reads.")?;
    stage.run(&["behavior-review", "prepare", "--base", "main"], "", 0)?;
    let result = answer(stage.root())?;
    stage.say(&format!("Here a reviewer would answer. This answer is canned, written by the demo into {result}"))?;
    stage.say("It cites a proof: the suite is red at the base with the new test, and green at the candidate.")?;
    let proof = ["regression-proof", "--base", "main", "--suite", "checkout-contract", "--evidence", EVIDENCE, "--id", "every-price"];
    stage.run(&proof, "", 0)?;
    stage.run(&["behavior-review", "finalize", "--base", "main"], "", 0)?;
    stage.say("The gate replays the proof, runs what the policy asks for, and accepts.")?;
    let gate = stage.run(&["merge-gate", "--base", "main"], "", 0)?;
    show_render(stage, &gate)
}

/// The first lines of what the renderer made of the report.
fn show_render(stage: &mut Stage<'_>, gate: &str) -> Result<(), Failure> {
    let Some(path) = gate.lines().find_map(|line| line.strip_prefix("RENDER: ")) else {
        return Err(fault("the gate names no rendered report", gate));
    };
    let text = fs::read_to_string(stage.root().join(path)).map_err(|error| fault(&format!("cannot read {path}: {error}"), gate))?;
    stage.prompt(&format!("head -n {RENDERED_LINES} {path}"))?;
    let lines: Vec<String> = text.lines().take(RENDERED_LINES).map(code_polishy_core::text::escape_line).collect();
    stage.show(&lines)
}

/// Writes what a reviewer would answer where the packet wants it, and returns that path.
fn answer(root: &Path) -> Result<String, Failure> {
    let path = root.join(code_polishy_core::packet::FOLDER).join("packet.json");
    let unreadable = |error: &dyn std::fmt::Display| fault(&format!("cannot use the packet: {error}"), "");
    let packet: Value =
        serde_json::from_slice(&fs::read(&path).map_err(|error| unreadable(&error))?).map_err(|error| unreadable(&error))?;
    let result = project::canned_result(&packet);
    let to = packet["result_path"].as_str().ok_or_else(|| unreadable(&"it has no result_path"))?.to_owned();
    fs::write(root.join(&to), code_polishy_core::canonical::artifact_bytes(&result)).map_err(|error| unreadable(&error))?;
    Ok(to)
}

/// Where the repository is made.
enum Place {
    /// Removed when the demo ends, however it ends.
    Temporary(TempDir),
    /// The caller's.
    Kept(PathBuf),
}

impl Place {
    fn of(context: &Context, keep: Option<&Path>) -> Result<Self, Failure> {
        let Some(keep) = keep else {
            let made = tempfile::Builder::new().prefix("code-polishy-demo-").tempdir();
            return made.map(Self::Temporary).map_err(|error| fault(&format!("cannot make a temporary folder: {error}"), ""));
        };
        let folder = context.setup.path(keep);
        let usage = |what: String| Failure::usage("demo.folder", what, "name a folder that is absent or empty");
        let shown = folder.display();
        fs::create_dir_all(&folder).map_err(|error| usage(format!("cannot make the folder `{shown}`: {error}")))?;
        let mut entries = fs::read_dir(&folder).map_err(|error| usage(format!("cannot read the folder `{shown}`: {error}")))?;
        if entries.next().is_some() { Err(usage(format!("the folder `{shown}` is not empty"))) } else { Ok(Self::Kept(folder)) }
    }

    fn path(&self) -> &Path {
        match self {
            Self::Temporary(folder) => folder.path(),
            Self::Kept(folder) => folder,
        }
    }
}
