//! What the export macros expand to, beside the generated bindings.

use serde::de::DeserializeOwned;

use crate::Failure;
pub use crate::bindings::shared::code_polishy::plugin::types::Description;

/// Reads the options, then asks the plugin.
pub fn call<Options: DeserializeOwned + Default + 'static, Answer>(
    options: &str,
    ask: impl FnOnce(&Options) -> Result<Answer, Failure>,
) -> Result<Answer, Failure> {
    send_panics_to_log();
    ask(&crate::options::read(options)?)
}

/// A trap has no message; the hook gives it one. Native tests keep the hook of their harness.
pub fn send_panics_to_log() {
    #[cfg(target_arch = "wasm32")]
    {
        static ONCE: std::sync::Once = std::sync::Once::new();
        ONCE.call_once(|| std::panic::set_hook(Box::new(|panic| crate::error!("{panic}"))));
    }
}

/// Version and summary as the plugin's `Cargo.toml` has them; its name, too, unless the plugin has another.
#[doc(hidden)]
#[macro_export]
macro_rules! __description {
    ($schema:expr) => {
        $crate::__description!($schema, ::std::env!("CARGO_PKG_NAME"))
    };
    ($schema:expr, $name:expr) => {{
        $crate::export::send_panics_to_log();
        $crate::export::Description {
            name: $name.into(),
            version: ::std::env!("CARGO_PKG_VERSION").into(),
            summary: ::std::env!("CARGO_PKG_DESCRIPTION").into(),
            options_schema: $schema.into(),
        }
    }};
}
