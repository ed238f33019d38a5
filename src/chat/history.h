#ifndef CHAT_HISTORY_H
#define CHAT_HISTORY_H
/*
 * What was typed before: $XDG_STATE_HOME/myna/chat_history (else ~/.local/state), mode 0600, a message a
 * line, of which the newest CHAT_HISTORY_MAX are kept. Small files, read and written where one types.
 */
#include <stddef.h>

#define CHAT_HISTORY_MAX 1000

/* malloc'd; NULL when there is no place for it. */
char *chat_history_path(void);
/* Calls take with each message, oldest first. A file that grew too long is cut. Nothing happens when there is
 * none. */
void chat_history_load(const char *path, void (*take)(void *arg, const char *text), void *arg);
/* Appends one; what cannot be written is not kept. */
void chat_history_add(const char *path, const char *text);

#endif
