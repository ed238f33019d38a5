#ifndef BUS_POST_H
#define BUS_POST_H
/*
 * Posts: messages that answer nobody, to one address or many. The message tool, `myna send`, POST
 * /v1/messages and /broadcast all go this way. Whether one may write there is the caller's to know. An
 * address goes with its rows from here to the platform; addressees share nothing but the text.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bus/message.h"

struct bus;
struct error;
struct targets;
struct task;

#define POST_RECIPIENTS_MAX 1000

/* One addressee, and what became of its message. */
struct post_recipient {
	struct address to;
	struct attachment file; /* a copy of the addressee's own, see bus/outbox_file.h; path NULL: none.
				   post_commit takes it */
	int64_t *ids;           /* outbox rows of its parts, in order; NULL: not stored */
	size_t parts;
	char *why;            /* then: why not */
	struct outbound *row; /* the part that tells the outcome; NULL: not known */
	size_t part;          /* which one that is, from 1 */
	bool held;            /* by quiet hours: nothing comes out soon */
};

/* The caller sets the first five, zeroes the rest, and clears it. */
struct post {
	struct bus *bus;
	const char *text;
	const char *key;   /* what was stored with this key for an address is not stored again; NULL: none */
	int64_t turn;      /* that it comes from, 0 if none */
	int64_t file_size; /* bytes of the file that the items have; 0: none */
	struct post_recipient *items;
	size_t count;
};

/* Each addressee stands once. -1: there is no such channel, or there are too many. */
int post_add(struct post *p, const struct address *to, struct error *err);
/* A target or an address as text. */
int post_add_named(struct post *p, const struct targets *targets, const char *name, struct error *err);
/* Commits the messages and wakes their senders, in several commits where there are many; also when t is
 * cancelled meanwhile, so that what is said of them is true. -1: nothing was stored. */
int post_commit(struct task *t, struct post *p, struct error *err);
/* Waits for the outcomes of all together, at most ms, and reads them. Cancelled: as they stand. */
void post_await(struct task *t, struct post *p, uint64_t ms);
/* FAILED when it was not stored, QUEUED while it is not known. */
enum outbound_state post_state(const struct post_recipient *item);
void post_clear(struct post *p);

#endif
