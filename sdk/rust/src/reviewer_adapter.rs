//! Plugins of the kind `reviewer-adapter`: whether what a harness recorded about a reviewer is genuine.
//!
//! A code review keeps a log of what its reviewers did, and a harness that runs reviewers may give a receipt for each event. An adapter knows the
//! receipts of its harness, and how to tell them from others: by a signature, whose public key is an option. It decides nothing else.
//!
//! A whole plugin, with its test:
//!
//! ```
//! use code_polishy_sdk::reviewer_adapter::{Attestation, Receipt};
//! use code_polishy_sdk::{Failure, ReviewerAdapter, serde};
//!
//! /// The harness is in the house and writes `<run> <reviewer> <event>` sealed with a word; no secret for the world outside.
//! struct House;
//!
//! #[derive(Default, serde::Deserialize)]
//! #[serde(crate = "code_polishy_sdk::serde", default)]
//! struct Options {
//!     seal: String,
//! }
//!
//! impl ReviewerAdapter for House {
//!     type Options = Options;
//!     const OPTIONS_SCHEMA: &'static str =
//!         r#"{"type":"object","properties":{"seal":{"type":"string"}},"additionalProperties":false}"#;
//!
//!     fn verify(run_id: &str, receipts: &[Receipt], options: &Options) -> Result<Attestation, Failure> {
//!         let Some(receipt) = receipts.last() else { return Ok(Attestation::inconclusive("there is no receipt")) };
//!         let Ok(text) = str::from_utf8(&receipt.content) else { return Ok(Attestation::rejected("it is no text")) };
//!         let Some((statement, seal)) = text.trim_end().rsplit_once(' ') else { return Ok(Attestation::rejected("it has no seal")) };
//!         if options.seal.is_empty() {
//!             return Ok(Attestation::inconclusive("no seal is known"));
//!         }
//!         let wanted = format!("{run_id} {} {}", receipt.reviewer_id, receipt.event.name());
//!         Ok(match (seal == options.seal, statement == wanted) {
//!             (true, true) => Attestation::attested("the seal is right"),
//!             (true, false) => Attestation::rejected("it is about something else"),
//!             (false, _) => Attestation::rejected("the seal is another"),
//!         })
//!     }
//! }
//!
//! code_polishy_sdk::export_reviewer_adapter!(House);
//!
//! # fn main() {
//! # use code_polishy_sdk::reviewer_adapter::{Answer, Event, Mode};
//! let options = Options { seal: "owl".to_owned() };
//! let receipt = |text: &str| Receipt {
//!     event: Event::Started,
//!     role: "sw-engineer".to_owned(),
//!     attempt: 1,
//!     mode: Mode::Spawned,
//!     reviewer_id: "r-1".to_owned(),
//!     at: "2026-01-31T12:00:00Z".to_owned(),
//!     context_sha256: None,
//!     output_sha256: None,
//!     content: text.as_bytes().to_vec(),
//! };
//! let answer = |text| House::verify("run-7", &[receipt(text)], &options).expect("an answer").answer;
//! assert_eq!(answer("run-7 r-1 started owl"), Answer::Attested);
//! assert_eq!(answer("run-6 r-1 started owl"), Answer::Rejected);
//! # }
//! ```
//!
//! # What is told about a receipt
//!
//! | field of [`Receipt`] | holds |
//! | --- | --- |
//! | `event` | [`Event`]: `Dispatched`, `Delivered`, `Started`, `Completed`, `Joined` or `Refused` |
//! | `role` | such as `sw-engineer` |
//! | `attempt` | 1 or 2 |
//! | `mode` | [`Mode`]: `Spawned`, `AppServer` or `Inspection` |
//! | `reviewer_id` | the reviewer, the same in every event of an attempt |
//! | `at` | when it happened, as the log says: RFC 3339, UTC |
//! | `context_sha256` | of `Dispatched` and `Delivered`: the digest of what was sent |
//! | `output_sha256` | of `Completed` and `Joined`: the digest of the response |
//! | `content` | the receipt, as the harness wrote it |
//!
//! # What is answered
//!
//! | field of [`Attestation`] | holds |
//! | --- | --- |
//! | `answer` | [`Answer`]: `Attested`; `Rejected`, which refuses the event; `Inconclusive`, which leaves the event recorded, and no more |
//! | `reason` | why, in one line of at most 1 KiB |

use serde::de::DeserializeOwned;

use crate::Failure;
#[doc(inline)]
pub use crate::bindings::reviewer_adapter::exports::code_polishy::plugin::reviewer_adapter::{Answer, Attestation, Event, Mode, Receipt};

/// Says whether receipts are genuine. Export an implementation with [`export_reviewer_adapter!`](crate::export_reviewer_adapter).
pub trait ReviewerAdapter {
    /// The plugin's options; [`NoOptions`](crate::NoOptions) when there are none.
    type Options: DeserializeOwned + Default + 'static;

    /// JSON Schema text of the options object, at most 64 KiB.
    const OPTIONS_SCHEMA: &'static str = crate::options::NO_OPTIONS_SCHEMA;

    /// Judges the last receipt of the review with this id; those before it are of the same attempt, in order.
    ///
    /// An adapter that cannot tell says so with [`Answer::Inconclusive`]; attest only what only the harness can have written, and what is about
    /// this very event.
    ///
    /// # Errors
    ///
    /// A [`Failure`] fails the command that asked, and no event is appended.
    fn verify(run_id: &str, receipts: &[Receipt], options: &Self::Options) -> Result<Attestation, Failure>;
}

impl Attestation {
    /// The receipt is the harness's, and about this event.
    pub fn attested(reason: impl Into<String>) -> Self {
        Self { answer: Answer::Attested, reason: reason.into() }
    }

    /// It is not.
    pub fn rejected(reason: impl Into<String>) -> Self {
        Self { answer: Answer::Rejected, reason: reason.into() }
    }

    /// The adapter cannot tell.
    pub fn inconclusive(reason: impl Into<String>) -> Self {
        Self { answer: Answer::Inconclusive, reason: reason.into() }
    }
}

impl Event {
    /// The event's word in the log.
    pub fn name(self) -> &'static str {
        match self {
            Self::Dispatched => "dispatched",
            Self::Delivered => "delivered",
            Self::Started => "started",
            Self::Completed => "completed",
            Self::Joined => "joined",
            Self::Refused => "refused",
        }
    }
}

/// Makes the crate a `reviewer-adapter` plugin: one call, with the type that implements [`ReviewerAdapter`](crate::ReviewerAdapter).
///
/// Name, version and summary come from the crate's `Cargo.toml`; `export_reviewer_adapter!(Type, name = "other")` gives another name. On
/// targets other than WebAssembly it only checks the types. [The module](crate::reviewer_adapter) has a whole plugin.
#[macro_export]
macro_rules! export_reviewer_adapter {
    ($plugin:ty $(, name = $name:literal)?) => {
        #[allow(dead_code, unsafe_code)]
        const _: () = {
            use $crate::bindings::reviewer_adapter as world;
            struct Exported;

            impl world::Guest for Exported {
                fn describe() -> $crate::export::Description {
                    $crate::__description!(<$plugin as $crate::ReviewerAdapter>::OPTIONS_SCHEMA $(, $name)?)
                }
            }

            impl world::exports::code_polishy::plugin::reviewer_adapter::Guest for Exported {
                fn verify(
                    run_id: ::std::string::String,
                    receipts: ::std::vec::Vec<$crate::reviewer_adapter::Receipt>,
                    options: ::std::string::String,
                ) -> ::std::result::Result<$crate::reviewer_adapter::Attestation, $crate::Failure> {
                    $crate::export::call(&options, |options| <$plugin as $crate::ReviewerAdapter>::verify(&run_id, &receipts, options))
                }
            }

            // Linkers of native targets refuse the symbols of components.
            #[cfg(target_arch = "wasm32")]
            world::export! { Exported with_types_in world }
        };
    };
}
