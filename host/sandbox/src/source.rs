//! Where a plugin's bytes come from, and whether they are the ones that the policy pins.

use code_polishy_core::{
    canonical::digest_bytes,
    plugin::{PluginFault, PluginFaultKind, PluginKind, PluginSource},
};

use crate::{admission::size_warning, bundled, fault::fault, limits::Budget};

/// A component's bytes, known to be the pinned ones.
pub struct Component<'a> {
    /// What it is said to be.
    pub kind: PluginKind,
    /// The component.
    pub bytes: &'a [u8],
    /// Digest of `bytes`.
    pub sha256: String,
    /// What its calls may use.
    pub budget: Budget,
    /// Raises the largest size.
    pub size_mib: Option<u32>,
    bundled: bool,
}

impl<'a> Component<'a> {
    /// Finds the bytes and compares them with the pin, before anything reads them.
    pub fn of(source: &'a PluginSource) -> Result<Self, PluginFault> {
        match &source.pinned {
            Some(pinned) => {
                let sha256 = digest_bytes(&pinned.bytes);
                if sha256 != pinned.sha256 {
                    return Err(pin_mismatch(&source.name, &pinned.sha256, &sha256));
                }
                let budget = Budget::of_pin(pinned.fuel, pinned.memory_mib);
                Ok(Self { kind: source.kind, bytes: &pinned.bytes, sha256, budget, size_mib: pinned.size_mib, bundled: false })
            }
            None => {
                let bundled = bundled::find(source.kind, &source.name).ok_or_else(|| not_bundled(source))?;
                let sha256 = bundled.sha256().to_owned();
                Ok(Self { kind: bundled.kind, bytes: bundled.bytes, sha256, budget: Budget::default(), size_mib: None, bundled: true })
            }
        }
    }

    /// What to say when it is loaded.
    pub fn warning(&self) -> Option<String> {
        if self.bundled { None } else { size_warning(self.bytes.len()) }
    }
}

fn pin_mismatch(plugin: &str, pinned: &str, found: &str) -> PluginFault {
    fault(
        plugin,
        PluginFaultKind::PinMismatch,
        format!("its file has the digest {found}, the policy pins {pinned}"),
        "restore the pinned file, or review the new one and pin it with `code-polishy plugin add`",
    )
}

fn not_bundled(source: &PluginSource) -> PluginFault {
    let names: Vec<&str> = bundled::all().iter().filter(|bundled| bundled.kind == source.kind).map(|bundled| bundled.name).collect();
    fault(
        &source.name,
        PluginFaultKind::Unreadable,
        format!("there is no bundled {} plugin of this name", source.kind),
        format!("name a pinned plugin, or a bundled one: {}", if names.is_empty() { "none".to_owned() } else { names.join(", ") }),
    )
}
