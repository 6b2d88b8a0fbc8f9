//! `plugin add`: a component where the policy's pin says that it is, and the pin in the policy; both, or neither.

mod files;

use code_polishy_core::{
    canonical::digest_bytes,
    diagnostic::{Failure, FailureKind},
    plugin::PluginKind,
    policy::{
        model::{POLICY_FILE, PluginLimits, PluginPin, Policy},
        names::identifier_fault,
        pinning::with_pin,
    },
};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::{
    failpoint,
    git::{Scope, Status, Tree},
    workflow::policies::{policy_for_pinning, working_policy_bytes},
    workspace::Workspace,
};
use files::{Folder, Written};

/// Where components of a repository are; they are committed with the policy.
pub const FOLDER: &str = ".code-polishy/plugins";

/// Where a component goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// [`FOLDER`] of the repository, for everybody who has the commit.
    Repository,
    /// The user's plugin store, for this user on this machine.
    User,
}

/// What the caller wants pinned.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// Name in the policy.
    pub name: String,
    /// What it is used as.
    pub kind: PluginKind,
    /// Where it goes.
    pub place: Place,
    /// Its options; absent, a pin of this kind and name keeps the ones that it has.
    pub options: Option<Map<String, Value>>,
    /// Its limits; for each that is absent, a pin of this kind and name keeps the one that it has.
    pub limits: PluginLimits,
}

/// What became of a component.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Added {
    /// Whether anything was written.
    pub state: State,
    /// As in the pin.
    pub source: String,
    /// What was written: paths in the repository, or the absolute path in the user's store.
    pub written: Vec<String>,
    /// The digest that was pinned before under this kind and name.
    pub replaced: Option<String>,
    /// A `.gitignore` hides the component from `git add`.
    pub ignored: bool,
}

/// Whether anything was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// The component and its pin are new, or others than before.
    Pinned,
    /// Everything was there.
    Unchanged,
}

/// The working policy that gets a pin.
pub struct Ground<'a> {
    workspace: &'a Workspace<'a>,
    /// The policy; the empty one when there is no file.
    pub policy: Policy,
    text: Option<Vec<u8>>,
}

impl<'a> Ground<'a> {
    /// Reads the working policy.
    ///
    /// # Errors
    /// Usage, when there is one that does not load.
    pub fn read(workspace: &'a Workspace<'a>) -> Result<Self, Failure> {
        let root = workspace.repository.root();
        let policy = policy_for_pinning(root)?.unwrap_or_default();
        Ok(Self { workspace, policy, text: working_policy_bytes(root)? })
    }

    /// The pin that these bytes would have.
    ///
    /// # Errors
    /// `plugin-add.bad-name`, exit 2.
    pub fn pin(&self, wanted: &Wanted, bytes: &[u8]) -> Result<PluginPin, Failure> {
        let Wanted { name, kind, place, options, limits } = wanted;
        // In a pin, what ends like a file is one of the repository.
        let unfit = (*place == Place::User && name.ends_with(".wasm")).then_some("ends with `.wasm`");
        if let Some(fault) = identifier_fault(name).or(unfit) {
            let next = "give it another with --name: lower-case letters, digits, `-` and `.`";
            return Err(Failure::usage("plugin-add.bad-name", format!("`{name}` {fault}"), next));
        }
        let old = self.policy.plugin(*kind, name);
        let kept = old.map(|old| old.limits.clone()).unwrap_or_default();
        Ok(PluginPin {
            name: name.clone(),
            kind: *kind,
            source: match place {
                Place::Repository => format!("{FOLDER}/{}", file_name(name)),
                Place::User => name.clone(),
            },
            sha256: digest_bytes(bytes),
            options: options.clone().or_else(|| old.map(|old| old.options.clone())).unwrap_or_default(),
            limits: PluginLimits {
                fuel: limits.fuel.or(kept.fuel),
                memory_mib: limits.memory_mib.or(kept.memory_mib),
                size_mib: limits.size_mib.or(kept.size_mib),
            },
        })
    }

    /// Puts the component in its place and the pin into the policy. `replace` lets it take the place of another component of its name in
    /// the user's store.
    ///
    /// # Errors
    /// Exit 2: the policy would not load; `plugin-add.taken`, another pin or another repository may need what is there.
    /// Exit 3: `plugin-add.place`, `plugin-add.write`, `plugin-add.policy-changed`. After each of them everything is as it was.
    pub fn add(&self, pin: &PluginPin, place: Place, bytes: &[u8], replace: bool) -> Result<Added, Failure> {
        let policy = with_pin(self.text.as_deref(), pin).map_err(|diagnostics| Failure::new(FailureKind::Usage, diagnostics))?;
        let (folder, file) = (self.folder(place)?, file_name(&pin.name));
        let present = folder.read(&file)?;
        let is_new = present.as_deref() != Some(bytes);
        if is_new && present.is_some() {
            self.refuse_taken(pin, place, replace)?;
        }
        let mut written = Vec::new();
        let component = is_new.then(|| folder.write(&file, bytes, present)).transpose()?;
        if component.is_some() {
            failpoint::reached("plugin-add.component");
            written.push(match place {
                Place::Repository => pin.source.clone(),
                Place::User => folder.path(&file),
            });
        }
        if self.text.as_deref() != Some(&policy) {
            if let Err(failure) = self.write_policy(&policy) {
                component.into_iter().for_each(Written::undo);
                return Err(failure);
            }
            written.push(POLICY_FILE.to_owned());
        }
        let old = self.policy.plugin(pin.kind, &pin.name);
        Ok(Added {
            state: if written.is_empty() { State::Unchanged } else { State::Pinned },
            source: pin.source.clone(),
            written,
            replaced: old.map(|old| old.sha256.clone()).filter(|old| *old != pin.sha256),
            ignored: place == Place::Repository && self.is_ignored(&pin.source),
        })
    }

    fn folder(&self, place: Place) -> Result<Folder, Failure> {
        match place {
            Place::Repository => Folder::in_repository(self.workspace.repository.root(), FOLDER),
            Place::User => Ok(Folder::of_user(self.workspace.places.plugins()?)),
        }
    }

    fn refuse_taken(&self, pin: &PluginPin, place: Place, replace: bool) -> Result<(), Failure> {
        let taken = |message: String, next: &str| Err(Failure::usage("plugin-add.taken", message, next));
        let is_other = |other: &&PluginPin| other.source == pin.source && (other.kind, &other.name) != (pin.kind, &pin.name);
        if let Some(other) = self.policy.plugins.iter().find(is_other) {
            let message = format!("the {} plugin `{}` has its component at `{}`", other.kind, other.name, pin.source);
            return taken(message, "give this one another name with --name");
        }
        if place == Place::User && !replace {
            let message = format!("your plugin store has another component named `{}`, which other repositories may pin", pin.name);
            return taken(message, "give this one another name with --name, or replace that one with --replace");
        }
        Ok(())
    }

    /// What somebody else wrote meanwhile stays.
    fn write_policy(&self, policy: &[u8]) -> Result<(), Failure> {
        if working_policy_bytes(self.workspace.repository.root())? != self.text {
            let message = format!("{POLICY_FILE} was changed while the plugin was added");
            return Err(Failure::operational("plugin-add.policy-changed", message, "run the command again").at_path(POLICY_FILE));
        }
        files::write(self.workspace.repository.root(), POLICY_FILE, policy)
    }

    /// Whether git would not add it. What cannot be told counts as no.
    fn is_ignored(&self, source: &str) -> bool {
        let repository = &self.workspace.repository;
        let Ok(status) = Status::read(repository, &Only(source)) else { return false };
        let tracked = || Tree::of(repository, status.head()).and_then(|tree| tree.entry(source)).is_ok_and(|entry| entry.is_some());
        !status.paths().contains(&source) && !tracked()
    }
}

/// One path counts.
struct Only<'a>(&'a str);

impl Scope for Only<'_> {
    fn tracked(&self, path: &str) -> bool {
        path == self.0
    }

    fn untracked(&self, path: &str) -> bool {
        path == self.0
    }

    fn enters(&self, folder: &str) -> bool {
        self.0.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
    }
}

fn file_name(plugin: &str) -> String {
    format!("{plugin}.wasm")
}
