//! The WIT contract as Rust types, generated from the files that plugin authors use.
#![allow(missing_docs, reason = "generated; the WIT files are the documentation")]
#![allow(clippy::all, reason = "generated")]

/// The world `path-roles-plugin`, and the types that all worlds share.
pub mod path_roles {
    wasmtime::component::bindgen!({ path: "../../wit", world: "path-roles-plugin" });
}

/// The world `suite-runner-plugin`.
pub mod suite_runner {
    wasmtime::component::bindgen!({
        path: "../../wit",
        world: "suite-runner-plugin",
        with: {
            "code-polishy:plugin/types": super::path_roles::code_polishy::plugin::types,
            "code-polishy:plugin/log": super::path_roles::code_polishy::plugin::log,
        },
    });
}

/// The world `report-renderer-plugin`.
pub mod report_renderer {
    wasmtime::component::bindgen!({
        path: "../../wit",
        world: "report-renderer-plugin",
        with: {
            "code-polishy:plugin/types": super::path_roles::code_polishy::plugin::types,
            "code-polishy:plugin/log": super::path_roles::code_polishy::plugin::log,
        },
    });
}

/// The world `reviewer-adapter-plugin`.
pub mod reviewer_adapter {
    wasmtime::component::bindgen!({
        path: "../../wit",
        world: "reviewer-adapter-plugin",
        with: {
            "code-polishy:plugin/types": super::path_roles::code_polishy::plugin::types,
            "code-polishy:plugin/log": super::path_roles::code_polishy::plugin::log,
        },
    });
}

pub use path_roles::code_polishy::plugin::{log, types};
