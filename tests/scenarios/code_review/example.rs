//! The whole review of `docs/examples/code-review`: its script runs as a reader would run it, and gives the report that the docs keep (C-117).
//!
//! `ACCEPT=1` writes what it gives into the docs: look at it before it is committed.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use code_polishy_tests::Repo;

use crate::WORLD;

const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/examples/code-review");

/// What stands in the docs for the folder of the checkout, and for the name of the run, which is the time of its start.
const CHECKOUT: &str = "/src/code-polishy";
const RUN: &str = "2026-12-01T03-40-33-131375Z";

#[test]
fn a_whole_review_gives_what_the_docs_keep() {
    let world = Repo::new(WORLD);
    let (tools, out) = (world.area("tools"), world.area("review"));
    fs::create_dir(&tools).unwrap();
    symlink(WORLD.binary, tools.join("code-polishy")).unwrap();
    let mut script = world.program(Path::new(EXAMPLE).join("review.sh"), &[out.to_str().unwrap()]);
    script.env("PATH", format!("{}:{}", tools.display(), std::env::var("PATH").unwrap()));
    script.env("CODE_POLISHY_CACHE", Path::new(WORLD.scratch).join("plugins"));
    let ended = script.output().unwrap();
    assert!(ended.status.success(), "git, jq and sed are there, and this is not their fault: {}", String::from_utf8_lossy(&ended.stderr));

    let runs = fs::read_dir(out.join("repo/.code-polishy-reports/code-review")).unwrap();
    let names = runs.map(|run| run.unwrap().file_name().into_string().unwrap());
    let run = names.filter(|name| name.ends_with('Z')).collect::<Vec<_>>().join(" and ");
    for name in ["handoff.json", "final.md", "final.html"] {
        let made = fs::read_to_string(out.join(name)).unwrap();
        let made = made.replace(out.join("repo").to_str().unwrap(), CHECKOUT).replace(&run, RUN);
        let kept = Path::new(EXAMPLE).join(name);
        if std::env::var_os("ACCEPT").is_some() {
            fs::write(&kept, &made).unwrap();
        }
        let kept = fs::read_to_string(&kept).unwrap_or_default();
        assert!(made == kept, "{name} is not what the docs keep; ACCEPT=1 writes it there:\n{made}");
        let area = world.area("");
        assert!(
            !kept.contains(area.to_str().unwrap()) && !kept.contains(env!("CARGO_MANIFEST_DIR")),
            "{name} names a place of this machine"
        );
    }
}
