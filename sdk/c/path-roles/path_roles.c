#include "path_roles.h"

__attribute__((weak)) cp_role_t plugin_role(const cp_path_fact_t *fact, const cp_json_t *options) {
    (void)fact, (void)options;
    return CP_NO_ROLE;
}

__attribute__((weak)) bool plugin_classify(const cp_path_facts_t *paths, const cp_json_t *options, cp_answer_t *answers,
                                           cp_failure_t *failure) {
    (void)failure;
    for (size_t path = 0; path < paths->len; path++)
        cp_answer(&answers[path], plugin_role(&paths->ptr[path], options));
    return true;
}

bool exports_path_roles_classify(cp_path_facts_t *paths, cp_string_t *text, exports_path_roles_list_option_role_t *answers,
                                 cp_failure_t *failure) {
    const cp_json_t *options;
    *answers = (exports_path_roles_list_option_role_t){cp_allocate(paths->len * sizeof *answers->ptr), paths->len};
    return cp_read_options(*text, &options, failure) && plugin_classify(paths, options, answers->ptr, failure);
}

void cp_answer(cp_answer_t *answer, cp_role_t role) {
    answer->is_some = role != CP_NO_ROLE;
    answer->val = answer->is_some ? (exports_path_roles_role_t)role : 0;
}

bool cp_attribute(const cp_path_fact_t *fact, const char *name, cp_string_t *value) {
    for (size_t attribute = 0; attribute < fact->attributes.len; attribute++) {
        if (cp_equals(fact->attributes.ptr[attribute].name, name)) {
            *value = fact->attributes.ptr[attribute].value;
            return true;
        }
    }
    return false;
}
