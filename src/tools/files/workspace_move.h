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
struct buf;
struct config_strings;
struct tools;

/* Appends a line for each folder of a chat or a person: whose it is, its files and bytes. */
void workspace_list(const struct tools *ts, struct buf *out);
/* Gives the folders of incoming files to their chats (channels: those of the configuration), and the rest to
 * the chat to, or to nobody when that is NULL. Appends a line for each step; with apply it is made. Returns
 * how many steps failed. */
size_t workspace_move(const struct tools *ts, const struct config_strings *channels, const struct address *to,
    bool apply, struct buf *out);
/* Moves the folders of chats and people up into the workspace that all share; as above. */
size_t workspace_share(const struct tools *ts, bool apply, struct buf *out);
/* Returns what does not fit tools.workspace_scope, with advice; NULL when all does. */
const char *workspace_problem(const struct tools *ts);

#endif
