#ifndef TOOLS_MESSAGES_RECIPIENT_H
#define TOOLS_MESSAGES_RECIPIENT_H
/*
 * The recipients of a call (channel, chat_id and thread, or a target), and whether it may write to them.
 * Without an entry in targets a call writes only to its own chat, in any of its threads; the operator at
 * the terminal may write anywhere.
 */
#include <stddef.h>

struct address;
struct json_object;
struct tool_call;

/* Returns a malloc'd list, or NULL with the failure to answer. */
struct address *recipients_find(const struct tool_call *call, const char *tool, struct json_object *args,
    size_t *count, struct json_object **failure);
/* Returns the failure for an unknown recipient; what is a sentence with or without its full stop. */
struct json_object *recipient_unknown(const struct tool_call *call, const char *tool, const char *what);

#endif
