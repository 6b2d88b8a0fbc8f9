//! Codes of regression proofs.

codes! {
    "proof.base", "BR-55",
        "The base of a proof does not lie between the review's base and the candidate",
        "Another commit was named, or history changed",
        "Name the commit before the fix, at or after the review base";
    "proof.case-missing", "BR-60",
        "A case of the red run is missing in the green run",
        "It was renamed or removed",
        "Keep the name of every case between base and candidate";
    "proof.control-red", "BR-59",
        "The base does not pass without the evidence",
        "The suite fails there for another reason",
        "Choose a base whose suite passes, or evidence that alone makes it fail";
    "proof.evidence-path", "BR-56",
        "A path of the evidence is named twice or cannot be one",
        "It is misspelled",
        "Name each path once, as the repository has it";
    "proof.evidence", "BR-56",
        "A path of the evidence is none, or is not what was recorded",
        "It is no test, development or fixture file, or changed since",
        "Name tests, development files or fixtures of the candidate, and record the proof again";
    "proof.id-in-use", "BR-55",
        "A proof of this id is recorded",
        "It was made before",
        "Choose another id, or pass --replace";
    "proof.id", "BR-55",
        "The id of a proof cannot be used",
        "It is empty, too long, or has other characters",
        "Use 1 to 80 of letters, digits, `.`, `_` and `-`, a letter or digit first";
    "proof.inconsistent", "BR-62",
        "The record of a proof contradicts itself",
        "It was edited",
        "Record the proof again with --replace";
    "proof.log", "BR-62",
        "A log of a proof is missing or not the recorded one",
        "It was removed or edited",
        "Record the proof again with --replace";
    "proof.malformed", "BR-62",
        "The record of a proof is not JSON of its shape",
        "It was edited or cut off",
        "Record the proof again with --replace";
    "proof.not-green", "BR-59",
        "The candidate does not pass",
        "The change does not mend what the evidence shows",
        "Mend the candidate, commit, and prepare the review again";
    "proof.not-red", "BR-59",
        "The base does not fail with the evidence",
        "The evidence shows nothing that the change mends",
        "Give evidence that fails before the change";
    "proof.nothing-flipped", "BR-60",
        "No case that fails at the base passes at the candidate",
        "The failing case is another one, or the runner cannot see it",
        "Give evidence whose failing case the change turns green";
    "proof.red-exit", "BR-59",
        "The base fails with another exit status than expected",
        "Another failure came first",
        "Pass --red-exit if that is the failure you mean";
    "proof.red-kind", "BR-59",
        "The base fails in a way that the policy does not allow",
        "The evidence does not build or load there",
        "Write evidence that builds at the base, and fails there";
    "proof.replay", "BR-63",
        "The replay of a proof shows something else than its record",
        "A suite depends on more than the sources",
        "Find out why it differs, mend the candidate, and review it again";
    "proof.stale", "BR-62",
        "The proof belongs to another review, candidate or selection",
        "Something was committed since",
        "Record the proof again with --replace";
    "proof.suite", "BR-18",
        "The suite of a proof cannot serve, or has changed since",
        "Another suite was named, or the policy changed",
        "Name a suite that a selected feature declares";
    "proof.version", "BR-62",
        "The record of a proof is of a version that is not read",
        "It was written by another version of the tool",
        "Record the proof again with --replace";
}
