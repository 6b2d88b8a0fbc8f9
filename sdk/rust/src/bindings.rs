//! What `wit-bindgen` makes of `wit/`. Private detail of the export macros; the kinds' modules re-export the types.

/// The interfaces that every kind shares, generated once so that a failure is the same type everywhere.
pub mod shared {
    wit_bindgen::generate!({
        inline: "
            package code-polishy:sdk;
            world shared {
                import code-polishy:plugin/types@1.1.0;
                import code-polishy:plugin/log@1.1.0;
            }
        ",
        path: "../../wit",
        world: "code-polishy:sdk/shared",
        generate_all,
        additional_derives: [PartialEq, Eq],
    });
}

macro_rules! world {
    ($module:ident, $world:literal) => {
        #[doc = concat!("The world `", $world, "`.")]
        pub mod $module {
            wit_bindgen::generate!({
                path: "../../wit",
                world: $world,
                with: {
                    "code-polishy:plugin/types@1.1.0": crate::bindings::shared::code_polishy::plugin::types,
                    "code-polishy:plugin/log@1.1.0": crate::bindings::shared::code_polishy::plugin::log,
                },
                generate_all,
                pub_export_macro: true,
                additional_derives: [PartialEq, Eq],
            });
        }
    };
}

world!(path_roles, "path-roles-plugin");
world!(suite_runner, "suite-runner-plugin");
world!(report_renderer, "report-renderer-plugin");
world!(reviewer_adapter, "reviewer-adapter-plugin");
