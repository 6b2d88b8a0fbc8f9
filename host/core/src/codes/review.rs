//! Codes of packets, results and receipts of a review.

codes! {
    "marker.malformed", "BR-46",
        "The record beside the packet is not JSON of its shape",
        "It was edited or cut off",
        "Run `code-polishy behavior-review prepare` again";
    "packet.document", "BR-46",
        "A design document of the packet cannot be used",
        "It is too large, not UTF-8, or no regular file",
        "Mend the document, and commit";
    "packet.malformed", "BR-46",
        "The packet is not JSON of its shape",
        "It was edited or cut off",
        "Run `code-polishy behavior-review prepare` again";
    "packet.none", "BR-54",
        "No review is prepared",
        "`prepare` was not run for this change",
        "Run `code-polishy behavior-review prepare`";
    "packet.stale", "BR-46",
        "The packet is not the one of the present candidate",
        "Commits, the policy or the requests changed since",
        "Run `code-polishy behavior-review prepare` again";
    "packet.too-large", "BR-43",
        "The packet would be larger than a reviewer is given",
        "The change is big, or has generated files",
        "Split the change, or exclude generated files at the base";
    "receipt.malformed", "BR-65",
        "The receipt is not JSON of its shape",
        "It was edited or cut off",
        "Run `code-polishy behavior-review finalize` again";
    "receipt.refused", "BR-65",
        "The receipt is not what the review gives now",
        "Commits, proofs or the policy changed since, or it was edited",
        "Finalize again, or prepare a new review";
    "receipt.version", "BR-65",
        "The receipt is of a version that is not read",
        "It was written by another version of the tool",
        "Run `code-polishy behavior-review finalize` again";
    "result.bad-proof-id", "BR-55",
        "The id of a cited proof has characters that no id has",
        "It is misspelled",
        "Write the id as `regression-proof` printed it";
    "result.bad-value", "BR-48",
        "A value is not one of the words that its key takes",
        "It is misspelled",
        "Use the word that the hint names";
    "result.bidirectional-control", "BR-48",
        "A summary has characters that change the direction of text",
        "It was pasted",
        "Write it without them";
    "result.blank", "BR-48",
        "A text is blank",
        "It was left out",
        "Write it";
    "result.control-character", "BR-48",
        "A text has control characters",
        "It was pasted from a terminal",
        "Write plain text";
    "result.duplicate-finding", "BR-48",
        "The same finding stands twice",
        "It was copied",
        "Ask the reviewer for a result without it";
    "result.duplicate-key", "BR-4",
        "An object has a key twice",
        "It was copied",
        "Remove one of the two";
    "result.duplicate", "BR-5",
        "An element stands twice",
        "It was copied",
        "Remove one of the two";
    "result.feature-unproved", "BR-50",
        "A feature of a requested behavior has no proof by one of its suites",
        "The proof is of another suite",
        "Cite a proof whose suite the feature declares";
    "result.final-state-finding", "BR-53",
        "The reviewer reports something in the final state that must be mended",
        "The candidate has it",
        "Report it to the caller, mend the candidate, and review it again";
    "result.finding", "BR-53",
        "The reviewer reports a finding",
        "The candidate has it",
        "Report it to the caller, mend the candidate, and review it again";
    "result.foreign-hunk", "BR-51",
        "A finding names a hunk that does not belong to its path",
        "A digest was copied wrongly",
        "Ask the reviewer for a corrected result";
    "result.line-outside-hunk", "BR-51",
        "A finding names a line outside its hunk",
        "The line was counted in another version",
        "Ask the reviewer for a corrected result";
    "result.missing-key", "BR-48",
        "A key that must be there is missing",
        "It was left out",
        "Add it; every key is required";
    "result.no-behaviors", "BR-48",
        "The result records no behavior",
        "It was left empty",
        "Record at least one observable behavior";
    "result.none", "BR-47",
        "The reviewer's result is not there",
        "The packet was not reviewed, or its answer not saved",
        "Give the packet to an isolated reviewer, and save its answer at the path of the message";
    "result.not-json", "BR-4",
        "The result is not JSON",
        "The answer has text around its object, or was cut off",
        "Save the JSON object alone";
    "result.out-of-range", "BR-48",
        "A number is not in its range",
        "It is too small, too large, or no integer",
        "Write a number in the range of the message";
    "result.proof-missing", "BR-62",
        "A cited proof is not recorded",
        "It was not made, or its id is misspelled",
        "Record it with `code-polishy regression-proof`, or cite another";
    "result.proof-suite", "BR-50",
        "A cited proof is of a suite that no feature of the behavior declares",
        "Another suite was used",
        "Prove the behavior with a suite that the feature declares";
    "result.requested-without-proof", "BR-50",
        "A requested behavior cites no proof",
        "None was made, or it was not cited",
        "Ask the reviewer for a result that cites one";
    "result.scope", "BR-49",
        "The scope of a behavior is not one that was selected",
        "It names features and the full candidate at once, none, or what was not selected",
        "Ask the reviewer for a corrected result";
    "result.stale", "BR-52",
        "The result is of another packet",
        "The candidate changed, or an older answer was saved",
        "Give the reviewer the current packet, and save its answer";
    "result.too-large", "BR-47",
        "The result is larger than is read",
        "More than what blocks was reported",
        "Have the reviewer report only what blocks";
    "result.too-long", "BR-48",
        "A text is longer than it may be",
        "It tells more than one thing",
        "Say it shorter";
    "result.too-many", "BR-48",
        "A list holds more than it may",
        "Every trifle was reported",
        "Report the most severe ones";
    "result.uncovered-candidate", "BR-49",
        "The full candidate is selected, and no behavior covers it",
        "It was left out",
        "Ask the reviewer for a complete result";
    "result.uncovered-feature", "BR-49",
        "A selected feature is covered by no behavior",
        "It was left out",
        "Ask the reviewer for a complete result";
    "result.unintended", "BR-53",
        "The reviewer reports a behavior that nobody asked for",
        "The candidate does more than the request",
        "Report it to the caller, mend the candidate, and review it again";
    "result.unknown-behavior", "BR-53",
        "The reviewer cannot tell whether a behavior was asked for",
        "The request does not say",
        "Report it to the caller, who can capture a correction";
    "result.unknown-intent", "BR-48",
        "A behavior names an intent that is not in the packet",
        "An id was copied wrongly",
        "Ask the reviewer for a corrected result";
    "result.unknown-key", "BR-48",
        "A key is not known",
        "It is misspelled, or of another version",
        "Use the key that the hint names, or remove it";
    "result.unknown-path", "BR-51",
        "A finding names a path that is not in the packet",
        "It is misspelled, or was not changed",
        "Ask the reviewer for a corrected result";
    "result.unselected-feature", "BR-49",
        "A behavior names a feature that is not selected",
        "It was copied from another review",
        "Ask the reviewer for a corrected result";
    "result.unusable", "BR-47",
        "The file of the result cannot be used",
        "It is a link, no regular file, or too large",
        "Save the reviewer's JSON object as a regular file";
    "result.wrong-type", "BR-48",
        "A value is of another type than its key takes",
        "A text was written for a number, or the like",
        "Write the type that the message names";
    "review.refused", "BR-53",
        "The review of this candidate has a refused result, and takes no other",
        "A reviewer reported findings",
        "Report the findings to the caller; another review needs its authorization";
}
