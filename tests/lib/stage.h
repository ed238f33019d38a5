#ifndef TESTS_LIB_STAGE_H
#define TESTS_LIB_STAGE_H
/*
 * A gateway without a network: the real store in a folder of its own, the real bus, agent and sessions; a
 * platform, a model and tools that do what the test says and note what they see. Every test is a task.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdbool.h>

#include "agent/agent.h"
#include "agent/budget.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/task.h"
#include "bus/bus.h"
#include "bus/targets.h"
#include "llm/llm_internal.h"
#include "session/access/access.h"
#include "session/turn/attachments.h"
#include "session/session.h"
#include "session/session_settings.h"
#include "store/store.h"
#include "lib/until.h"

/* What the model says when it is asked. */
struct line {
	const char *text;           /* NULL: "" */
	const char *calls;          /* one a line: ID NAME ARGUMENTS */
	enum llm_finish finish;     /* calls: LLM_FINISH_CALLS may be left out */
	enum llm_error_class fails; /* it says nothing, and this is why */
	bool broke; /* then, and when it is cancelled: after half of it, which is to be paid */
	uint64_t takes_ms;
};

struct stage {
	char dir[64], snapshot[80];
	/* Parts of the gateway. */
	struct config *cfg;
	struct targets targets;
	struct files_settings files;
	struct session_settings settings;
	struct budget_settings budgets;
	struct tools *tools;
	struct store *store;
	struct bus *bus;
	struct channel *channel;
	struct agent agent;
	struct sessions *sessions;
	struct access_settings access; /* of the channel chat */
	bool (*reports)(void *arg, struct address **to,
	    size_t *count); /* as of the sessions; NULL: to each channel's admins */
	bool channel_gone;  /* the configuration has it no more */
	size_t turns_at_once, queue_most;
	/* The platform: "CHAT[/THREAD] [>MESSAGE]: TEXT" a line of all that was sent. */
	struct buf shown;
	size_t typings; /* how often "typing" was shown */
	size_t fetches; /* how often a file was asked for */
	/* Loads a file; NULL: its bytes are "bytes of REF". */
	int (*fetch)(struct task *t, struct stage *st, const struct attachment *a,
	    const struct attachment_sink *sink, struct error *err);
	struct buf edits;   /* the same of what was changed */
	struct buf pressed; /* what was said to who pressed a button, a line each; "-": nothing */
	char *buttons;      /* of the last message that had some */
	unsigned said;      /* messages so far */
	/* The model: plays the lines, then answers each "re: " and what the person wrote last. */
	const struct line *script;
	size_t script_count, asked;
	uint64_t model_ms;         /* how long it takes otherwise */
	bool held;                 /* it says nothing before this is false again */
	bool tools_held;           /* no tool ends before this is false again */
	enum llm_error_class down; /* not NONE: it fails like this, whatever the script says */
	uint64_t retry_ms;         /* which it asks for then */
	size_t asking, max_asking; /* at the same time */
	struct buf heard;          /* the last request, a message a line: ROLE: TEXT or calls */
	struct buf told;           /* the last user message of that request, whole */
	struct buf system;         /* the system prompt of that request */
	bool forbidden;            /* it was told not to call */
	struct buf asked_by;       /* "[turn's session] words of the person" of each request */
	struct llm llm;
	struct llm_provider providers[2]; /* main answers; other only where it is chosen */
	struct llm_candidate order[2];
	struct buf answered_by; /* the name of the provider of each request, and a blank */
	size_t restarts;        /* asked for */
	/* The tools look (may run beside others) and touch (writes) take {"what", "ms"?, "fail"?}; ponder
	 * asks the model what about a text; the others are real. */
	struct buf ran; /* "+what" as one begins, "-what" as it ends, "!what" when it was cancelled */
	/* Called when the model is asked ("ask"), when a press is answered ("press"), and when a tool begins
	 * (its "what"). */
	void (*hook)(struct stage *st, const char *what);
	struct buf log; /* what was logged, a line each */
	void *own;      /* the test's */
};

/* Runs the body in a task, with everything started and a configuration with no settings of its own. */
void stage_run(void (*body)(struct task *t, struct stage *st));

#define STAGE_TEST(name)                                           \
	static void name##_body(struct task *t, struct stage *st); \
	static void name(void **state)                             \
	{                                                          \
		(void)state;                                       \
		stage_run(name##_body);                            \
	}                                                          \
	static void name##_body(struct task *t, struct stage *st)

/* Ends all parts as a stop in good order does, or starts them again. */
void stage_close(struct task *t, struct stage *st);
void stage_open(struct task *t, struct stage *st);
/* Keeps the database as a crash at this instant would leave it. */
void stage_snapshot(struct stage *st);
/* Forgets all that happened since stage_snapshot, and starts from what the crash left. Quietly: but does not
 * go on with its turns and messages, which the test does itself. */
void stage_crash(struct task *t, struct stage *st);
void stage_crash_quietly(struct task *t, struct stage *st);
/* Reads tools (rounds and so on) and targets anew from a text in place of the empty configuration. */
void stage_configure(struct task *t, struct stage *st, const char *text);

void stage_script(struct stage *st, const struct line *lines, size_t count);
#define stage_play(st, ...)                                  \
	stage_script(st, (const struct line[]){__VA_ARGS__}, \
	    sizeof((const struct line[]){__VA_ARGS__}) / sizeof(struct line))

/* A message of person 77 in the private chat, as the platform gives it; the caller's. */
struct message *stage_message(struct stage *st, const char *chat, const char *text);
/* Hands messages in, as the adapter does; takes them. */
void stage_receive(struct task *t, struct stage *st, struct message **messages, size_t count);
/* Person 77 writes; the platform's id of the message, which is "m" and the number of the message. */
void stage_say(struct task *t, struct stage *st, const char *chat, const char *text);
#define stage_until(t, condition) task_until(t, condition)
/* Until all that follows from what was done has come, but for what waits for time: several times the steps of
 * a message from its arrival to its answer. They are counted in questions to the store, which answers one
 * after the other. */
void stage_calm(struct task *t, struct stage *st);
/* Waits until as many messages were shown. */
void stage_await(struct task *t, struct stage *st, size_t lines);
size_t stage_lines(const struct buf *b);
/* Waits until nothing is left to do: no turn, no message pending, nothing to be sent. */
void stage_settle(struct task *t, struct stage *st);
/* Waits until nothing happens any more, though something may be open: no question to the database, and no
 * turn of the loop but for this wait. */
void stage_rest(struct task *t);
struct store_counts stage_counts(struct task *t, struct stage *st);
/* The conversation of the chat as the store has it, one message a line, as heard has it; the caller's. */
char *stage_transcript(struct task *t, struct stage *st, const char *chat);

/* A turn of a message of person 77, begun in the journal and ready to run. Clear its row. */
void stage_turn(struct task *t, struct stage *st, const char *chat, const char *text, struct turn *turn);
/* Runs it to its end, clears it, and waits until what it said was sent. */
void stage_play_turn(struct task *t, struct stage *st, struct turn *turn);
/* Begins one for the words and runs it to its end. */
void stage_ask(struct task *t, struct stage *st, const char *chat, const char *text);

/* A turn in a task of its own, for a test that ends it. */
struct stage_turn {
	struct stage *stage;
	struct turn turn;
	struct task_group group;
	struct task *task; /* NULL once it has ended */
	int rc;            /* then: agent_run's */
	struct error err;
};
void stage_turn_start(struct stage *st, struct stage_turn *run);
/* Cancels it, waits for its end, clears it. */
void stage_turn_cancel(struct task *t, struct stage_turn *run);
/* The open turn that the journal has; the test fails when there is none. */
void stage_resume(struct task *t, struct stage *st, const char *chat, struct turn *turn);

/* No file of the process may grow by more than so many bytes from now on; -1: any may. */
void stage_disk_left(const struct stage *st, long bytes);

void assert_has(const char *text, const char *part);
void assert_lacks(const char *text, const char *part);

#endif
