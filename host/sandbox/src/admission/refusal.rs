//! Why a component may not come in, and what its user does about it.

use semver::Version;

/// Version of the WIT contract that this host speaks.
pub const CONTRACT: Version = Version::new(1, 1, 0);

/// Why a component may not come in.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AdmissionError {
    /// Larger than its pin allows.
    #[error("the component has {size} bytes and may have {limit_mib} MiB")]
    TooLarge {
        /// Bytes of the component.
        size: usize,
        /// The limit.
        limit_mib: u32,
    },
    /// Not WebAssembly, cut off, or using WebAssembly that plugins may not use.
    #[error("not a valid component: {0}")]
    Invalid(String),
    /// Small to read and endless to compile.
    #[error("has {found} {what}, and plugins may have {most}")]
    TooComplex {
        /// What is counted.
        what: &'static str,
        /// How many there are as far as they were counted.
        found: usize,
        /// The limit.
        most: usize,
    },
    /// A module without the component around it.
    #[error("a core module, not a component")]
    CoreModule,
    /// Something that the host does not give.
    #[error("imports `{name}`, which plugins are not given")]
    ForeignImport {
        /// As the component names it.
        name: String,
    },
    /// A system interface.
    #[error("imports `{name}`: plugins have no system access")]
    WasiImport {
        /// As the component names it.
        name: String,
    },
    /// Exports none of the interfaces, or several.
    #[error(
        "exports {found}; a plugin exports exactly one of `path-roles`, `suite-runner`, `report-renderer`, `reviewer-adapter` of `code-polishy:plugin`"
    )]
    NoKind {
        /// What it exports of the contract.
        found: String,
    },
    /// No `describe`.
    #[error("does not export the function `describe`")]
    NoDescribe,
    /// Built for another version of the contract.
    #[error("was built for the plugin contract {theirs}; this host speaks {CONTRACT}")]
    OtherContract {
        /// The component's version.
        theirs: Version,
    },
}

impl AdmissionError {
    /// What the user does about it.
    pub fn next(&self) -> String {
        match self {
            Self::TooLarge { size, .. } => {
                let mib = size.div_ceil(1 << 20);
                format!("make it smaller, or raise `limits.sizeMiB` of its pin to {mib}; where nothing pins it, use `--size-mib {mib}`")
            }
            Self::TooComplex { .. } => "split what the plugin's builder made too complex, or report it to the plugin's author".to_owned(),
            Self::Invalid(_) => "rebuild the plugin with `code-polishy plugin build`, or fetch the file again".to_owned(),
            Self::CoreModule => "make a component of it with `code-polishy plugin build`".to_owned(),
            Self::ForeignImport { .. } => "rebuild the plugin without that import; the only one is `code-polishy:plugin/log`".to_owned(),
            Self::WasiImport { .. } => {
                "rebuild the plugin with its builder's `--stub-wasi`, or for a target without WASI such as `wasm32-unknown-unknown`"
                    .to_owned()
            }
            Self::NoKind { .. } | Self::NoDescribe => "build the plugin from a world of the contract: `code-polishy plugin new`".to_owned(),
            Self::OtherContract { theirs } if *theirs > CONTRACT => "upgrade code-polishy: the plugin needs a newer one".to_owned(),
            Self::OtherContract { .. } => "rebuild the plugin with the current SDK".to_owned(),
        }
    }

    /// Whether the bytes are no usable component at all, rather than one for another host.
    pub fn is_unreadable(&self) -> bool {
        matches!(self, Self::TooLarge { .. } | Self::TooComplex { .. } | Self::Invalid(_) | Self::CoreModule)
    }
}
