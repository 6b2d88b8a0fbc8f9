//! Who a repository is: the host and the name in the address of a pull request and in the address of a remote (CR-39).

/// A repository of a forge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repository {
    /// In lower case, with a port that is not the scheme's own.
    pub host: String,
    /// `owner/name`, or more segments where a forge has groups.
    pub name: String,
}

/// The address of a pull request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PullAddress {
    /// The base repository.
    pub repository: Repository,
    /// From 1.
    pub number: u64,
}

/// A pull request as a caller names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PullTarget {
    /// `7` or `#7`: in the repository of the selected remote.
    Number(u64),
    /// Its whole address.
    Address(PullAddress),
}

/// What stands between the repository and the number, by forge.
const PULLS: [&[&str]; 4] = [&["-", "merge_requests"], &["pull"], &["pulls"], &["pull-requests"]];

impl PullAddress {
    /// Reads `https://<host>/<owner>/<name>/pull/<number>`, or what other forges write for it. A query, a fragment, credentials and a part
    /// of the pull request are refused: an identity has one spelling.
    pub fn read(url: &str) -> Option<Self> {
        let (host, path) = url.strip_prefix("https://")?.split_once('/')?;
        if path.contains(['?', '#']) || host.contains('@') {
            return None;
        }
        let (rest, number) = path.rsplit_once('/')?;
        let number = pull_number(number)?;
        let segments: Vec<&str> = rest.split('/').collect();
        let name = PULLS.iter().find_map(|infix| segments.strip_suffix(*infix))?;
        Some(Self { repository: Repository { host: host_name(host, "443")?, name: repository_name(name)? }, number })
    }
}

impl PullTarget {
    /// Reads a number from 1, with or without `#`, or an address.
    pub fn read(target: &str) -> Option<Self> {
        match pull_number(target.strip_prefix('#').unwrap_or(target)) {
            Some(number) => Some(Self::Number(number)),
            None => PullAddress::read(target).map(Self::Address),
        }
    }

    /// The number that it names.
    pub fn number(&self) -> u64 {
        match self {
            Self::Number(number) | Self::Address(PullAddress { number, .. }) => *number,
        }
    }

    /// It means this pull request.
    pub fn names(&self, address: &PullAddress) -> bool {
        match self {
            Self::Number(number) => *number == address.number,
            Self::Address(named) => named == address,
        }
    }
}

fn pull_number(text: &str) -> Option<u64> {
    let plain = !text.starts_with('0') && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| plain)
}

impl Repository {
    /// Reads the address of a remote: `https`, `http`, `ssh`, `git`, and `user@host:path`. Local paths are no repository of a forge.
    pub fn of_remote(url: &str) -> Option<Self> {
        let (host, path) = match url.split_once("://") {
            Some((scheme, rest)) => {
                let (authority, path) = rest.split_once('/')?;
                let host = authority.rsplit('@').next()?;
                let host = match scheme {
                    "https" => host_name(host, "443")?,
                    "http" => host_name(host, "80")?,
                    // The port of a shell says nothing about the address of the pages.
                    "ssh" | "git" | "git+ssh" => host_name(host.split(':').next()?, "")?,
                    _ => return None,
                };
                (host, path)
            }
            None => {
                let (account, path) = url.split_once(':')?;
                let host = account.rsplit('@').next()?;
                (host_name(host, "")?, path.trim_start_matches('/'))
            }
        };
        let path = path.trim_end_matches('/');
        let segments: Vec<&str> = path.strip_suffix(".git").unwrap_or(path).split('/').collect();
        Some(Self { host, name: repository_name(&segments)? })
    }
}

/// The address of a remote without its credentials: what a record may keep.
pub fn without_credentials(url: &str) -> String {
    match url.split_once("://") {
        Some((scheme, rest)) => {
            let end = rest.find('/').unwrap_or(rest.len());
            let (authority, path) = rest.split_at(end);
            let host = authority.rsplit('@').next().unwrap_or_default();
            let path = path.split(['?', '#']).next().unwrap_or_default();
            format!("{scheme}://{host}{path}")
        }
        None => match url.split_once('@') {
            Some((_, rest)) => rest.to_owned(),
            None => url.to_owned(),
        },
    }
}

fn host_name(host: &str, own_port: &str) -> Option<String> {
    let host = host.to_ascii_lowercase();
    let host = host.strip_suffix(&format!(":{own_port}")).unwrap_or(&host);
    let legal = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b':');
    (!host.is_empty() && host.bytes().all(legal)).then(|| host.to_owned())
}

fn repository_name(segments: &[&str]) -> Option<String> {
    let legal = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_' | b'~');
    let named = |segment: &&str| !segment.is_empty() && !matches!(*segment, "." | "..") && segment.bytes().all(legal);
    (segments.len() >= 2 && segments.iter().all(named)).then(|| segments.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn repository(host: &str, name: &str) -> Repository {
        Repository { host: host.to_owned(), name: name.to_owned() }
    }

    #[test]
    fn addresses_of_pull_requests_name_repository_and_number() {
        for (url, host, name, number) in [
            ("https://forge.example/acme/tool/pull/12", "forge.example", "acme/tool", 12),
            ("https://Forge.Example:443/acme/tool/pulls/3", "forge.example", "acme/tool", 3),
            ("https://forge.example:8443/group/sub/tool/-/merge_requests/7", "forge.example:8443", "group/sub/tool", 7),
        ] {
            assert_eq!(PullAddress::read(url), Some(PullAddress { repository: repository(host, name), number }), "{url}");
        }
        for wrong in [
            "http://forge.example/acme/tool/pull/1",
            "https://forge.example/acme/tool/pull/01",
            "https://forge.example/acme/tool/pull/1/files",
            "https://forge.example/acme/tool/pull/1?w=1",
            "https://forge.example/acme/tool/issues/1",
            "https://forge.example/tool/pull/1",
            "https://mira@forge.example/acme/tool/pull/1",
            "https://forge.example/acme/../pull/1",
        ] {
            assert_eq!(PullAddress::read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_target_names_one_pull_request() {
        let address = |url: &str| PullAddress::read(url).expect("an address");
        let seven = address("https://forge.example/acme/tool/pull/7");
        for target in ["7", "#7", "https://FORGE.example/acme/tool/pull/7"] {
            assert!(PullTarget::read(target).is_some_and(|target| target.number() == 7 && target.names(&seven)), "{target}");
        }
        for other in ["8", "https://forge.example/acme/other/pull/7"] {
            assert!(PullTarget::read(other).is_some_and(|target| !target.names(&seven)), "{other}");
        }
        for wrong in ["", "#", "0", "07", "+7", "7 8", "##7", "main", "https://forge.example/acme/tool"] {
            assert_eq!(PullTarget::read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn remotes_of_every_form_are_the_same_repository() {
        for url in [
            "https://forge.example/acme/tool.git",
            "https://mira:secret@forge.example/acme/tool",
            "ssh://git@forge.example:2222/acme/tool.git",
            "git@FORGE.example:acme/tool.git",
            "forge.example:/acme/tool/",
            "git://forge.example/acme/tool.git",
        ] {
            assert_eq!(Repository::of_remote(url), Some(repository("forge.example", "acme/tool")), "{url}");
        }
        for local in ["/srv/tool.git", "../tool", "file:///srv/acme/tool", "https://forge.example/tool"] {
            assert_eq!(Repository::of_remote(local), None, "{local}");
        }
    }

    #[test]
    fn credentials_are_not_kept() {
        for (url, kept) in [
            ("https://mira:secret@forge.example/acme/tool.git?key=secret", "https://forge.example/acme/tool.git"),
            ("https://secret@forge.example/acme/tool", "https://forge.example/acme/tool"),
            ("git@forge.example:acme/tool.git", "forge.example:acme/tool.git"),
            ("/srv/tool.git", "/srv/tool.git"),
        ] {
            assert_eq!(without_credentials(url), kept);
        }
    }
}
