#ifndef TOOLS_FILES_WORKSPACE_MOVE_H
#define TOOLS_FILES_WORKSPACE_MOVE_H
/*
 * Moves the files of a workspace when tools.workspace_scope changes: from one for all to folders of chats,
 * and back. Nothing is replaced or deleted: what has its name there already stays, and is reported. For the
 * command line, after tools_open; also while the gateway runs. All functions block.
 */
#include <stdbool.h>
#include <stddef.h>

struct address;
struct config_strings;
struct json_object;
struct tools;

/* Appends {"kind", "whose", "files", "bytes", "path"} for each folder of a chat or a person. */
void workspace_list(const struct tools *ts, struct json_object *out);
/* Gives the folders of incoming files to their chats (channels: those of the configuration), and the rest to
 * the chat to, or to nobody when that is NULL. Appends {"from", "to", "problem"} for each step, without "to"
 * for what stays and without "problem" for what can be moved; with apply it is. Returns how many failed. */
size_t workspace_move(const struct tools *ts, const struct config_strings *channels, const struct address *to,
    bool apply, struct json_object *out);
/* Moves the folders of chats and people up into the workspace that all share; as above. */
size_t workspace_share(const struct tools *ts, bool apply, struct json_object *out);
/* Returns what does not fit tools.workspace_scope, with advice; NULL when all does. */
const char *workspace_problem(const struct tools *ts);

#endif
