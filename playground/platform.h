#ifndef PLAYGROUND_PLATFORM_H
#define PLAYGROUND_PLATFORM_H
/* A simulated platform: the path prefix of its API and its operations for the control interface. in is the
 * body of a /control request; out receives the members of the answer. */
#include <stdbool.h>
#include <stddef.h>

struct buf;
struct error;
struct feed_mark;
struct json_object;
struct playground;
struct record_log;
struct server_request;
struct task;

/* The progress of a conversation, for POST /control/wait. */
struct platform_progress {
	size_t messages, bot_messages; /* without deleted ones */
	const char *contains;          /* in: text to find in the bot's messages; NULL: none */
	int found;                     /* out: it was found */
};

/* An action of a person; out has {"ok":true} and gets further members of the answer. */
typedef int platform_act_fn(void *self, struct json_object *in, struct json_object *out, struct error *err);
typedef void platform_unanswered_fn(void *arg, const char *method, size_t count);

struct platform {
	const char *name;
	const char *prefix;  /* "/telegram/" */
	const char *address; /* the path of the API, as a bot's library gets it: "/slack/api/" */
	/* Is a path without the prefix the platform's, too? NULL: none is. */
	bool (*at_root)(const char *path);
	const char *chat_kinds; /* the kinds of chats that people name, separated by blanks */
	/* Is it the name of a request or an event that a fault may hit? */
	bool (*has_method)(const char *name);
	void *(*create)(struct playground *pg, struct record_log *log);
	void (*destroy)(void *self);
	void (*serve)(struct task *t, void *self, struct server_request *req);
	/* Drops all conversations; clients stay connected. */
	void (*reset)(void *self);
	int (*set)(void *self, struct json_object *settings, struct error *err);
	void (*settings)(void *self, struct json_object *out);
	void (*chats)(void *self, struct json_object *array);
	/* in: {"chat","thread"?,"bot"?}; out: {"messages":[...]} and typing, drafts and the like. */
	int (*transcript)(void *self, struct json_object *in, struct buf *out, struct error *err);
	/* Same in: details besides messages, such as topics, names and commands. */
	int (*about)(void *self, struct json_object *in, struct json_object *out, struct error *err);
	/* in: {"chat","message_id","index"?,"bot"?}; out: {"name","base64"} of a file of the message. */
	int (*file)(void *self, struct json_object *in, struct json_object *out, struct error *err);
	int (*progress)(void *self, struct json_object *in, struct platform_progress *p, struct error *err);
	/* Appends ,"name":value... with the current content for a feed mark. */
	void (*show)(void *self, const struct feed_mark *mark, struct buf *out);
	/* Resets long-lived connections. NULL: there are none. */
	void (*disconnect)(void *self);
	/* Called before the tasks of playground.tasks are cancelled. NULL: nothing else is to be done. */
	void (*stop)(void *self);
	/* Called after time was moved: does what is due then. NULL: timers do it. */
	void (*time_moved)(void *self);
	/* Calls add for each kind of event that bots did not answer in time, with the name of the answer. */
	void (*unanswered)(void *self, platform_unanswered_fn *add, void *arg);
	/* The state as one JSON value. */
	struct json_object *(*save)(void *self);
	int (*load)(void *self, struct json_object *state, struct error *err);
	/* Actions of people: say, press and the platform's own; ended by a row of NULLs. */
	const struct platform_action *people_actions;
};

struct platform_action {
	const char *name;    /* the last path segment of POST /control/NAME */
	const char *members; /* members of the body, separated by blanks; others are refused */
	platform_act_fn *act;
};

/* The members that say where and by whom, for most actions. Other actions ignore them. */
#define PLATFORM_COMMON_MEMBERS "bot chat kind platform user"

/* Sorted by name; NULL-terminated. */
extern const struct platform *const platforms[];

#endif
