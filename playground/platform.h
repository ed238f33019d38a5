#ifndef PLAYGROUND_PLATFORM_H
#define PLAYGROUND_PLATFORM_H
/*
 * What a simulated platform is: a path prefix where its API stands, and what the control
 * interface may ask of it. Bodies are those of /control; out gets the members of the answer.
 */
#include <stddef.h>

struct buf;
struct error;
struct feed_mark;
struct json_object;
struct playground;
struct record_log;
struct server_request;
struct task;

/* How far a conversation has come, for POST /control/wait. */
struct platform_progress {
	size_t messages, bot_messages; /* deleted ones not counted */
	const char *contains;          /* in: a text to look for in the bot's messages; NULL: none */
	int found;                     /* out: it is there */
};

struct platform {
	const char *name;
	const char *prefix; /* "/telegram/" */
	void *(*create)(struct playground *pg, struct record_log *log);
	void (*destroy)(void *self);
	void (*serve)(struct task *t, void *self, struct server_request *req);
	/* Everything said is forgotten; who is connected stays. */
	void (*reset)(void *self);
	int (*set)(void *self, struct json_object *settings, struct error *err);
	void (*settings)(void *self, struct json_object *out);
	void (*chats)(void *self, struct json_object *array);
	/* in: {"chat","thread"?,"bot"?}; out: {"messages":[…]} and what else shows in the chat. */
	int (*transcript)(void *self, struct json_object *in, struct buf *out, struct error *err);
	/* The same object: what there is to a chat besides its messages, such as topics, names and
	 * commands. */
	int (*about)(void *self, struct json_object *in, struct json_object *out, struct error *err);
	/* in: {"chat","message_id","index"?,"bot"?}; out: {"name","base64"}, a file of the message. */
	int (*file)(void *self, struct json_object *in, struct json_object *out, struct error *err);
	int (*progress)(void *self, struct json_object *in, struct platform_progress *p, struct error *err);
	/* Appends ,"name":value… for a mark of a message, drafts or typing: what is there now. */
	void (*show)(void *self, const struct feed_mark *mark, struct buf *out);
	/* Resets what is connected. NULL: nothing is for long. */
	void (*disconnect)(void *self);
	/* State over restarts, as one JSON value. */
	struct json_object *(*save)(void *self);
	int (*load)(void *self, struct json_object *state, struct error *err);
	/* What people do: say, press and the platform's own; ends with a row of NULLs. */
	const struct platform_action *people_actions;
};

struct platform_action {
	const char *name; /* the last part of the path: POST /control/NAME */
	int (*act)(void *self, struct json_object *in, struct json_object *out, struct error *err);
};

/* All of them, by name; NULL ends it. */
extern const struct platform *const platforms[];

#endif
