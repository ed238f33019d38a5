#ifndef PLAYGROUND_FLOW_RUN_H
#define PLAYGROUND_FLOW_RUN_H
/* A flow: its steps, and a run of them. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/list.h"

struct buf;
struct child;
struct error;
struct flow_run;
struct flow_step;
struct json_object;
struct pattern;
struct platform_instance;
struct playground;
struct task;

/* The parsed steps of a flow file. */

/* The arguments of a step. */
enum flow_shape {
	FLOW_NOTHING,
	FLOW_TEXT,        /* the rest of the line */
	FLOW_EXPECTED,    /* the same, or /pattern/ */
	FLOW_SECONDS,     /* seconds above 0, converted to ms */
	FLOW_PERSON_TEXT, /* a name and the rest of the line */
	FLOW_CHAT         /* a platform, a kind of chat and the rest of the line */
};

struct flow_verb {
	const char *name;
	const char *usage; /* the arguments, for messages */
	enum flow_shape shape;
	bool in_chat;  /* needs a chat before it */
	bool with_bot; /* needs a bot before it */
	/* May suspend. Returns -1 with err when the step fails. */
	int (*run)(struct task *t, struct flow_run *run, const struct flow_step *step, struct error *err);
};

/* Sorted by name; a row of NULLs ends it. */
extern const struct flow_verb flow_verbs[];

struct flow_step {
	const struct flow_verb *verb; /* NULL: a call of the control interface */
	size_t line;
	char *source; /* the line */
	char *name;   /* of the step or call */
	char *person; /* of FLOW_PERSON_TEXT, and of a call, unless NULL; the platform of FLOW_CHAT */
	char *kind;   /* FLOW_CHAT */
	char *text;   /* the rest of the line; \n is a line break */
	struct json_object *body; /* of a call */
	struct pattern *pattern;  /* NULL: text is wanted as it is */
	uint64_t ms;
};

struct flow {
	char *path;
	struct flow_step *steps;
	size_t count;
};

/* Reads one line that is not a comment into a zeroed step. Returns -1 with err. */
int flow_step_read(struct flow_step *step, const char *line, struct error *err);
void flow_step_clear(struct flow_step *step);

/* A running flow. */

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
	struct list chats;
	struct flow_chat *current; /* the current chat; NULL: none yet */
	uint64_t within_ms;        /* how long to wait for an expected message */
	const char *command;       /* the bot's; NULL: not started by the flow */
	struct child *bot;         /* NULL: not running, or started elsewhere */
};

#define FLOW_POLL_MS 50 /* between two checks for what is awaited */

/* Suspends until look returns 1, at most within_ms. Returns 0 in time, 1 after it, -1 with a sentence when
 * cancelled or when the bot has exited. */
int flow_await(struct task *t, struct flow_run *run,
    int (*look)(struct flow_run *run, const struct flow_step *step), const struct flow_step *step,
    struct error *err);

/* Returns the chat's {"messages":[...]}, or NULL if nothing was written there. */
struct json_object *flow_transcript(struct flow_run *run);
/* Appends a test suite. The step at index failed did so for that reason, and those after it were not taken.
 */
void flow_write_suite(const struct flow *f, size_t failed, const char *why, struct buf *out);
/* Appends the chat's newest messages and the newest refused requests, for people. */
void flow_write_report(struct flow_run *run, struct buf *out);
/* Returns a sentence about the newest invalid request of a bot, not counting faults; the caller frees it.
 * NULL: none. */
char *flow_refusal(struct flow_run *run);

/* The bot process: start, kill, terminate. */
int flow_bot_start(struct flow_run *run, struct error *err);
void flow_bot_kill(struct task *t, struct flow_run *run);
void flow_bot_stop(struct task *t, struct flow_run *run);

/* The steps of a flow as in struct flow_verb; docs/playground-testing.md describes them. All but the last two
 * may suspend. */

/* Actions of people (people.c). */
int flow_call(struct task *t, struct flow_run *run, const struct flow_step *step, struct error *err);
int flow_command(struct task *t, struct flow_run *run, const struct flow_step *step, struct error *err);
int flow_press(struct task *t, struct flow_run *run, const struct flow_step *step, struct error *err);
int flow_react(struct task *t, struct flow_run *run, const struct flow_step *step, struct error *err);
int flow_ready(struct task *t, struct flow_run *run, const struct flow_step *step, struct error *err);
int flow_say(struct task *t, struct flow_run *run, const struct flow_step *step, struct error *err);

/* Expectations (expect.c). */
int flow_expect(struct task *t, struct flow_run *run, const struct flow_step *step, struct error *err);
int flow_shows(struct task *t, struct flow_run *run, const struct flow_step *step, struct error *err);
int flow_silence(struct task *t, struct flow_run *run, const struct flow_step *step, struct error *err);
int flow_clean(struct task *t, struct flow_run *run, const struct flow_step *step, struct error *err);
int flow_accepted(struct task *t, struct flow_run *run, const struct flow_step *step, struct error *err);

#endif
