//! Codes of the repository and the candidate in it.

codes! {
    "candidate.changed", "BR-58",
        "The candidate changed while it was looked at or tested",
        "Something committed, or wrote files, at the same time",
        "Make suites leave the repository alone, then try again";
    "candidate.dirty", "BR-42",
        "The candidate has uncommitted paths",
        "Work is not committed",
        "Commit or remove them";
    "candidate.tracks-reports", "BR-42",
        "The candidate tracks files of the tool's own folders",
        "They were added to git",
        "Remove them with `git rm --cached`, ignore the folder, and commit";
    "git.bad-id", "BR-7",
        "An id is not a full hexadecimal object id",
        "It was shortened or mistyped",
        "Give the full id";
    "git.bad-reference", "BR-7",
        "A reference has a form that none can have",
        "It is empty, begins with `-`, or has white space",
        "Name a branch, a tag or a commit";
    "git.bare-repository", "BR-83",
        "The repository has no work tree to review",
        "It is a bare one",
        "Run the command in a clone with a work tree";
    "git.files", "BR-83",
        "Files of the repository or of a worktree cannot be read, written or removed",
        "Rights do not allow it, the disk is full, or a program holds them",
        "Check rights and free space, then run the command again";
    "git.graph", "BR-24",
        "The commit graph cannot be read",
        "The repository is damaged, or partly fetched",
        "Check it with `git fsck`, or fetch it in full";
    "git.head", "BR-83",
        "HEAD cannot be read, or names no commit",
        "The repository is damaged",
        "Check it with `git status`";
    "git.index", "BR-26",
        "The index cannot be read",
        "It is damaged, or another git command was interrupted",
        "Check it with `git status`";
    "git.merge-in-progress", "BR-26",
        "A merge is not concluded",
        "Its conflicts or its commit are still due",
        "Conclude the merge, or give it up with `git merge --abort`";
    "git.no-merge-base", "BR-83",
        "The reference and HEAD have no commit in common",
        "They are of different histories, or the history was fetched in part",
        "Fetch the whole history, or name another base";
    "git.no-repository", "BR-6",
        "There is no git repository here",
        "The command was run elsewhere",
        "Run it in a repository, or name one with --repo";
    "git.object", "BR-83",
        "An object of the repository cannot be read",
        "The repository is damaged, or partly fetched",
        "Check it with `git fsck`, or fetch it in full";
    "git.path-in-the-way", "BR-56",
        "An evidence path lies below what is a file in the base",
        "A file became a folder",
        "Name evidence whose folders are folders in the base";
    "git.path-not-utf8", "BR-35",
        "A changed path is not UTF-8",
        "A file was named in another encoding",
        "Rename it, or leave it out of the change";
    "git.refs", "BR-83",
        "The branches, tags or remotes of the repository cannot be read",
        "A reference is damaged",
        "Check them with `git for-each-ref`";
    "git.settings", "BR-84",
        "The repository's settings for line ends or file systems cannot be read",
        "The configuration is damaged",
        "Check it with `git config --list`";
    "git.several-merge-bases", "BR-83",
        "The reference and HEAD have several merge bases",
        "The branches were merged crosswise",
        "Merge the reference into the branch, or name one of the merge bases";
    "git.unborn-head", "BR-83",
        "The repository has no commit yet",
        "It was just made",
        "Make a first commit";
    "git.unknown-reference", "BR-7",
        "A reference names no commit of this repository",
        "It is misspelled, or was not fetched",
        "Name a branch, a tag or a commit that is here";
    "git.unreadable-repository", "BR-84",
        "The repository cannot be opened",
        "Its configuration is damaged, or of a later git",
        "Check it with `git status`";
    "git.worktrees-inside-repository", "BR-57",
        "Disposable worktrees would lie inside the repository",
        "CODE_POLISHY_WORKTREES names a folder of it",
        "Choose a folder outside with CODE_POLISHY_WORKTREES";
}
