//! Gathers what a source proof follows from, while and after the tests run (CR-143 to CR-147).

mod cargo;
mod files;
mod pytest;

use std::{collections::BTreeMap, ffi::OsString, path::Path, time::Duration};

use code_polishy_core::{
    canonical::artifact_bytes,
    code_review::{
        gates::{ProofPlan, SourceProof},
        source_proof::{ProofFacts, Reviewed, Seen, derive, facts_file, named_files},
    },
    diagnostic::Failure,
};

use self::{cargo::Cargo, pytest::Recorder};
use super::{observe::Watch, overlay::Overlay};
use crate::workspace::Workspace;

/// Looks at the tests of one gate.
pub enum Prover {
    /// Records every process of pytest.
    Pytest(Recorder),
    /// Asks cargo what it built.
    Cargo(Cargo),
}

/// Where and how a command ran.
#[derive(Clone, Copy)]
pub struct Ran<'a> {
    /// The means.
    pub workspace: &'a Workspace<'a>,
    /// The gate.
    pub gate: &'a str,
    /// The reviewed tree.
    pub watch: &'a Watch,
    /// The environment that the command had.
    pub environment: &'a [(OsString, OsString)],
    /// How long a question to a tool may take.
    pub timeout: Duration,
    /// What the tests could import from.
    pub overlay: Option<&'a Overlay>,
}

/// What was seen, and what could not be.
pub(super) struct Sight {
    seen: Seen,
    /// Bytes of recorders' outputs by their path in the run.
    outputs: BTreeMap<String, Vec<u8>>,
    faults: Vec<String>,
}

/// A proof with the files that it follows from.
pub struct Proven {
    /// The proof.
    pub proof: SourceProof,
    /// Bytes by path in the run.
    pub kept: BTreeMap<String, Vec<u8>>,
}

impl Prover {
    /// For a command of these words.
    ///
    /// # Errors
    /// Exit 3: there is no private folder.
    pub fn prepare(plan: &ProofPlan, argv: &[String]) -> Result<Self, Failure> {
        match plan {
            ProofPlan::PytestImport { modules } => Recorder::prepare(modules).map(Self::Pytest),
            ProofPlan::CargoManifest => Ok(Self::Cargo(Cargo::new(argv))),
        }
    }

    /// What is added to the command.
    pub fn arguments(&self) -> Vec<String> {
        match self {
            Self::Pytest(_) => pytest::ARGUMENTS.map(str::to_owned).into(),
            Self::Cargo(_) => Vec::new(),
        }
    }

    /// What is added to its environment, which is otherwise this.
    pub fn variables(&self, given: &BTreeMap<String, String>) -> Vec<(String, String)> {
        match self {
            Self::Pytest(recorder) => recorder.variables(given.get("PYTHONPATH").map(String::as_str)),
            Self::Cargo(_) => Vec::new(),
        }
    }

    /// The proof, after the command has ended by itself.
    ///
    /// # Errors
    /// Exit 3; exit 130.
    pub fn prove(&self, ran: Ran<'_>) -> Result<Proven, Failure> {
        let Sight { seen, outputs, mut faults } = match self {
            Self::Pytest(recorder) => recorder.look(ran.gate)?,
            Self::Cargo(cargo) => cargo.look(ran)?,
        };
        if ran.overlay.is_some_and(Overlay::changed) {
            faults.push("the overlay changed while the tests ran".to_owned());
        }
        let record = |path: &str| outputs.get(path).map(Vec::as_slice);
        let files = files::look(ran.watch, &named_files(&seen, &record), &mut faults)?;
        let facts = ProofFacts { schema_version: 1, seen, files, faults };
        let reviewed = match ran.watch {
            Watch::Clean { .. } => Reviewed::Commit,
            Watch::Mirror { recorded, .. } => Reviewed::Mirror(recorded),
        };
        let proof = derive(&facts, &record, reviewed);
        let mut kept = outputs;
        kept.insert(facts_file(ran.gate), artifact_bytes(&facts));
        Ok(Proven { proof, kept })
    }
}

/// The path as text, when it is some.
fn text(path: &Path) -> Option<String> {
    path.to_str().map(str::to_owned)
}
