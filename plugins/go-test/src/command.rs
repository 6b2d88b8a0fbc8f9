//! What a `go test` command says: whether `-json` can be appended, and which packages are tested.

/// Flags of `go test` whose value is the next word.
const VALUED: [&str; 43] = [
    "C",
    "asmflags",
    "bench",
    "benchtime",
    "blockprofile",
    "blockprofilerate",
    "buildmode",
    "compiler",
    "count",
    "covermode",
    "coverpkg",
    "coverprofile",
    "cpu",
    "cpuprofile",
    "exec",
    "fuzz",
    "fuzzminimizetime",
    "fuzztime",
    "gccgoflags",
    "gcflags",
    "installsuffix",
    "ldflags",
    "list",
    "memprofile",
    "memprofilerate",
    "mod",
    "modfile",
    "mutexprofile",
    "mutexprofilefraction",
    "o",
    "outputdir",
    "overlay",
    "p",
    "parallel",
    "pgo",
    "pkgdir",
    "run",
    "shuffle",
    "skip",
    "tags",
    "timeout",
    "toolexec",
    "vet",
];

/// Flags of `go test` that stand alone.
const ALONE: [&str; 24] = [
    "a",
    "artifacts",
    "asan",
    "benchmem",
    "buildvcs",
    "c",
    "cover",
    "failfast",
    "fullpath",
    "i",
    "json",
    "linkshared",
    "modcacherw",
    "msan",
    "n",
    "race",
    "short",
    "trimpath",
    "v",
    "work",
    "x",
    "test.v",
    "test.short",
    "test.failfast",
];

/// A `go test` command.
#[derive(Debug, PartialEq, Eq)]
pub struct Command<'a> {
    /// `-json` is not there yet, and go reads it when it is appended.
    pub takes_json: bool,
    /// The packages; none for the one in the folder.
    pub packages: Vec<&'a str>,
    /// The folder of `-C`, relative to the suite's.
    pub folder: Option<&'a str>,
}

impl<'a> Command<'a> {
    /// `None` for another command, such as a script that runs `go test`.
    pub fn read(argv: &'a [String]) -> Option<Self> {
        let (program, words) = argv.split_first()?;
        let mut words = words.iter().map(String::as_str);
        let mut command = Self { takes_json: true, packages: Vec::new(), folder: None };
        let mut verb = words.next()?;
        if verb == "-C" {
            command.folder = Some(words.next()?);
            verb = words.next()?;
        }
        (program.rsplit('/').next() == Some("go") && verb == "test").then_some(())?;
        command.arguments(words);
        Some(command)
    }

    /// Go reads its flags up to `-args`, and up to a word behind the packages that is no flag: those belong to the tests.
    fn arguments(&mut self, mut words: impl Iterator<Item = &'a str>) {
        let mut behind = false;
        while let Some(word) = words.next() {
            let Some(flag) = word.strip_prefix('-').filter(|flag| !flag.is_empty()) else {
                if behind {
                    self.takes_json = false;
                    return;
                }
                self.packages.push(word);
                continue;
            };
            let flag = flag.strip_prefix('-').unwrap_or(flag);
            let (name, value) = flag.split_once('=').map_or((flag, None), |(name, value)| (name, Some(value)));
            // What go does not know is a flag of the tests, and the packages are over.
            behind |= !self.packages.is_empty() || !(VALUED.contains(&name) || ALONE.contains(&name));
            match name {
                "args" => {
                    self.takes_json = false;
                    return;
                }
                "json" => self.takes_json = false,
                _ if value.is_none() && VALUED.contains(&name) => match words.next() {
                    Some(value) if name == "C" => self.folder = Some(value),
                    Some(_) => {}
                    None => self.takes_json = false,
                },
                "C" => self.folder = value,
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(command: &str) -> Vec<String> {
        command.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn json_is_added_where_go_reads_it() {
        for command in [
            "go test",
            "go test ./...",
            "/usr/local/go/bin/go test -run A -v ./a ./b -count 1",
            "go -C sub test ./...",
            "go test -update=1",
        ] {
            assert!(Command::read(&words(command)).expect(command).takes_json, "{command}");
        }
        for command in [
            "go test -json ./...",
            "go test --json=false ./...",
            "go test ./... -args -x",
            "go test ./... --args",
            "go test ./... -update golden",
            "go test -update ./...",
            "go test ./a -v ./b",
            "go test ./... -run",
        ] {
            assert!(!Command::read(&words(command)).expect(command).takes_json, "{command}");
        }
        for command in ["go vet ./...", "gotestsum --format=standard-verbose", "make test", "go", "go -C sub", ""] {
            assert_eq!(Command::read(&words(command)), None, "{command}");
        }
    }

    #[test]
    fn packages_and_folder_are_read() {
        let read = |command: &str| {
            let words = words(command);
            let command = Command::read(&words).expect("go test");
            (command.packages.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>(), command.folder.map(str::to_owned))
        };
        assert_eq!(read("go test -run A ./a ./b/... -v"), (vec!["./a".to_owned(), "./b/...".to_owned()], None));
        assert_eq!(read("go -C sub test"), (vec![], Some("sub".to_owned())));
        assert_eq!(read("go test -C=sub ."), (vec![".".to_owned()], Some("sub".to_owned())));
        assert_eq!(read("go test -C sub ."), (vec![".".to_owned()], Some("sub".to_owned())));
    }
}
