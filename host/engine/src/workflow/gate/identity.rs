//! The identity of a gate's run (BR-72).

use std::collections::BTreeMap;

use code_polishy_core::{
    canonical::{digest_bytes, digest_json},
    diagnostic::Failure,
    gate::{
        identity::{CommandIdentity, RunIdentity},
        level::GateLevel,
        plan::Planned,
        state::BehaviorReviewReport,
    },
    plugin::{PluginIdentity, PluginKind},
    selection::suite_sha256,
};

use crate::{
    environment::passed,
    workflow::{
        classifiers::CONVENTIONS,
        gate::{Gate, contract, gate_name},
        suite::program_sha256,
    },
};

/// Everything that decides what the run means.
pub fn identity(gate: &Gate<'_>, review: &BehaviorReviewReport) -> Result<RunIdentity, Failure> {
    let commands = gate.phases.iter().flat_map(|phase| &phase.commands);
    let contract = (gate.level == GateLevel::Documentation).then(contract::identity).into_iter();
    let policies = &gate.change.policies;
    Ok(RunIdentity {
        gate: gate_name(gate.request.boundary).to_owned(),
        base: gate.change.base.clone(),
        candidate: gate.change.candidate.clone(),
        level: gate.level.name().to_owned(),
        engine_version: env!("CARGO_PKG_VERSION").to_owned(),
        policy_sha256: [policies.base.sha256.clone(), policies.candidate.sha256.clone()],
        plugins: plugins(gate)?,
        platform: format!("{}/{}", std::env::consts::OS, std::env::consts::ARCH),
        commands: contract.map(Ok).chain(commands.clone().map(|command| command_identity(gate, command))).collect::<Result<_, _>>()?,
        environment: environment(gate, commands),
        behavior_review: review.clone(),
    })
}

/// A command with the digests of its definition and its program.
fn command_identity(gate: &Gate<'_>, command: &Planned<'_>) -> Result<CommandIdentity, Failure> {
    let (definition_sha256, argv, cwd, declared) = match command {
        Planned::Check(check) => (digest_json(check), &check.argv, &check.cwd, &check.environment),
        Planned::Suite { suite, .. } => {
            let runner = gate.change.policies.candidate.plugins(gate.workspace).identity(PluginKind::SuiteRunner, &suite.runner)?;
            (suite_sha256(suite, &runner), &suite.argv, &suite.cwd, &suite.environment)
        }
    };
    Ok(CommandIdentity {
        name: command.name().to_owned(),
        category: command.category(),
        definition_sha256,
        program_sha256: program_sha256(gate.workspace, argv, cwd, declared),
    })
}

/// Every plugin that the run asks, sorted: classifiers of both sides, the bundled one included, runners and renderers of the candidate.
fn plugins(gate: &Gate<'_>) -> Result<Vec<PluginIdentity>, Failure> {
    let policies = &gate.change.policies;
    let mut all: Vec<PluginIdentity> = Vec::new();
    for side in [&policies.base, &policies.candidate] {
        let pins = side.policy.plugins.iter().filter(|pin| pin.kind == PluginKind::PathRoles);
        all.extend(pins.map(|pin| PluginIdentity { name: pin.name.clone(), sha256: pin.sha256.clone() }));
    }
    let candidate = policies.candidate.plugins(gate.workspace);
    all.push(candidate.identity(PluginKind::PathRoles, CONVENTIONS)?);
    for command in gate.phases.iter().flat_map(|phase| &phase.commands) {
        if let Planned::Suite { suite, .. } = command {
            all.push(candidate.identity(PluginKind::SuiteRunner, &suite.runner)?);
        }
    }
    for renderer in &policies.candidate.policy.reports.renderers {
        all.push(candidate.identity(PluginKind::ReportRenderer, renderer)?);
    }
    all.sort();
    all.dedup();
    Ok(all)
}

/// Digests of everything that any planned command gets to see.
fn environment<'a>(gate: &Gate<'_>, commands: impl Iterator<Item = &'a Planned<'a>>) -> BTreeMap<String, String> {
    let declared: Vec<String> = commands
        .flat_map(|command| match command {
            Planned::Check(check) => &check.environment,
            Planned::Suite { suite, .. } => &suite.environment,
        })
        .cloned()
        .collect();
    passed(gate.workspace.environment.iter().cloned(), &declared, &[])
        .into_iter()
        .map(|(name, value)| (name.to_string_lossy().into_owned(), digest_bytes(value.as_encoded_bytes())))
        .collect()
}
