//! Everything that `route` freezes, as files: derived from the routing, the source and the cards alone (CR-56, CR-67, CR-220).

use std::collections::{BTreeMap, BTreeSet};

use super::{
    BRIEFS_FILE, BatchContext, Brief, Briefs, Plan, PlanFile, PlanKind, ROUTING_FILE, Routing, SCOPE_FILE,
    context::{Common, Part, batch_path, changed, context_path, path_bytes},
    plan::{Batch, BatchInventory, INVENTORY_FILE, InventorySource, Source, inspectors},
};
use crate::{
    canonical::{artifact_bytes, digest_bytes},
    code_review::{
        codes,
        manifest::{card_path, plan_path},
        prior::PriorResolutions,
        t0::{SnapshotKind, T0},
        violation::Violation,
        vocabulary::Role,
    },
};

/// Bytes of a context (CR-201).
pub const MAX_CONTEXT_BYTES: u32 = 65_536;

/// What the frozen files are made from.
pub struct Ingredients<'i> {
    /// What was collected.
    pub t0: &'i T0,
    /// The routing.
    pub routing: &'i Routing,
    /// [`super::revision`].
    pub revision: &'i str,
    /// What lies at each path of the inspection set, in its order.
    pub sources: &'i [Source],
    /// The card of every triggered role.
    pub cards: &'i BTreeMap<Role, Vec<u8>>,
    /// What earlier runs of the pull request settled.
    pub prior: Option<&'i PriorResolutions>,
    /// The largest context of a batch.
    pub batch_bytes: u32,
}

/// What `route` writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frozen {
    /// Bytes by path, relative to the run.
    pub files: BTreeMap<String, Vec<u8>>,
    /// The plan among them.
    pub plan: Plan,
    /// The briefs among them.
    pub briefs: Briefs,
}

/// Makes the frozen files.
///
/// # Errors
/// `limit-exceeded`: a path does not fit into a batch, or there are too many batches; `role-card-missing`: a card is absent or no UTF-8.
pub fn freeze(ingredients: &Ingredients<'_>) -> Result<Frozen, Violation> {
    let Ingredients { t0, routing, revision, sources, prior, batch_bytes, .. } = *ingredients;
    let cards = cards(ingredients)?;
    let common = Common { t0, routing, revision, prior };
    let roles = inspectors(&routing.triggered_roles);
    let planned = t0.inspection_set.iter().zip(sources).map(|(path, source)| PlanFile {
        path: path.clone(),
        kind: kind(source.kind).to_owned(),
        sha256: source.sha256.clone(),
        batch: 1,
        roles: roles.clone(),
    });
    let mut plan = Plan { schema_version: 1, plan_kind: PlanKind::Direct, revision: revision.to_owned(), files: planned.collect() };
    let whole: Vec<Context> = cards.iter().map(|(role, card)| context(common, *role, card, Part::Whole(&plan.files))).collect();
    let contexts = if whole.iter().all(|context| context.text.len() <= batch_bytes as usize) {
        whole.into_iter().map(|context| (context, Vec::new())).collect()
    } else {
        plan.plan_kind = PlanKind::Batched;
        assign(&mut plan.files, common, &cards, batch_bytes)?;
        batched(&plan.files, common, &cards)?
    };
    Ok(frozen(ingredients, plan, &contexts))
}

/// One context, with its place.
struct Context {
    role: Role,
    path: String,
    text: String,
}

fn context(common: Common<'_>, role: Role, card: &str, part: Part<'_>) -> Context {
    let path = match part {
        Part::Batch { number, .. } => batch_path(role, number),
        Part::Whole(_) | Part::Index(_) => context_path(role),
    };
    Context { role, path, text: common.context(role, card, part) }
}

fn cards<'i>(ingredients: &'i Ingredients<'_>) -> Result<Vec<(Role, &'i str)>, Violation> {
    let card = |role: &Role| {
        let text = ingredients.cards.get(role).and_then(|bytes| std::str::from_utf8(bytes).ok());
        text.map(|text| (*role, text)).ok_or_else(|| {
            let message = format!("the card of `{role}` is not there, or is no UTF-8");
            Violation::of(&codes::ROLE_CARD_MISSING, message).subject(role.as_str()).file(card_path(*role))
        })
    };
    ingredients.routing.triggered_roles.iter().map(card).collect()
}

/// Gives each path its batch: as many in order as the largest context of a role holds.
fn assign(files: &mut [PlanFile], common: Common<'_>, cards: &[(Role, &str)], batch_bytes: u32) -> Result<(), Violation> {
    let most = Part::Batch { number: u32::MAX, of: u32::MAX, files: &[] };
    let fixed = cards.iter().map(|(role, card)| common.context(*role, card, most).len()).max().unwrap_or_default();
    let room = (batch_bytes as usize).saturating_sub(fixed);
    let changed = changed(common.t0);
    let (mut batch, mut used) = (1, 0);
    for file in files {
        let bytes = path_bytes(file, &changed);
        if bytes > room {
            let message = format!("a context of {batch_bytes} bytes has {room} left for paths, and `{}` takes {bytes}", file.path);
            return Err(Violation::new(
                &codes::LIMIT_EXCEEDED,
                message,
                "allow larger contexts with --batch-bytes, or review parts of the change",
            ));
        }
        if used + bytes > room {
            (batch, used) = (batch + 1, 0);
        }
        used += bytes;
        file.batch = batch;
    }
    Ok(())
}

/// The contexts of every role: the one that is dispatched, then those of its batches.
fn batched(files: &[PlanFile], common: Common<'_>, cards: &[(Role, &str)]) -> Result<Vec<(Context, Vec<Context>)>, Violation> {
    let batches: Vec<&[PlanFile]> = files.chunk_by(|one, other| one.batch == other.batch).collect();
    let of = files.last().map_or(1, |file| file.batch);
    let of_role = |(role, card): &(Role, &str)| {
        let numbered = batches.iter().zip(1..);
        let parts: Vec<Context> = numbered.map(|(files, number)| context(common, *role, card, Part::Batch { number, of, files })).collect();
        let index: Vec<BatchContext> = parts.iter().zip(1..).map(|(part, number)| part.record(number)).collect();
        let whole = context(common, *role, card, Part::Index(&index));
        if whole.text.len() > MAX_CONTEXT_BYTES as usize {
            let message = format!("{of} batches do not fit into a context of {MAX_CONTEXT_BYTES} bytes");
            return Err(Violation::new(
                &codes::LIMIT_EXCEEDED,
                message,
                "allow larger batches with --batch-bytes, or review parts of the change",
            ));
        }
        Ok((whole, parts))
    };
    cards.iter().map(of_role).collect()
}

impl Context {
    fn record(&self, batch: u32) -> BatchContext {
        BatchContext { batch, context_path: self.path.clone(), context_sha256: digest_bytes(self.text.as_bytes()) }
    }
}

fn frozen(ingredients: &Ingredients<'_>, plan: Plan, contexts: &[(Context, Vec<Context>)]) -> Frozen {
    let Ingredients { t0, routing, cards, batch_bytes, .. } = *ingredients;
    let brief = |(whole, parts): &(Context, Vec<Context>)| Brief {
        role: whole.role,
        context_path: whole.path.clone(),
        context_sha256: digest_bytes(whole.text.as_bytes()),
        assigned_paths: plan.files.iter().map(|file| file.path.clone()).collect(),
        batches: parts.iter().zip(1..).map(|(part, number)| part.record(number)).collect(),
    };
    let briefs = Briefs { schema_version: 1, briefs: contexts.iter().map(brief).collect() };
    let mut files = BTreeMap::from([
        (SCOPE_FILE.to_owned(), format!("{}\n", routing.risk_tier).into_bytes()),
        (ROUTING_FILE.to_owned(), artifact_bytes(routing)),
        (plan_path(plan.plan_kind).to_owned(), artifact_bytes(&plan)),
        (BRIEFS_FILE.to_owned(), artifact_bytes(&briefs)),
    ]);
    if plan.plan_kind == PlanKind::Batched {
        files.insert(INVENTORY_FILE.to_owned(), artifact_bytes(&inventory(t0, &plan, batch_bytes)));
    }
    for context in contexts.iter().flat_map(|(whole, parts)| std::iter::once(whole).chain(parts)) {
        files.insert(context.path.clone(), context.text.clone().into_bytes());
    }
    for role in &routing.triggered_roles {
        files.insert(card_path(*role), cards.get(role).cloned().unwrap_or_default());
    }
    Frozen { files, plan, briefs }
}

fn inventory(t0: &T0, plan: &Plan, batch_bytes: u32) -> BatchInventory {
    let numbers: BTreeSet<u32> = plan.files.iter().map(|file| file.batch).collect();
    let size = |batch: u32| plan.files.iter().filter(|file| file.batch == batch).count();
    BatchInventory {
        schema_version: 1,
        source_snapshot: InventorySource { revision: t0.run.head_oid.clone() },
        batch_bytes,
        batches: numbers.into_iter().map(|batch| Batch { batch, files: size(batch) }).collect(),
    }
}

fn kind(kind: SnapshotKind) -> &'static str {
    match kind {
        SnapshotKind::File => "file",
        SnapshotKind::Symlink => "symlink",
        SnapshotKind::Gitlink => "gitlink",
        SnapshotKind::Missing => "missing",
    }
}

/// The path is one that an earlier `route` of the same run wrote.
pub fn is_frozen_path(path: &str) -> bool {
    let fixed = [SCOPE_FILE, ROUTING_FILE, BRIEFS_FILE, INVENTORY_FILE];
    let is_context = Role::WORDS.iter().any(|(_, role)| super::super::events::is_context_path(path, *role));
    fixed.contains(&path)
        || [PlanKind::Direct, PlanKind::Batched].into_iter().any(|kind| plan_path(kind) == path)
        || is_context
        || Role::WORDS.iter().any(|(_, role)| card_path(*role) == path)
}
