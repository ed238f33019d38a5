#ifndef PLAYGROUND_SLACK_WORLD_MESSAGE_H
#define PLAYGROUND_SLACK_WORLD_MESSAGE_H
/* A message: the object of the API, and data that the API does not show. */
#include "playground/slack/world/world.h"

struct buf;
struct slk_app;
struct slk_content;
struct slk_conv;

enum slk_stream { SLK_STREAM_NONE, SLK_STREAM_OPEN, SLK_STREAM_ENDED, SLK_STREAM_STOPPED };

struct slk_message {
	int64_t ts;
	int64_t thread;               /* ts of the thread's root; 0: none */
	struct json_object *o;        /* type, user, text, ts and so on */
	struct json_object *metadata; /* NULL: none */
	struct json_object
	    *kept;             /* what people have chosen in its elements, by user id: see slk_element_keep */
	struct slk_app *app;   /* author; NULL: a person */
	struct slk_user *user; /* author; NULL: an app or the platform */
	char ephemeral[SLK_ID_SIZE]; /* ephemeral: the only recipient; "": visible to all */
	bool deleted;
	bool tombstone; /* deleted but kept for its thread */
	bool notice;    /* written by the platform */
	int edits;
	enum slk_stream stream;
	uint64_t stream_until_ms;
};

/* Appends a message with type, team, ts and author. thread 0: none. */
struct slk_message *slk_message_add(
    struct slk_conv *c, struct slk_app *a, struct slk_user *u, int64_t thread);
/* The same with an earlier ts. */
struct slk_message *slk_message_load(struct slk_conv *c, int64_t ts, int64_t thread);
void slk_message_free(struct slk_message *m);
/* Returns the message by ts; NULL if unknown or deleted. */
struct slk_message *slk_message_find(const struct slk_conv *c, int64_t ts);
const char *slk_message_text(const struct slk_message *m);
/* Returns the author's name in the control interface. */
const char *slk_message_author(const struct slk_message *m);
/* Is it an open stream? Ends an expired one. */
bool slk_message_streams(struct slk_message *m);
/* Returns the number of thread replies. */
size_t slk_message_replies(const struct slk_conv *c, const struct slk_message *m);
/* The object as in histories with reply counts, and metadata if wanted. The caller owns it. */
struct json_object *slk_message_json(const struct slk_conv *c, const struct slk_message *m, bool metadata);
/* Changes the content and sends the event. */
void slk_message_edit(
    struct slk_conv *c, struct slk_message *m, const struct slk_content *content, const char *editor);
/* Deletes the message and sends the event. */
void slk_message_delete(struct slk_conv *c, struct slk_message *m);
/* Returns a deep copy of a JSON value; the caller owns it. */
struct json_object *slk_copy(struct json_object *o);

#endif
