#ifndef TOOLS_MESSAGES_SEND_RESULT_H
#define TOOLS_MESSAGES_SEND_RESULT_H
/* The results of tools that send: one delivery, or one per recipient. */
#include <stdint.h>

struct json_object;
struct post;
struct task;
struct tool_call;

/* Commits the post, waits up to wait_ms for all outcomes (the gateway reports later ones), and returns the
 * result. */
struct json_object *send_and_report(
    struct task *t, const struct tool_call *call, const char *tool, struct post *p, uint64_t wait_ms);
/* Returns the idempotency key of the call's messages; malloc'd, NULL for none. */
char *send_idempotency_key(const struct tool_call *call);

#endif
