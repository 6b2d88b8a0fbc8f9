//! Why nothing was fetched, in words.

use code_polishy_core::{diagnostic::Failure, text::shorten};

use crate::MAX_COMPONENT_BYTES;

/// Bytes of a registry's own words that are shown.
const SHOWN_BYTES: usize = 500;

/// Why a component could not be fetched.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RegistryFault {
    /// The words of the caller.
    #[error("`{reference}` is no reference to a component: {reason}")]
    BadReference {
        /// As it was written.
        reference: String,
        /// What is wrong with it.
        reason: String,
    },
    /// No answer.
    #[error("the registry `{registry}` cannot be reached: {reason}")]
    Unreachable {
        /// Host and port.
        registry: String,
        /// What the system says.
        reason: String,
    },
    /// The registry has no such thing.
    #[error("the registry `{registry}` has no `{what}`")]
    NotFound {
        /// Host and port.
        registry: String,
        /// Repository and digest, or tag.
        what: String,
    },
    /// The registry wants to know who asks.
    #[error("the registry `{registry}` does not let you read `{what}`{hint}")]
    Denied {
        /// Host and port.
        registry: String,
        /// Repository and digest, or tag.
        what: String,
        /// `: ` and why configured credentials were not used, or nothing.
        hint: String,
    },
    /// The registry answered with something else.
    #[error("the registry `{registry}` failed: {reason}")]
    Failed {
        /// Host and port.
        registry: String,
        /// What it said: foreign text.
        reason: String,
    },
    /// The bytes are not the named ones.
    #[error("the {what} that the registry gave has another digest than `{expected}`: {reason}")]
    Mismatch {
        /// `manifest` or `component`.
        what: &'static str,
        /// `sha256:…`.
        expected: String,
        /// What was found.
        reason: String,
    },
    /// Something else than a component.
    #[error("the artifact is no WebAssembly component: {reason}")]
    NotWasm {
        /// What shows it.
        reason: String,
    },
    /// Several artifacts under one digest.
    #[error("the digest names an index of several artifacts, and a pin names one")]
    Index {
        /// Digests of the first ones, each with its platform.
        entries: Vec<String>,
    },
    /// More than is ever fetched.
    #[error("the component has {size} bytes, and {MAX_COMPONENT_BYTES} is the most")]
    TooLarge {
        /// In bytes, as the manifest says.
        size: u64,
    },
    /// It took too long.
    #[error("the registry `{registry}` gave no whole answer within {seconds} seconds")]
    TimedOut {
        /// Host and port.
        registry: String,
        /// The limit.
        seconds: u64,
    },
    /// The user or the system ended the command.
    #[error("interrupted before it was done")]
    Interrupted,
}

impl RegistryFault {
    fn code(&self) -> &'static str {
        match self {
            Self::BadReference { .. } => "registry.bad-reference",
            Self::Unreachable { .. } => "registry.unreachable",
            Self::NotFound { .. } => "registry.not-found",
            Self::Denied { .. } => "registry.denied",
            Self::Failed { .. } => "registry.failed",
            Self::Mismatch { .. } => "registry.digest-mismatch",
            Self::NotWasm { .. } => "registry.not-wasm",
            Self::Index { .. } => "registry.index",
            Self::TooLarge { .. } => "registry.too-large",
            Self::TimedOut { .. } => "registry.timed-out",
            Self::Interrupted => "interrupted",
        }
    }

    fn next(&self) -> String {
        match self {
            Self::BadReference { .. } => "write it as `registry/repository@sha256:DIGEST`".to_owned(),
            Self::Unreachable { .. } | Self::TimedOut { .. } => {
                "check the name, the network and the proxy, then run the command again".to_owned()
            }
            Self::NotFound { .. } => "check the repository and the digest with whoever publishes the plugin".to_owned(),
            Self::Denied { registry, .. } => format!("check the repository's name, or run `docker login {registry}`"),
            Self::Failed { .. } => "run the command again later, or ask whoever runs the registry".to_owned(),
            Self::Mismatch { .. } => {
                "trust neither: ask whoever publishes the plugin for its digest, and whoever runs the registry why".to_owned()
            }
            Self::NotWasm { .. } => "name an artifact that `wkg oci push` or its like made of a component".to_owned(),
            Self::Index { entries } if entries.is_empty() => "name the digest of an artifact".to_owned(),
            Self::Index { entries } => format!("name one of its artifacts by digest: {}", entries.join(", ")),
            Self::TooLarge { .. } => "use a smaller component".to_owned(),
            Self::Interrupted => "run the command again".to_owned(),
        }
    }
}

impl From<RegistryFault> for Failure {
    /// What the caller can write otherwise is usage (exit 2); what a registry does is operational (exit 3).
    fn from(fault: RegistryFault) -> Self {
        let (code, message, next) = (fault.code(), shorten(&fault.to_string(), 2 * SHOWN_BYTES), fault.next());
        match fault {
            RegistryFault::Interrupted => Self::interrupted(),
            RegistryFault::BadReference { .. }
            | RegistryFault::NotFound { .. }
            | RegistryFault::NotWasm { .. }
            | RegistryFault::Index { .. }
            | RegistryFault::TooLarge { .. } => Self::usage(code, message, next),
            _ => Self::operational(code, message, next),
        }
    }
}

/// A foreign error with what lies behind it, bounded.
pub(crate) fn words(error: &dyn std::error::Error) -> String {
    let mut words = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let text = error.to_string();
        // Many errors repeat their cause.
        if !words.contains(&text) {
            words.push_str(": ");
            words.push_str(&text);
        }
        cause = error.source();
    }
    shorten(&words, SHOWN_BYTES)
}
