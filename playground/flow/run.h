#ifndef PLAYGROUND_FLOW_RUN_H
#define PLAYGROUND_FLOW_RUN_H
/* A running flow. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/list.h"

struct buf;
struct child;
struct error;
struct flow_step;
struct json_object;
struct playground;
struct platform_instance;
struct task;

/* A chat of the flow, and how many of its messages were checked. */
struct flow_chat {
	struct list link;
	struct platform_instance *platform_instance;
	const char *kind, *chat; /* as named in the step */
	size_t seen;
};

struct flow_run {
	struct playground *pg;
	const char *url;
	struct list places;
	struct flow_chat *place; /* the current chat; NULL: none yet */
	uint64_t within_ms;      /* how long to wait for an expected message */
	const char *command;     /* the bot's; NULL: not started by the flow */
	struct child *bot;       /* NULL: not running, or started elsewhere */
};

/* Suspends until look returns 1, at most within_ms. Returns 0 in time, 1 after it, -1 with a sentence when
 * cancelled or when the bot has exited. */
int flow_await(struct task *t, struct flow_run *run,
    int (*look)(struct flow_run *run, const struct flow_step *step), const struct flow_step *step,
    struct error *err);

/* Returns the chat's {"messages":[...]}, or NULL if nothing was written there. */
struct json_object *flow_transcript(struct flow_run *run);
/* Appends the chat's newest messages and the newest refused requests, for people. */
void flow_write_report(struct flow_run *run, struct buf *out);
/* Returns a sentence about the newest invalid request of a bot, not counting faults; the caller frees it.
 * NULL: none. */
char *flow_refusal(struct flow_run *run);

/* The bot process: start, kill, terminate. */
int flow_bot_start(struct flow_run *run, struct error *err);
void flow_bot_kill(struct task *t, struct flow_run *run);
void flow_bot_stop(struct task *t, struct flow_run *run);

#endif
