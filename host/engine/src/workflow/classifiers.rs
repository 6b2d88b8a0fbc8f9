//! The classifiers that two policies name, each loaded once, and asked for both side by side.

use std::thread;

use code_polishy_core::{
    canonical::canonical_json,
    diagnostic::Failure,
    plugin::{PathFact, PathRoles, PluginKind, PluginSource, Role},
    policy::model::{PluginPin, Policy},
};

use crate::{parallel::in_order, plugins::PluginSet, workflow::policies::Side, workspace::Workspace};

/// The bundled classifier that answers last.
pub const CONVENTIONS: &str = "conventions";

type Classifier = Box<dyn PathRoles + Send + Sync>;

/// The classifiers of the base and of the candidate.
pub struct Classifiers {
    loaded: Vec<Classifier>,
    /// Of each side, in the order in which they are asked: indexes into `loaded`.
    orders: [Vec<usize>; 2],
}

impl Classifiers {
    /// Reads the components of both sides, one that both have the same of once, and loads them side by side.
    ///
    /// # Errors
    /// Exit 2 of a pin; exit 3 of git or of a plugin that cannot be loaded.
    pub fn load(workspace: &Workspace<'_>, [base, candidate]: [&Side; 2]) -> Result<Self, Failure> {
        let mut sources = Vec::new();
        let of_base = pinned(&base.plugins(workspace), None, &mut sources)?;
        let of_candidate = pinned(&candidate.plugins(workspace), Some((&base.plugins(workspace), &of_base)), &mut sources)?;
        let built_in = [base, candidate].map(|side| place(conventions(side), &mut sources));
        let jobs = thread::available_parallelism().map_or(1, usize::from);
        let loaded = in_order(jobs, &sources, |_, source| workspace.plugins.path_roles(source), Result::is_ok);
        let loaded = loaded.into_iter().flatten().collect::<Result<_, _>>()?;
        let [of_base, of_candidate] = [(of_base, built_in[0]), (of_candidate, built_in[1])].map(|(mut order, last)| {
            order.push(last);
            order
        });
        Ok(Self { loaded, orders: [of_base, of_candidate] })
    }

    /// Roles of the facts of each side, in order. The first classifier that has an answer wins (3.7).
    ///
    /// # Errors
    /// Exit 3 of a plugin, the base's first.
    pub fn roles(&self, [of_base, of_candidate]: [&[PathFact]; 2]) -> Result<[Vec<Role>; 2], Failure> {
        let [base, candidate] = &self.orders;
        thread::scope(|scope| {
            let other = scope.spawn(|| self.side_roles(candidate, of_candidate));
            let own = self.side_roles(base, of_base);
            let other = other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            Ok([own?, other?])
        })
    }

    /// Both sides ask the built-in classifier alone, and in the same words.
    pub fn are_conventions_alone(&self) -> bool {
        self.orders[0].len() == 1 && self.orders[0] == self.orders[1]
    }

    /// Roles under the base's policy.
    ///
    /// # Errors
    /// As [`Self::roles`].
    pub fn roles_of_base(&self, facts: &[PathFact]) -> Result<Vec<Role>, Failure> {
        self.side_roles(&self.orders[0], facts)
    }

    fn side_roles(&self, order: &[usize], facts: &[PathFact]) -> Result<Vec<Role>, Failure> {
        let mut roles: Vec<Option<Role>> = vec![None; facts.len()];
        for classifier in order {
            ask(self.loaded[*classifier].as_ref(), facts, &mut roles)?;
        }
        Ok(roles.into_iter().map(|role| role.unwrap_or(Role::ProductionSource)).collect())
    }
}

/// The side pins classifiers of its own.
pub fn asks_plugins(side: &Side) -> bool {
    pins(&side.policy).next().is_some()
}

/// The places in `sources` of the classifiers that a policy pins; those that `other` shares have theirs already.
fn pinned(
    plugins: &PluginSet<'_>,
    other: Option<(&PluginSet<'_>, &[usize])>,
    sources: &mut Vec<PluginSource>,
) -> Result<Vec<usize>, Failure> {
    let mut order = Vec::new();
    for pin in pins(plugins.policy) {
        let shared = match other {
            Some((set, places)) if plugins.shares(set, pin)? => pins(set.policy).zip(places).find(|(theirs, _)| *theirs == pin),
            _ => None,
        };
        order.push(match shared {
            Some((_, place)) => *place,
            None => place(plugins.source(pin.kind, &pin.name, None)?, sources),
        });
    }
    Ok(order)
}

fn pins(policy: &Policy) -> impl Iterator<Item = &PluginPin> {
    policy.plugins.iter().filter(|pin| pin.kind == PluginKind::PathRoles)
}

fn place(source: PluginSource, sources: &mut Vec<PluginSource>) -> usize {
    sources.iter().position(|other| *other == source).unwrap_or_else(|| {
        sources.push(source);
        sources.len() - 1
    })
}

/// The built-in classifier with the words of a policy.
fn conventions(side: &Side) -> PluginSource {
    let options = canonical_json(&serde_json::json!({
        "generated": side.policy.scope.generated,
        "development": side.policy.scope.development,
        "productInputs": side.policy.documentation.product_inputs,
    }));
    PluginSource { name: CONVENTIONS.to_owned(), kind: PluginKind::PathRoles, pinned: None, options }
}

fn ask(classifier: &dyn PathRoles, facts: &[PathFact], roles: &mut [Option<Role>]) -> Result<(), Failure> {
    let open: Vec<usize> = (0..facts.len()).filter(|index| roles[*index].is_none()).collect();
    if open.is_empty() {
        return Ok(());
    }
    let asked: Vec<PathFact> = open.iter().map(|index| facts[*index].clone()).collect();
    for (index, role) in open.into_iter().zip(classifier.classify(&asked)?) {
        roles[index] = role;
    }
    Ok(())
}
