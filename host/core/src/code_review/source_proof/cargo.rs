//! Proof by manifests: whatever cargo builds from a folder lies in the reviewed tree (CR-147).

use super::{
    facts::CargoPackage,
    judge::{Found, Judge, Part},
};
use crate::code_review::gates::ProofStatus;

/// Every file that the facts have to tell of.
pub(super) fn named_files(root: &str, packages: &[CargoPackage]) -> Vec<String> {
    let of = |package: &CargoPackage| {
        let sources = package.targets.iter().map(|target| &target.source).chain(&package.sources);
        std::iter::once(&package.manifest).chain(sources).cloned().collect::<Vec<_>>()
    };
    std::iter::once(root.to_owned()).chain(packages.iter().flat_map(of)).collect()
}

/// Manifests and targets are told one by one; of the other sources those that do not pass.
pub(super) fn found(root: &str, packages: &[CargoPackage], tested: &[String], judge: &Judge<'_>) -> Found {
    let origin = |name: &str, file: &str| judge.origin(name, file, Part::Origin, None);
    let mut origins = vec![origin("workspace", root)];
    for package in packages {
        origins.push(origin(&package.name, &package.manifest));
        origins.extend(package.targets.iter().map(|target| origin(&format!("{} ({})", package.name, target.name), &target.source)));
        let sources = package.sources.iter().map(|source| origin(&format!("{} (source)", package.name), source));
        origins.extend(sources.filter(|origin| origin.status != ProofStatus::Pass));
    }
    let mut lacking = Vec::new();
    if packages.is_empty() {
        lacking.push("the workspace has no package".to_owned());
    }
    if tested.is_empty() {
        lacking.push("no test program was built".to_owned());
    }
    Found { origins, processes: tested.to_vec(), lacking, ..Found::default() }
}
