//! `plugin add`: a component, wherever it comes from, checked, kept, compiled and pinned.

use code_polishy_core::{
    canonical::{canonical_json, digest_bytes},
    code_review::vocabulary::{EventKind, PassMode},
    diagnostic::Failure,
    plugin::{
        PathFact, PathKind, PinnedComponent, PluginFault, PluginFaultKind, PluginHost, PluginKind, PluginSource, ReceiptFacts, SuiteFacts,
    },
    policy::model::{PluginLimits, PluginPin},
    text::escape_line,
};
use code_polishy_engine::plugin_add::{Added, Ground, Place, State, Wanted};
use code_polishy_sandbox::{
    Sandbox,
    admission::{Admitted, check_size},
    bundled,
    inspect::Description,
};
use serde_json::{Map, Value, json};

use super::origin::{Origin, find};
use crate::{
    arguments::plugin::{PluginAdd, PluginPlace},
    command::Context,
    reply::Reply,
    view::{
        json::{Protocol, word},
        lines::{GOOD, next, note, paint, size},
    },
};

/// Bytes of a file with options.
const MAX_OPTIONS_BYTES: u64 = 1 << 20;

/// Nothing is written before everything is known to be right.
pub fn run(context: &Context, arguments: &PluginAdd) -> Result<Reply, Failure> {
    let options = arguments.options.as_deref().map(|text| read_options(context, text)).transpose()?;
    let workspace = context.setup.workspace()?;
    let ground = Ground::read(&workspace)?;
    let found = find(context, &arguments.source)?;
    let sandbox = context.setup.plugins.sandbox();
    let admitted = sandbox.admit(&found.word, &found.bytes, Some(mebibytes(found.bytes.len())))?;
    let allowed = ground.policy.plugins.iter().filter(|pin| pin.kind == admitted.kind).filter_map(|pin| pin.limits.size_mib).max();
    refuse_large(&found.word, found.bytes.len(), arguments.size_mib.or(allowed))?;
    let asked = limits(arguments);
    let description = sandbox.describe(&source(&found.word, admitted.kind, &found.bytes, &asked, "{}".to_owned()))?;
    let place = match arguments.to {
        PluginPlace::Repository => Place::Repository,
        PluginPlace::User => Place::User,
    };
    let name = arguments.name.clone().unwrap_or_else(|| description.name.clone());
    let pin = ground.pin(&Wanted { name, kind: admitted.kind, place, options, limits: asked }, &found.bytes)?;
    refuse_large(&pin.name, found.bytes.len(), pin.limits.size_mib)?;
    takes_options(sandbox, &source(&pin.name, pin.kind, &found.bytes, &pin.limits, canonical_json(&pin.options)))?;
    context.setup.interrupt.check()?;
    let added = ground.add(&pin, place, &found.bytes, arguments.replace)?;
    let outcome = Outcome { pin, admitted, description, added, place, origin: found.origin };
    let document = Protocol::Plugin("add").done(&word(&outcome.added.state), "plugin", &outcome.document());
    Ok(Reply::lines(outcome.lines(), document))
}

fn limits(arguments: &PluginAdd) -> PluginLimits {
    PluginLimits { fuel: arguments.fuel, memory_mib: arguments.memory_mib, size_mib: arguments.size_mib }
}

/// A JSON object, as it is written or in a file.
fn read_options(context: &Context, text: &str) -> Result<Map<String, Value>, Failure> {
    let parse = |bytes: &[u8]| serde_json::from_slice(bytes).map_err(|error| bad_options(format!("is no JSON object: {error}")));
    if text.trim_start().starts_with('{') {
        return parse(text.as_bytes());
    }
    let path = context.setup.path(text.as_ref());
    let unreadable = |error: std::io::Error| bad_options(format!("names `{text}`, which cannot be read: {error}"));
    if path.metadata().map_err(unreadable)?.len() > MAX_OPTIONS_BYTES {
        return Err(bad_options(format!("names `{text}`, which has more than {MAX_OPTIONS_BYTES} bytes")));
    }
    parse(&std::fs::read(&path).map_err(unreadable)?)
}

fn mebibytes(bytes: usize) -> u32 {
    u32::try_from(bytes.div_ceil(1 << 20)).unwrap_or(u32::MAX).max(1)
}

/// What is large is felt by everybody who has the repository, so the caller says that it may be.
fn refuse_large(name: &str, bytes: usize, limit_mib: Option<u32>) -> Result<(), Failure> {
    check_size(bytes, limit_mib).map_err(|_| {
        let needed = mebibytes(bytes);
        let message = format!(
            "`{name}` has {}, and may have {} MiB: a large component is slow to compile, and stays in the repository's history",
            size(bytes),
            limit_mib.unwrap_or(1),
        );
        let next = format!("make it smaller, or pass `--size-mib {needed}`, which writes `limits.sizeMiB` into its pin");
        Failure::usage("plugin-add.too-large", message, next)
    })
}

fn source(name: &str, kind: PluginKind, bytes: &[u8], limits: &PluginLimits, options: String) -> PluginSource {
    let PluginLimits { fuel, memory_mib, size_mib } = limits;
    // What may be pinned is judged by `refuse_large`.
    let size_mib = Some(size_mib.unwrap_or(1).max(mebibytes(bytes.len())));
    let pinned = PinnedComponent { sha256: digest_bytes(bytes), bytes: bytes.to_vec(), fuel: *fuel, memory_mib: *memory_mib, size_mib };
    PluginSource { name: name.to_owned(), kind, pinned: Some(pinned), options }
}

/// A small call: one that is never answered, or refused for its options, would fail the next command that needs the plugin.
fn takes_options(sandbox: &Sandbox, source: &PluginSource) -> Result<(), Failure> {
    let answer: Result<(), PluginFault> = match source.kind {
        PluginKind::PathRoles => sandbox.path_roles(source)?.classify(&[a_path()]).map(drop),
        PluginKind::SuiteRunner => sandbox.suite_runner(source)?.plan(&a_suite()).map(drop),
        PluginKind::ReportRenderer => sandbox.report_renderer(source)?.render("{}").map(drop),
        PluginKind::ReviewerAdapter => sandbox.reviewer_adapter(source)?.verify("a-review", &[a_receipt()]).map(drop),
    };
    match answer {
        Err(fault) if fault.message.ends_with("(bad-options)") => Err(bad_options(format!("are refused by the plugin: {}", fault.message))),
        Err(fault) if fault.kind != PluginFaultKind::Refused => Err(fault.into()),
        // It has its reasons not to like a path, a suite, a report or a receipt that is none.
        _ => Ok(()),
    }
}

fn bad_options(reason: String) -> Failure {
    let next = "give a JSON object, or a file that holds one; `code-polishy plugin inspect` shows what the plugin takes";
    Failure::usage("plugin-add.bad-options", format!("--options {reason}"), next)
}

fn a_path() -> PathFact {
    let (path, head) = ("README.md".to_owned(), b"# A project\n".to_vec());
    PathFact { path, kind: PathKind::File, executable: false, size: head.len() as u64, head, attributes: Vec::new() }
}

fn a_suite() -> SuiteFacts {
    SuiteFacts { name: "unit".to_owned(), kind: "unit".to_owned(), argv: vec!["make".to_owned(), "test".to_owned()], cwd: ".".to_owned() }
}

fn a_receipt() -> ReceiptFacts {
    ReceiptFacts {
        event: EventKind::Started,
        role: "sw-engineer".to_owned(),
        attempt: 1,
        mode: PassMode::Spawned,
        reviewer_id: "reviewer-1".to_owned(),
        at: "2026-01-31T12:00:00Z".to_owned(),
        context_sha256: None,
        output_sha256: None,
        content: b"{}".to_vec(),
    }
}

/// Everything that there is to tell.
struct Outcome {
    pin: PluginPin,
    admitted: Admitted,
    description: Description,
    added: Added,
    place: Place,
    origin: Origin,
}

impl Outcome {
    fn lines(&self) -> Vec<String> {
        let (pin, described) = (&self.pin, &self.description);
        let label = match self.added.state {
            State::Pinned => "PINNED",
            State::Unchanged => "UNCHANGED",
        };
        let mut lines = vec![
            format!("{} {} ({} {}): {}", paint(GOOD, label), pin.name, pin.kind, described.version, escape_line(&described.summary)),
            format!("{}, sha256 {}, at {}", size(self.admitted.size), pin.sha256, escape_line(&pin.source)),
        ];
        lines.extend(self.notes().iter().map(|text| note(text)));
        if self.added.state == State::Pinned {
            lines.push(next(&self.next()));
        }
        lines
    }

    fn notes(&self) -> Vec<String> {
        let pin = &self.pin;
        let mut notes = self.admitted.warnings.clone();
        notes.extend(self.added.replaced.as_ref().map(|old| format!("it takes the place of the component {old}")));
        if bundled::find(pin.kind, &pin.name).is_some() {
            notes.push(format!("it takes the place of the bundled {} plugin `{}`", pin.kind, pin.name));
        }
        if self.added.ignored {
            notes.push(format!("a `.gitignore` hides the component: `git add --force {}`", pin.source));
        }
        if self.place == Place::User {
            notes.push("it is in your plugin store alone: whoever else runs a gate adds it too".to_owned());
        }
        notes
    }

    fn next(&self) -> String {
        let name = &self.pin.name;
        let used = match self.pin.kind {
            PluginKind::SuiteRunner => format!("name it in a suite: `\"runner\": \"{name}\"`"),
            PluginKind::ReportRenderer => format!("name it in `reports.renderers`: `\"{name}\"`"),
            PluginKind::PathRoles => "it is asked from that commit on".to_owned(),
            PluginKind::ReviewerAdapter => format!("name it in `codeReview.reviewerAdapters`: `\"{name}\"`"),
        };
        let mut committed = vec![".code-polishy.json"];
        if self.place == Place::Repository {
            committed.push(&self.pin.source);
        }
        format!("commit {}; {used}", committed.join(" and "))
    }

    fn document(&self) -> Value {
        let (pin, described) = (&self.pin, &self.description);
        json!({
            "name": pin.name,
            "kind": pin.kind,
            "version": described.version.to_string(),
            "summary": described.summary,
            "source": pin.source,
            "sha256": pin.sha256,
            "size": self.admitted.size,
            "options": pin.options,
            "limits": {"fuel": pin.limits.fuel, "memoryMiB": pin.limits.memory_mib, "sizeMiB": pin.limits.size_mib},
            "origin": self.origin,
            "written": self.added.written,
            "replaced": self.added.replaced,
            "notes": self.notes(),
        })
    }
}
