//! From a policy's words to loaded plugins: pins are read from the tree that names them.

use std::path::Path;

use code_polishy_core::{
    canonical::{canonical_json, digest_bytes},
    diagnostic::{Diagnostic, Failure, FailureKind},
    plugin::{PinnedComponent, PluginHost, PluginIdentity, PluginKind, PluginSource, ReportRenderer, ReviewerAdapter, SuiteRunner},
    policy::model::{PluginPin, Policy, Suite},
};

use crate::{
    git::{Blob, Tree},
    input::{InputFault, read_contained},
    places::Places,
};

/// Bytes of a component that are read at most; the sandbox decides what is admitted.
pub(crate) const MAX_COMPONENT_BYTES: u64 = 64 * 1024 * 1024;

/// Where a repository-relative component is read from.
pub enum Origin<'a> {
    /// A commit.
    Tree(&'a Tree),
    /// The working files, for commands that read the working policy.
    Files(&'a Path),
}

/// The plugins of one policy.
pub struct PluginSet<'a> {
    /// Loads components.
    pub host: &'a dyn PluginHost,
    /// The policy that names them.
    pub policy: &'a Policy,
    /// Where its components are.
    pub origin: Origin<'a>,
    /// Where the user's own components are.
    pub places: &'a Places,
}

impl PluginSet<'_> {
    /// The pin of this kind and name, or the bundled plugin.
    pub fn source(&self, kind: PluginKind, name: &str, options: Option<String>) -> Result<PluginSource, Failure> {
        let pin = self.policy.plugin(kind, name);
        let options = options.or_else(|| pin.map(|pin| canonical_json(&pin.options))).unwrap_or_else(|| "{}".to_owned());
        let pinned = pin.map(|pin| self.component(pin)).transpose()?;
        Ok(PluginSource { name: name.to_owned(), kind, pinned, options })
    }

    /// The other set has the same pin, and reads its component from the same blob, or like this one from outside the repository.
    pub fn shares(&self, other: &Self, pin: &PluginPin) -> Result<bool, Failure> {
        if other.policy.plugin(pin.kind, &pin.name) != Some(pin) {
            return Ok(false);
        }
        match (&self.origin, &other.origin) {
            _ if !pin.source.ends_with(".wasm") => Ok(true),
            (Origin::Tree(own), Origin::Tree(theirs)) => Ok(own.entry(&pin.source)? == theirs.entry(&pin.source)?),
            _ => Ok(false),
        }
    }

    /// Which component answers, without loading it.
    pub fn identity(&self, kind: PluginKind, name: &str) -> Result<PluginIdentity, Failure> {
        if let Some(pin) = self.policy.plugin(kind, name) {
            return Ok(PluginIdentity { name: pin.name.clone(), sha256: pin.sha256.clone() });
        }
        self.host.bundled(kind, name).ok_or_else(|| {
            let message = format!("there is no {kind} plugin named `{name}`");
            Failure::usage("plugin.unknown", message, "pin it in `plugins` of `.code-polishy.json`, or name a bundled one")
        })
    }

    /// The runner of a suite, with the suite's options.
    pub fn runner(&self, suite: &Suite) -> Result<Box<dyn SuiteRunner + Send + Sync>, Failure> {
        let options = (!suite.runner_options.is_empty()).then(|| canonical_json(&suite.runner_options));
        let source = self.source(PluginKind::SuiteRunner, &suite.runner, options)?;
        Ok(self.host.suite_runner(&source)?)
    }

    /// The renderer of this name.
    pub fn renderer(&self, name: &str) -> Result<Box<dyn ReportRenderer + Send + Sync>, Failure> {
        Ok(self.host.report_renderer(&self.source(PluginKind::ReportRenderer, name, None)?)?)
    }

    /// The adapter of this name.
    pub fn adapter(&self, name: &str) -> Result<Box<dyn ReviewerAdapter + Send + Sync>, Failure> {
        Ok(self.host.reviewer_adapter(&self.source(PluginKind::ReviewerAdapter, name, None)?)?)
    }

    /// Demands that the pins have the bytes that they name, of each pin for which `asked` holds, used or not.
    ///
    /// # Errors
    /// Exit 2: `plugin.pin-mismatch`, `plugin.unreadable`, all of them.
    pub fn verify(&self, asked: impl Fn(&PluginPin) -> bool) -> Result<(), Failure> {
        let pins = self.policy.plugins.iter().filter(|pin| asked(pin));
        let faults: Vec<Diagnostic> = pins.filter_map(|pin| self.mismatch(pin).err()).flat_map(|failure| failure.diagnostics).collect();
        if faults.is_empty() { Ok(()) } else { Err(Failure::new(FailureKind::Usage, faults)) }
    }

    fn mismatch(&self, pin: &PluginPin) -> Result<(), Failure> {
        let found = digest_bytes(&self.component(pin)?.bytes);
        if found == pin.sha256 {
            return Ok(());
        }
        let message =
            format!("plugin `{}`: its component `{}` has the digest {found}, the policy pins {}", pin.name, pin.source, pin.sha256);
        let next = "restore the pinned file, or review the new one and pin it with `code-polishy plugin add`";
        Err(Failure::usage("plugin.pin-mismatch", message, next))
    }

    fn component(&self, pin: &PluginPin) -> Result<PinnedComponent, Failure> {
        let read = match (&self.origin, pin.source.ends_with(".wasm")) {
            (Origin::Tree(tree), true) => match tree.file_at_most(&pin.source, MAX_COMPONENT_BYTES)? {
                Some(Blob::Whole(bytes)) => Ok(bytes),
                Some(Blob::Larger(size)) => Err(format!("has {size} bytes")),
                None => Err("is not a regular file of the commit that pins it".to_owned()),
            },
            (Origin::Files(root), true) => read_contained(root, &pin.source, MAX_COMPONENT_BYTES).map_err(|fault| fault.to_string()),
            (_, false) => self.named_component(pin),
        };
        let bytes = read.map_err(|reason| {
            let message = format!("plugin `{}`: its component `{}` {reason}", pin.name, pin.source);
            let next = match pin.source.ends_with(".wasm") {
                true => "commit the component that the policy pins, or mend the pin",
                false => "add it to your plugin store: `code-polishy plugin add SOURCE --to user`",
            };
            Failure::new(FailureKind::Usage, vec![Diagnostic::new("plugin.unreadable", message, next)])
        })?;
        Ok(PinnedComponent {
            bytes,
            sha256: pin.sha256.clone(),
            fuel: pin.limits.fuel,
            memory_mib: pin.limits.memory_mib,
            size_mib: pin.limits.size_mib,
        })
    }

    /// A name stands for the bundled component when that is the pinned one, and for the one in the user's store otherwise. Without the latter the
    /// bundled one is taken all the same: the pin refuses it, and says why.
    fn named_component(&self, pin: &PluginPin) -> Result<Vec<u8>, String> {
        let bundled = self.host.bundled_component(pin.kind, &pin.source);
        match bundled.filter(|_| self.host.bundled(pin.kind, &pin.source).is_some_and(|identity| identity.sha256 == pin.sha256)) {
            Some(bytes) => Ok(bytes.to_vec()),
            None => self
                .user_component(&pin.source)?
                .or_else(|| bundled.map(<[u8]>::to_vec))
                .ok_or_else(|| "is not in your plugin store".to_owned()),
        }
    }

    fn user_component(&self, name: &str) -> Result<Option<Vec<u8>>, String> {
        let store = self.places.plugins_path();
        if !store.exists() {
            return Ok(None);
        }
        match read_contained(store, &format!("{name}.wasm"), MAX_COMPONENT_BYTES) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(InputFault::Absent) => Ok(None),
            Err(fault) => Err(fault.to_string()),
        }
    }
}
