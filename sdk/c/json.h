/* JSON as the host gives it: options and reports. */
#ifndef CODE_POLISHY_JSON_H
#define CODE_POLISHY_JSON_H

#include "cp.h"

typedef enum {
    CP_JSON_NULL,
    CP_JSON_FALSE,
    CP_JSON_TRUE,
    CP_JSON_NUMBER,
    CP_JSON_STRING,
    CP_JSON_ARRAY,
    CP_JSON_OBJECT,
} cp_json_type_t;

typedef struct cp_json cp_json_t;

/* One value, with everything in it. */
struct cp_json {
    cp_json_type_t type;
    /* Its name, as a member of an object. */
    cp_string_t name;
    /* A string's text; a number as it is written. */
    cp_string_t text;
    /* The elements of an array or the members of an object, in their order. */
    cp_json_t *items;
    size_t length;
};

/* The whole text as one value; NULL, and why in `fault`, for what is no JSON or deeper than 128 values. */
const cp_json_t *cp_json_read(cp_string_t text, const char **fault);

/* The member of this name, or a null when the value is no object or has none: calls can be chained. Never NULL. */
const cp_json_t *cp_json_get(const cp_json_t *value, const char *name);

/* A string's text, or a copy of `otherwise`. */
cp_string_t cp_json_text(const cp_json_t *value, const char *otherwise);

/* A number, or `otherwise`. */
double cp_json_number(const cp_json_t *value, double otherwise);

#endif
