#ifndef PLAYGROUND_FLOW_RUN_H
#define PLAYGROUND_FLOW_RUN_H
/* A flow while it is played. */
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

/* A chat that the flow was in: how many of its messages have been looked at. */
struct flow_chat {
	struct list link;
	struct platform_instance *platform_instance;
	const char *kind, *chat; /* of the step */
	size_t seen;
};

struct flow_run {
	struct playground *pg;
	const char *url;
	struct list places;
	struct flow_chat *place; /* where the steps happen; NULL: nowhere yet */
	uint64_t within_ms;      /* how long is waited for what must come */
	const char *command;     /* the bot's; NULL: none was started */
	struct child *bot;       /* NULL: it does not run, or others have started it */
};

/* Waits until look says 1, at most within_ms: 0 in time, 1 not, -1 cancelled or the bot has ended, with a
 * sentence. May suspend. */
int flow_await(struct task *t, struct flow_run *run,
    int (*look)(struct flow_run *run, const struct flow_step *step), const struct flow_step *step,
    struct error *err);

/* What shows in the chat: {"messages":[…]}; NULL while nobody has written there. */
struct json_object *flow_transcript(struct flow_run *run);
/* Appends the newest messages of the chat and the newest requests that were refused, for a person. */
void flow_write_report(struct flow_run *run, struct buf *out);
/* The newest request of a bot that was refused for what it was, and by no fault, as a sentence; malloc'd,
 * NULL: there is none. */
char *flow_refusal(struct flow_run *run);

/* The bot: starts the command, kills it, ends it in good order. */
int flow_bot_start(struct flow_run *run, struct error *err);
void flow_bot_kill(struct task *t, struct flow_run *run);
void flow_bot_stop(struct task *t, struct flow_run *run);

#endif
