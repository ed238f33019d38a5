#ifndef TESTS_CHANNELS_CHANNEL_DOUBLE_H
#define TESTS_CHANNELS_CHANNEL_DOUBLE_H
/* A test double of the bus: records the calls of an adapter. */
#include "base/error.h"
#include "base/task.h"
#include "bus/channel.h"

#define DOUBLE_MESSAGES_MAX 1024

struct channel_double {
	struct channel ch;
	/* The journal's content. */
	char *cursor;    /* of the account telegram:999, name offset */
	char *menu;      /* the same, name commands */
	char moved[128]; /* "OLD NEW" of the last chat migration */
	struct message *messages[DOUBLE_MESSAGES_MAX];
	size_t message_count;
	size_t commits;
	unsigned failing; /* commits that are still to fail */
	/* Results of sends. */
	size_t sent, failed;
	char platform_id[64];
	struct error why;
	/* Every status text and every log line, one per line. */
	struct buf *statuses, *log;
};

/* The only instance. */
extern struct channel_double the_double;

void double_begin(const struct channel_ops *ops, const void *settings);
void double_end(void);
/* Suspends until done(arg) or ms have passed. Returns whether it is done. */
bool double_wait(struct task *t, bool (*done)(void *arg), void *arg, uint64_t ms);
/* The adapter sends the message; its outcome is recorded. */
void double_send(struct task *t, const struct outbound *row);
bool double_has_status(struct task *t, enum channel_status status, uint64_t ms);

#endif
