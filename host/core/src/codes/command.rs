//! Codes of command lines, places, files and processes, whatever the command.

codes! {
    "cwd.unreadable", "BR-6",
        "The working directory cannot be told",
        "It was removed or closed to you",
        "Run the command in a folder that exists";
    "demo.folder", "BR-6",
        "The demo cannot use the folder that was named",
        "It is not empty, or cannot be made",
        "Name a folder that is absent or empty";
    "demo.no-git", "BR-6",
        "The demo needs git, and there is none",
        "It is not installed, or is not on the search path",
        "Install git, then run the demo again";
    "demo.surprise", "BR-6",
        "A step of the demo ended otherwise than it should",
        "The system differs from what the demo expects",
        "Run the demo again with --keep, and look at what it leaves";
    "explain.unknown", "BR-6",
        "There is no code of this name",
        "It is misspelled",
        "Use one of the names that the message suggests";
    "init.exists", "BR-6",
        "The repository has a policy, which `init` never overwrites",
        "It was written before",
        "Edit the policy, or remove it to begin anew";
    "init.ignore-file", "BR-6",
        "The file `.gitignore` cannot be added to",
        "It is no regular file, is too large, or is not UTF-8",
        "Add the two folders of reports to it yourself";
    "init.unreadable", "BR-6",
        "A folder or the policy cannot be looked at",
        "Rights do not allow it",
        "Give yourself the right to read it";
    "init.write", "BR-6",
        "The policy or `.gitignore` cannot be written",
        "The disk is full, or rights do not allow it",
        "Make room or set rights, then run the command again";
    "interrupt.install", "BR-76",
        "The command cannot catch signals, so it could not clean up when interrupted",
        "The system or a sandbox does not allow signal handlers",
        "Run it where signal handlers are allowed";
    "interrupted", "BR-6",
        "The command was interrupted before it was done, and has cleaned up",
        "You or the system ended it",
        "Run the command again";
    "lock.failed", "BR-25",
        "A lock cannot be taken",
        "The file system has no advisory locks",
        "Put the repository on a file system with advisory locks";
    "output.unwritable", "BR-6",
        "The output cannot be written",
        "What reads it has ended, or the disk is full",
        "Run the command again with a reader that stays";
    "places.inside-repository", "BR-57",
        "The folder for disposable worktrees lies inside the repository",
        "CODE_POLISHY_WORKTREES names a folder of it",
        "Set CODE_POLISHY_WORKTREES to an absolute path outside the repository";
    "places.not-private", "BR-57",
        "A folder of the tool belongs to somebody else, or others may write to it",
        "Its owner or rights were changed, or the place is shared",
        "Own the folder and take the right to write from others";
    "places.relative", "BR-57",
        "A folder of the tool is named by a path that is not absolute",
        "The variable that the message names holds a relative path",
        "Set it to an absolute path, or unset it";
    "places.unusable", "BR-57",
        "A folder of the tool cannot be made or opened",
        "Rights do not allow it, or something else is in its place",
        "Make it writable, or choose another with CODE_POLISHY_CACHE or CODE_POLISHY_WORKTREES";
    "process.cannot-start", "BR-61",
        "A program cannot be started",
        "It is not installed, not on the search path, or not executable",
        "Install the program, or correct its name in the policy";
    "process.lost", "BR-61",
        "It cannot be learned how a program ended",
        "The system lost track of it",
        "Look at the process, then run the command again";
    "process.not-copied", "BR-77",
        "What a program prints cannot be kept",
        "The disk is full",
        "Make room, then run the command again";
    "schema.unknown", "BR-6",
        "There is no document of this name",
        "It is misspelled",
        "Use one of the names that the message lists";
    "store.full", "BR-79",
        "A record could not be written for want of space; its former content is still there",
        "The disk or the quota is full",
        "Free some space, then run the command again";
    "store.link", "BR-78",
        "A link stands where the tool keeps a folder or file of its own; its target was not touched",
        "Somebody put it there",
        "Remove the link, then run the command again";
    "store.name", "BR-78",
        "A name cannot be that of a record",
        "It holds other characters than letters, digits, `.`, `_` and `-`",
        "Use only these characters";
    "store.not-directory", "BR-78",
        "Something that is not a folder stands where the tool keeps one",
        "Somebody put it there",
        "Move it away, then run the command again";
    "store.not-regular", "BR-78",
        "Something that is not a regular file stands where the tool keeps one",
        "Somebody put it there",
        "Move it away, then run the command again";
    "store.system", "BR-78",
        "A record could not be read or written",
        "Rights or the file system do not allow it",
        "Give yourself access to the path that the message names, then run the command again";
    "store.too-large", "BR-80",
        "A record is larger than is read",
        "It was edited or replaced",
        "Bring it below its limit, or remove it and make it anew";
    "usage.conflict", "BR-6",
        "Two arguments of the command exclude each other",
        "Both were given",
        "Leave one of them out";
    "usage.invalid-value", "BR-6",
        "The value of an argument is not one that it takes",
        "It is misspelled or of another form",
        "Give one of the values that the message names";
    "usage.malformed", "BR-6",
        "The command line cannot be understood",
        "It was put together wrongly",
        "Run the command with --help and write it as shown";
    "usage.missing-argument", "BR-6",
        "An argument that the command needs is missing",
        "It was left out",
        "Add the argument that the message names";
    "usage.missing-subcommand", "BR-6",
        "The command needs the name of what it does",
        "Only its group was named",
        "Name one of the commands that --help lists";
    "usage.number-of-values", "BR-6",
        "An argument has more or fewer values than it takes",
        "A value was left out, or an unquoted space split one",
        "Give as many values as --help shows";
    "usage.unknown-argument", "BR-6",
        "The command has no argument of this name",
        "It is misspelled, or belongs to another command",
        "Use the name that the message suggests, or look at --help";
    "usage.unknown-command", "BR-6",
        "There is no command of this name",
        "It is misspelled",
        "Use the name that the message suggests, or look at --help";
}
