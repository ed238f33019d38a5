#ifndef OPS_PROBE_H
#define OPS_PROBE_H
/* Tests whether every configured platform and model provider accepts the configured credentials. Changes
 * nothing there. */
#include <stddef.h>

struct gateway_config;
struct json_object;
struct task;

/* Appends an object for each: {"about", "ok", "kind" of error unless ok, "text"}; the text is what was found,
 * or what to do, and may be "". Returns how many refused or did not answer. Suspends. */
size_t probe_all(struct task *t, const struct gateway_config *gc, struct json_object *list);

#endif
