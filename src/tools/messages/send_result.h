#ifndef TOOLS_MESSAGES_SEND_RESULT_H
#define TOOLS_MESSAGES_SEND_RESULT_H
/* What the tools that send answer: one row, or one for each addressee. */
#include <stdint.h>

struct json_object;
struct post;
struct task;
struct tool_call;

/* Commits the post, waits for the platforms' answers at most wait_ms, all together (what comes later is told
 * by the gateway), and makes the result of it. */
struct json_object *send_and_report(
    struct task *t, const struct tool_call *call, const char *tool, struct post *p, uint64_t wait_ms);
/* The key that makes the same call, when it is made again, find its messages; malloc'd, NULL for none. */
char *send_idempotency_key(const struct tool_call *call);

#endif
