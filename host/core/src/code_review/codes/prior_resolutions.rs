//! Codes of the step `prior-resolutions`.

codes! {
    PRIOR_RESOLUTIONS_MISSING: SupplyEvidence, "prior-resolutions-missing",
        "The record of what was decided earlier is not in the run",
        "The earlier run was not named or its record was removed",
        "Record the earlier decisions again";
    PRIOR_RESOLUTIONS_NOT_DELIVERED: SupplyEvidence, "prior-resolutions-not-delivered",
        "A reviewer did not get what was decided earlier",
        "The brief was written without it",
        "Give it to the reviewer and record the answer";
    PRIOR_RESOLUTION_REREPORTED_WITHOUT_EVIDENCE: SupplyEvidence, "prior-resolution-rereported-without-evidence",
        "A finding that was settled comes again without new evidence",
        "The reviewer repeated it",
        "Add what is new, or leave the finding out";
    PRIOR_RESOLUTION_DISPOSITION_MISSING: RepairCopy, "prior-resolution-disposition-missing",
        "An earlier decision is not answered in the result",
        "It was overlooked",
        "Say for each earlier decision what became of it";
    PRIOR_RESOLUTIONS_NEWER: Warning, "prior-resolutions-newer",
        "There are newer earlier decisions than the run used",
        "Another review ended meanwhile",
        "Read the newer decisions before you rely on this review";
}
