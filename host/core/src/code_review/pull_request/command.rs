//! Recorded commands: the ones that are right, and what none may contain (CR-41, CR-42, CR-217).

/// The command that stands for the checkout; a path with anything unusual is quoted for a shell.
pub fn checkout(worktree: &str, head_oid: &str) -> String {
    format!("git worktree add --detach {} {head_oid}", shell_word(worktree))
}

/// The command that stands for the diff.
pub fn diff(base_oid: &str, head_oid: &str) -> String {
    format!("git diff --binary --full-index {base_oid}...{head_oid}")
}

fn shell_word(word: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-+:@%=,".contains(&byte);
    if !word.is_empty() && word.bytes().all(plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}

/// Programs that talk to a forge.
const FORGE_CLIENTS: [&str; 5] = ["gh", "glab", "hub", "tea", "fj"];
/// Subcommands whose `-f` overwrites.
const OVERWRITING: [&str; 6] = ["push", "pull", "checkout", "fetch", "switch", "worktree"];
/// Programs that download a file.
const DOWNLOADERS: [&str; 2] = ["curl", "wget"];
/// Hosts that serve single files of repositories.
const RAW_HOSTS: [&str; 2] = ["raw.githubusercontent.com", "media.githubusercontent.com"];

/// The word that makes git or a client of a forge overwrite; `None` when there is none.
///
/// Quotes are taken for white space, so that a command inside a command is read too.
pub fn force(command: &str) -> Option<&str> {
    segments(command).find_map(|words| {
        let start = words.iter().position(|word| is_program(word, &["git"]) || is_program(word, &FORGE_CLIENTS))?;
        let arguments = &words[start + 1..];
        let overwrites = arguments.iter().any(|word| OVERWRITING.contains(word));
        arguments.iter().copied().find(|word| {
            let short = word.starts_with('-') && !word.starts_with("--") && word[1..].contains('f');
            let refspec = word.starts_with('+') && word.len() > 1;
            word.starts_with("--force") || overwrites && (short || refspec)
        })
    })
}

/// The word that takes source from somewhere else than the checkout; `None` when there is none.
pub fn raw_source(command: &str) -> Option<&str> {
    segments(command).find_map(|words| words.into_iter().find(|word| is_program(word, &DOWNLOADERS) || names_raw_host(word)))
}

/// A host that serves single files occurs in the text.
pub fn names_raw_host(text: &str) -> bool {
    RAW_HOSTS.iter().any(|host| text.contains(host))
}

/// An evidence text begins with a download or with the address of a raw file; what it says later is free.
pub fn is_raw_evidence(evidence: &str) -> bool {
    let first = evidence.split_whitespace().next().unwrap_or_default().trim_start_matches(['`', '<', '(', '[', '"']);
    let address = first.strip_prefix("https://").or_else(|| first.strip_prefix("http://"));
    let raw_address = |address: &str| {
        let (host, path) = address.split_once('/').unwrap_or((address, ""));
        RAW_HOSTS.contains(&host) || path.split('/').any(|segment| segment == "raw")
    };
    DOWNLOADERS.contains(&first) || address.is_some_and(raw_address) || RAW_HOSTS.iter().any(|host| first.starts_with(host))
}

/// The simple commands of a command line, each as its words.
fn segments(command: &str) -> impl Iterator<Item = Vec<&str>> {
    command.split([';', '&', '|', '\n', '(', ')', '`']).map(|segment| {
        let words = segment.split(|character: char| character.is_whitespace() || matches!(character, '"' | '\''));
        words.filter(|word| !word.is_empty()).collect()
    })
}

fn is_program(word: &str, programs: &[&str]) -> bool {
    let name = word.rsplit(['/', '\\']).next().unwrap_or_default();
    programs.contains(&name.strip_suffix(".exe").unwrap_or(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn force_is_found_in_every_form() {
        for (command, word) in [
            ("git push --force origin main", "--force"),
            ("git -C /r push --force-with-lease", "--force-with-lease"),
            ("/usr/bin/git checkout -f main", "-f"),
            ("cd /r && git fetch -qf origin", "-qf"),
            ("git fetch origin +refs/pull/7/head:refs/pr/7", "+refs/pull/7/head:refs/pr/7"),
            ("sh -c 'git push -uf origin x'", "-uf"),
            ("env A=1 gh pr checkout 7 --force", "--force"),
            ("gh repo sync --force", "--force"),
        ] {
            assert_eq!(force(command), Some(word), "{command}");
        }
        let oid = "a".repeat(40);
        for fine in [
            checkout("/r/x-review-worktree", &oid).as_str(),
            diff(&oid, &oid).as_str(),
            "gh api graphql -f query=x",
            "grep -f patterns --force",
            "git log -1 --format=%H",
        ] {
            assert_eq!(force(fine), None, "{fine}");
        }
    }

    #[test]
    fn raw_sources_are_found_where_source_is_taken() {
        assert_eq!(raw_source("curl -sL https://x.example/a"), Some("curl"));
        assert_eq!(raw_source("sh -c \"/usr/bin/wget x\""), Some("/usr/bin/wget"));
        assert!(raw_source("git diff https://raw.githubusercontent.com/a/b").is_some());
        assert_eq!(raw_source("git worktree add --detach /r/curl-review-worktree abc"), None);
    }

    #[test]
    fn evidence_may_speak_of_downloads() {
        for raw in [
            "https://raw.githubusercontent.com/a/b/main/x.rs line 3",
            "`https://forge.example/a/b/-/raw/main/x.rs`",
            "curl https://x.example",
            "raw.githubusercontent.com/a/b",
        ] {
            assert!(is_raw_evidence(raw), "{raw}");
        }
        for free in ["src/fetch.rs:9 runs curl with --force", "https://forge.example/a/b/blob/main/x.rs", "the script calls curl"] {
            assert!(!is_raw_evidence(free), "{free}");
        }
    }

    #[test]
    fn an_unusual_path_is_one_word() {
        assert_eq!(checkout("/r/a b'c", "0"), r"git worktree add --detach '/r/a b'\''c' 0");
    }
}
