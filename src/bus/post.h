#ifndef BUS_POST_H
#define BUS_POST_H
/*
 * Posts: messages that do not answer anyone, to one recipient or many. The message tool, `myna send`,
 * POST /v1/messages and /broadcast all use them. The caller checks whether its user may write to an
 * address. Each recipient keeps its own address and deliveries up to the platform; recipients share only
 * the text.
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

/* One recipient, and the outcome of its message. */
struct post_recipient {
	struct address to;
	/* The recipient's own copy, see bus/outbox_file.h; path NULL for none. post_commit takes it, and
	 * removes a copy that is certainly not in a delivery. */
	struct attachment file;
	int64_t *ids; /* outbox ids of the parts, in order; NULL when not stored */
	size_t parts;
	char *why;            /* why it was not stored */
	struct outbound *row; /* the part that decides the outcome; NULL when unknown */
	size_t part;          /* number of that part, from 1 */
	bool repeated;        /* the key was used before with the same text: nothing more is sent */
	bool differs;         /* the key was used before with another text: nothing is sent */
	bool held;            /* held by quiet hours: nothing is sent soon */
};

/* The caller sets the first six fields, zeroes the rest, and calls post_clear. */
struct post {
	struct bus *bus;
	const char *text;
	const char *key;   /* idempotency key for each address; NULL for none */
	int64_t turn;      /* the turn that sends it, 0 if none */
	int64_t file_size; /* bytes of the recipients' file; 0 for none */
	bool own;          /* a text of the gateway: each recipient gets it as bus_own_text gives it */
	struct post_recipient *items;
	size_t count;
};

/* Adds a recipient once. Returns -1 when the channel does not exist or there are too many recipients. */
int post_add(struct post *p, const struct address *to, struct error *err);
/* Adds a target's recipients or one address, given as text. */
int post_add_named(struct post *p, const struct targets *targets, const char *name, struct error *err);
/* Commits the messages, many in several commits, and wakes their senders. Completes even when t is
 * cancelled meanwhile, so that the outcome is accurate. Returns -1 when nothing was stored. Suspends. */
int post_commit(struct task *t, struct post *p, struct error *err);
/* Waits up to ms for all outcomes and reads them. When cancelled, reads the current state. Suspends. */
void post_await(struct task *t, struct post *p, uint64_t ms);
/* OUTBOUND_FAILED when it was not stored or its key stands for another text, OUTBOUND_QUEUED while the
 * outcome is unknown. */
enum outbound_state post_state(const struct post_recipient *item);
void post_clear(struct post *p);

#endif
