#ifndef PLAYGROUND_SERVER_FEED_H
#define PLAYGROUND_SERVER_FEED_H
/*
 * The change feed for pages: a ring of marks that say what changed. The content is written when a reader
 * takes a mark, so a slow reader costs only its position and gets the current content. Without readers
 * nothing is marked.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/list.h"

struct task;

#define FEED_MAX      2048
#define FEED_KEEP_MS  60000 /* marks continue this long after the last reader left, for a reconnect */
#define FEED_TEXT_MAX 4096

enum feed_type {
	FEED_MODEL_REQUEST,
	FEED_CHAT,
	FEED_DRAFT,
	FEED_FAULT,
	FEED_GATEWAY,
	FEED_MESSAGE,
	FEED_REQUEST,
	FEED_RESET,
	FEED_SETTINGS,
	FEED_TRACE,
	FEED_TYPING
};

struct feed_mark {
	uint64_t n;
	enum feed_type type;
	const char *platform; /* literals or NULL */
	const char *what;
	char chat[40], thread[40], id[40]; /* as in the control interface; "": none */
	int64_t number;                    /* the platform's number, or a request's number in the log */
	char *text;                        /* JSON given with the mark; NULL: none */
};

struct feed {
	struct feed_mark *ring; /* NULL: no reader yet */
	uint64_t last_n;        /* counts from 1, also past the ring's size */
	size_t count;
	struct list readers;
	size_t reader_count;
	uint64_t keep_until_ms; /* of clock_now() */
	char run[17];           /* random per process */
};

struct feed_reader {
	struct list link;
	struct task *task;
	uint64_t next; /* n of the next mark to take */
};

void feed_init(struct feed *f);
void feed_clear(struct feed *f);
bool feed_is_wanted(const struct feed *f);
/* Returns a mark to fill in, valid until the next one; NULL without readers. Readers wake later. */
struct feed_mark *feed_add(struct feed *f, enum feed_type type, const char *platform, const char *what);
/* Adds a mark with a copy of text; text above FEED_TEXT_MAX is left out. */
void feed_add_text(struct feed *f, enum feed_type type, const char *what, const char *text);

/* Starts at the next new mark. Wakes task for each. Call feed_leave afterwards. */
void feed_join(struct feed *f, struct feed_reader *r, struct task *task);
void feed_leave(struct feed *f, struct feed_reader *r);
/* Continues after the mark "RUN.N". Returns false when marks since then are lost. */
bool feed_resume(const struct feed *f, struct feed_reader *r, const char *after);
/* Returns the next mark, borrowed until the next feed_add; NULL: none yet. lost: marks were dropped
 * before. */
const struct feed_mark *feed_take(const struct feed *f, struct feed_reader *r, bool *lost);
/* Does a later mark repeat this one? */
bool feed_is_old(const struct feed *f, const struct feed_mark *m);

#endif
