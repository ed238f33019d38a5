#ifndef PLAYGROUND_SERVER_FEED_H
#define PLAYGROUND_SERVER_FEED_H
/*
 * What has changed, for pages that watch: a ring of marks, each saying where to look. What is there is
 * written when a reader takes the mark, so that a slow reader costs nothing but its place, and sees what it
 * missed as it is by then. While nobody listens nothing is marked.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/list.h"

struct task;

#define FEED_MAX      2048
#define FEED_KEEP_MS  60000 /* marks go on so long after the last reader has left: one who comes back */
#define FEED_TEXT_MAX 4096

enum feed_type {
	FEED_ASKED,
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
	const char *platform; /* literals; NULL where they say nothing */
	const char *what;
	char chat[40], thread[40], id[40]; /* as the control interface names them; "": none */
	int64_t number;                    /* the platform's own; of a request its number in the record */
	char *text;                        /* JSON that was given with the mark; NULL: none */
};

struct feed {
	struct feed_mark *ring; /* NULL until somebody listens */
	uint64_t last_n;        /* counts from 1; goes on where the ring forgets */
	size_t count;
	struct list readers;
	size_t reader_count;
	uint64_t keep_until_ms; /* of clock_now() */
	char run[17];           /* another one in each process */
};

struct feed_reader {
	struct list link;
	struct task *task;
	uint64_t next; /* n of the mark to take next */
};

void feed_init(struct feed *f);
void feed_clear(struct feed *f);
bool feed_is_wanted(const struct feed *f);
/* A mark to be filled in, valid until the next; NULL while nobody listens. Readers wake later. */
struct feed_mark *feed_add(struct feed *f, enum feed_type type, const char *platform, const char *what);
/* One with a text that is copied; longer ones than FEED_TEXT_MAX are left out. */
void feed_add_text(struct feed *f, enum feed_type type, const char *what, const char *text);

/* From the marks to come on. Wakes task for each; followed by feed_leave. */
void feed_join(struct feed *f, struct feed_reader *r, struct task *task);
void feed_leave(struct feed *f, struct feed_reader *r);
/* Goes on behind the mark that "RUN.N" names; false: what came after it is not all there any more. */
bool feed_resume(const struct feed *f, struct feed_reader *r, const char *after);
/* The next mark, borrowed until something is marked; NULL: none yet. lost: some were forgotten before they
 * were taken. */
const struct feed_mark *feed_take(const struct feed *f, struct feed_reader *r, bool *lost);
/* A later mark tells the same. */
bool feed_is_old(const struct feed *f, const struct feed_mark *m);

#endif
