#ifndef TESTS_LIB_STAGE_H
#define TESTS_LIB_STAGE_H
/*
 * A gateway without a network: the real store in a folder of its own, the real bus, agent and sessions; a
 * fake platform, model and tools that follow the test's script and record what they get. Every test is a
 * task.
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

/* One reply of the model. */
struct line {
	const char *text;           /* NULL means "" */
	const char *calls;          /* one per line: ID NAME ARGUMENTS */
	enum llm_finish finish;     /* with calls, LLM_FINISH_CALLS is the default */
	enum llm_error_class fails; /* it fails with this class instead of replying */
	bool broke; /* with fails, and when it is cancelled: only after half of the reply, which must be paid
		       for */
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
	    size_t *count); /* as in the sessions; NULL: to each channel's admins */
	bool channel_gone;  /* the configuration no longer has the channel */
	size_t turns_at_once, queue_most;
	/* The platform: every message sent, a line each, as "CHAT[/THREAD] [>MESSAGE]: TEXT". */
	struct buf shown;
	size_t typings; /* number of typing indicators */
	size_t fetches; /* number of file downloads */
	/* Downloads a file; NULL: its bytes are "bytes of REF". */
	int (*fetch)(struct task *t, struct stage *st, const struct attachment *a,
	    const struct attachment_sink *sink, struct error *err);
	struct buf edits;   /* the same for edits */
	struct buf pressed; /* answers to button presses, a line each; "-": none */
	char *buttons;      /* of the last message with buttons */
	unsigned said;      /* number of messages so far */
	/* The model: replies with these lines, then with "re: " and the person's last text. */
	const struct line *script;
	size_t script_count, asked;
	uint64_t model_ms;         /* duration of other replies */
	bool held;                 /* it does not reply while this is true */
	bool tools_held;           /* no tool ends while this is true */
	enum llm_error_class down; /* not NONE: every request fails with this class */
	uint64_t retry_ms;         /* and asks for this wait */
	const char *poison;        /* requests about a text with this word fail as overloaded; NULL: none */
	size_t asking, max_asking; /* concurrent requests, now and at most */
	struct buf heard;          /* the last request, a message per line: ROLE: TEXT or calls */
	struct buf told;           /* the last user message of that request, complete */
	struct buf system;         /* the system prompt of that request */
	bool forbidden;            /* the request forbade calls */
	struct buf asked_by;       /* "[turn's session] text of the person" of each request */
	struct llm llm;
	struct llm_provider providers[2]; /* main is the default; other answers only where it is chosen */
	struct llm_candidate order[2];
	struct buf answered_by; /* the provider's name of each request, followed by a blank */
	size_t restarts;        /* number of requested restarts */
	/* The tools look (may run beside others) and touch (writes) take {"what", "ms"?, "fail"?}; ponder
	 * asks the model what about a text; the others are real. */
	struct buf ran; /* "+what" when one begins, "-what" when it ends, "!what" when it was cancelled */
	/* Called for a model request ("ask"), for an answer to a press ("press"), and when a tool begins
	 * (its "what"). */
	void (*hook)(struct stage *st, const char *what);
	struct buf log; /* the log, a line each */
	void *own;      /* for the test */
};

/* Runs the body in a task, with everything started and an empty configuration. */
void stage_run(void (*body)(struct task *t, struct stage *st));

#define STAGE_TEST(name)                                           \
	static void name##_body(struct task *t, struct stage *st); \
	static void name(void **state)                             \
	{                                                          \
		(void)state;                                       \
		stage_run(name##_body);                            \
	}                                                          \
	static void name##_body(struct task *t, struct stage *st)

/* Stops all parts cleanly, or starts them again. */
void stage_close(struct task *t, struct stage *st);
void stage_open(struct task *t, struct stage *st);
/* Copies the database as a crash at this moment would leave it. */
void stage_snapshot(struct stage *st);
/* Returns the number that the statement finds in that copy, -1 for no row; stage_number copies it before. */
int64_t stage_snapshot_number(struct stage *st, const char *sql);
int64_t stage_number(struct stage *st, const char *sql);
/* Goes back to stage_snapshot, and restarts from what the crash left. Quietly: does not resume its turns and
 * messages, which the test does itself. */
void stage_crash(struct task *t, struct stage *st);
void stage_crash_quietly(struct task *t, struct stage *st);
/* Rereads tools (rounds and so on) and targets from a text instead of the empty configuration. */
void stage_configure(struct task *t, struct stage *st, const char *text);

void stage_script(struct stage *st, const struct line *lines, size_t count);
#define stage_play(st, ...)                                  \
	stage_script(st, (const struct line[]){__VA_ARGS__}, \
	    sizeof((const struct line[]){__VA_ARGS__}) / sizeof(struct line))

/* Returns a message of person 77 in the private chat, as the platform delivers it; the caller owns it. */
struct message *stage_message(struct stage *st, const char *chat, const char *text);
/* Of another person, there or in a group. */
struct message *stage_message_by(struct stage *st, const char *chat, const char *person, const char *text);
struct message *stage_group_message(struct stage *st, const char *chat, const char *person, const char *text);
/* Delivers messages as the adapter does; takes them. */
void stage_receive(struct task *t, struct stage *st, struct message **messages, size_t count);
/* Person 77 writes; returns the platform's id of the message: "m" and its number. */
void stage_say(struct task *t, struct stage *st, const char *chat, const char *text);
/* The person writes, there or in a group. */
void stage_say_by(struct task *t, struct stage *st, const char *chat, const char *person, const char *text);
void stage_say_in_group(
    struct task *t, struct stage *st, const char *chat, const char *person, const char *text);
#define stage_until(t, condition) task_until(t, condition)
/* Waits until everything caused so far has happened, except what waits for time: several times the number of
 * steps from a message's arrival to its answer. The steps are counted in requests to the store, which
 * answers one after the other. */
void stage_calm(struct task *t, struct stage *st);
/* Waits until this many messages were sent. */
void stage_await(struct task *t, struct stage *st, size_t lines);
/* Does the store, or another thread, work on something? For clocks of tests that run fast: on a busy machine
 * too much time would pass until it is done. */
bool stage_works(void);
size_t stage_lines(const struct buf *b);
/* Waits until nothing is pending: no turn, no message, no delivery. */
void stage_settle(struct task *t, struct stage *st);
/* Waits until nothing happens any more, although turns may be open: no request to the database, and the loop
 * has no other work. */
void stage_rest(struct task *t);
struct store_counts stage_counts(struct task *t, struct stage *st);
/* Returns the stored conversation of the chat, one message per line, in the format of heard; the caller owns
 * it. */
char *stage_transcript(struct task *t, struct stage *st, const char *chat);

/* Begins a turn for a message of person 77 in the journal, ready to run. Clear its row. */
void stage_turn(struct task *t, struct stage *st, const char *chat, const char *text, struct turn *turn);
/* Runs it to its end, clears it, and waits until its messages were sent. */
void stage_play_turn(struct task *t, struct stage *st, struct turn *turn);
/* Begins a turn for the text and runs it to its end. */
void stage_ask(struct task *t, struct stage *st, const char *chat, const char *text);

/* A turn in its own task, for a test that cancels it. */
struct stage_turn {
	struct stage *stage;
	struct turn turn;
	struct task_group group;
	struct task *task; /* NULL once it has ended */
	int rc;            /* then: the result of agent_run */
	struct error err;
};
void stage_turn_start(struct stage *st, struct stage_turn *run);
/* Cancels it, waits until it has ended, and clears it. */
void stage_turn_cancel(struct task *t, struct stage_turn *run);
/* Loads the open turn of the journal; the test fails when there is none. */
void stage_resume(struct task *t, struct stage *st, const char *chat, struct turn *turn);

/* No file of the process may grow by more than this many bytes from now on; -1: no limit. */
void stage_disk_left(const struct stage *st, long bytes);

void assert_has(const char *text, const char *part);
void assert_lacks(const char *text, const char *part);
/* How often the part stands in the text. */
size_t count_of(const char *text, const char *part);

#endif
