#ifndef CHAT_HISTORY_H
#define CHAT_HISTORY_H
/*
 * The input history: $XDG_STATE_HOME/myna/chat_history (else ~/.local/state), mode 0600, one message a
 * line, the newest CHAT_HISTORY_MAX. A small file, read and written on the loop's thread.
 */
#include <stddef.h>

#define CHAT_HISTORY_MAX 1000

/* malloc'd; NULL when the environment names no directory. */
char *chat_history_path(void);
/* Calls take with each message, oldest first; no effect without a file. Truncates a file that is too long. */
void chat_history_load(const char *path, void (*take)(void *arg, const char *text), void *arg);
/* Appends a message; ignores failures. */
void chat_history_add(const char *path, const char *text);

#endif
