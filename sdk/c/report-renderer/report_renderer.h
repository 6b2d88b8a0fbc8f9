/* A report renderer: draws a finished report. It changes neither the report nor an exit status. */
#ifndef CODE_POLISHY_REPORT_RENDERER_H
#define CODE_POLISHY_REPORT_RENDERER_H

#include "code_polishy.h"

typedef exports_report_renderer_list_artifact_t cp_artifacts_t;

/* --- What plugin.c defines. --- */

/* Adds at least one and at most 64 artifacts. `report` is a `code-polishy-report/v1` document; read it leniently, because a later minor
 * version may add keys. False is a failure, filled by cp_fail. */
bool plugin_render(const cp_json_t *report, const cp_json_t *options, cp_artifacts_t *artifacts, cp_failure_t *failure);

/* --- Filling the answer. --- */

/* A file: `name` is a relative path of at most 4 segments of `A-Za-z0-9._-`, none starting with `.`; the media type is such as
 * `text/html; charset=utf-8`. */
void cp_add_artifact(cp_artifacts_t *artifacts, const char *name, const char *media_type, cp_string_t content);

#endif
