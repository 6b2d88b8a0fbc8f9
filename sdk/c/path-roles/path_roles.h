/* Path roles: says what part a path plays in the repository. */
#ifndef CODE_POLISHY_PATH_ROLES_H
#define CODE_POLISHY_PATH_ROLES_H

#include "code_polishy.h"

/* What cp.h says about each field holds. */
typedef exports_path_roles_path_fact_t cp_path_fact_t;
typedef exports_path_roles_list_path_fact_t cp_path_facts_t;
typedef exports_path_roles_option_role_t cp_answer_t;

/* What a path points at: `fact->kind`. A submodule is a gitlink. */
#define CP_FILE EXPORTS_PATH_ROLES_PATH_KIND_FILE
#define CP_LINK EXPORTS_PATH_ROLES_PATH_KIND_LINK
#define CP_GITLINK EXPORTS_PATH_ROLES_PATH_KIND_GITLINK

/* What is answered. */
typedef enum {
    /* Leaves the path to the next plugin. */
    CP_NO_ROLE = -1,
    CP_GENERATED = EXPORTS_PATH_ROLES_ROLE_GENERATED,
    CP_PRODUCT_INPUT = EXPORTS_PATH_ROLES_ROLE_PRODUCT_INPUT,
    CP_FIXTURE = EXPORTS_PATH_ROLES_ROLE_FIXTURE,
    CP_TEST = EXPORTS_PATH_ROLES_ROLE_TEST,
    CP_DEVELOPMENT = EXPORTS_PATH_ROLES_ROLE_DEVELOPMENT,
    CP_PLAN = EXPORTS_PATH_ROLES_ROLE_PLAN,
    CP_CHANGELOG = EXPORTS_PATH_ROLES_ROLE_CHANGELOG,
    CP_CURRENT_STATE_DOCUMENTATION = EXPORTS_PATH_ROLES_ROLE_CURRENT_STATE_DOCUMENTATION,
    CP_PRODUCTION_SOURCE = EXPORTS_PATH_ROLES_ROLE_PRODUCTION_SOURCE,
} cp_role_t;

/* --- plugin.c defines one of the two. --- */

/* The answer about one path, for plugins that need no others to give it. */
cp_role_t plugin_role(const cp_path_fact_t *fact, const cp_json_t *options);

/* `answers` has one for each path, each CP_NO_ROLE; cp_answer gives another. At most 100,000 paths; false is a failure, filled by cp_fail. */
bool plugin_classify(const cp_path_facts_t *paths, const cp_json_t *options, cp_answer_t *answers, cp_failure_t *failure);

/* --- Giving answers and reading facts. --- */

void cp_answer(cp_answer_t *answer, cp_role_t role);

/* The value of a `linguist-*` attribute; false when the path has none of this name. */
bool cp_attribute(const cp_path_fact_t *fact, const char *name, cp_string_t *value);

#endif
