//! Whether green tests have to prove what they tested (CR-228).

use crate::code_review::{
    routing::RoutingFacts,
    t0::{PathRolesRecord, T0},
};

/// Production Python is among the changes. `path_roles` are the bytes of `path-roles.json`; what cannot be read counts as such.
pub fn changes_python(t0: &T0, path_roles: Option<&[u8]>) -> bool {
    let Some(roles) = path_roles.and_then(|bytes| serde_json::from_slice::<PathRolesRecord>(bytes).ok()) else { return true };
    let production = RoutingFacts::of(t0, &roles.paths).production;
    production.iter().any(|path| [".py", ".pyi"].iter().any(|ending| path.to_lowercase().ends_with(ending)))
}
