#ifndef TOOLS_PROMPT_FOLDER_WATCH_H
#define TOOLS_PROMPT_FOLDER_WATCH_H
/*
 * Tells whether folders have changed since they were read, with inotify(7): a watch reports the first change
 * in its folder and ends. What happened before a call of folder_watch_changes is reported by it.
 */
#include <stdbool.h>
#include <stddef.h>

#define FOLDER_WATCH_MAX 64

/* The watches of what was read together. */
struct folder_watch {
	int inotify;
	int ids[FOLDER_WATCH_MAX];
	size_t count;
	bool partial; /* a change could go unnoticed: read again each time */
};

/* Returns a descriptor, or -1 where there is none. */
int folder_watch_open(void);
/* Watches the folder of a descriptor, before it is read; else w becomes partial. Any thread. */
void folder_watch_add(struct folder_watch *w, int folder);
/* The file in the folder can change unnoticed when a link leads to it: w becomes partial. Any thread. */
void folder_watch_file(struct folder_watch *w, int folder, const char *name);
/* Calls fn with each watch that has ended since the last call; -1: any may have. */
typedef void folder_watch_fn(void *arg, int id);
void folder_watch_changes(int inotify, folder_watch_fn *fn, void *arg);
void folder_watch_end(int inotify, int id);

#endif
