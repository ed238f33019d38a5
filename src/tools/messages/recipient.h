#ifndef TOOLS_MESSAGES_RECIPIENT_H
#define TOOLS_MESSAGES_RECIPIENT_H
/*
 * Where a call wants to send, and whether it may: channel, chat_id and thread, or a target. Without
 * a listing under targets a call writes to its own chat only, in whatever thread of it; the operator
 * at the terminal may write anywhere.
 */
#include <stddef.h>

struct address;
struct json_object;
struct tool_call;

/* A malloc'd list, or NULL with the failure to answer. */
struct address *recipients_find(const struct tool_call *call, const char *tool, struct json_object *args,
    size_t *count, struct json_object **failure);
/* The failure for an addressee that does not exist: what says so, in a sentence or without its full stop. */
struct json_object *recipient_unknown(const struct tool_call *call, const char *tool, const char *what);

#endif
