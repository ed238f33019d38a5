#ifndef PLAYGROUND_SLACK_WORLD_MESSAGE_H
#define PLAYGROUND_SLACK_WORLD_MESSAGE_H
/* A message, kept as the object that the API shows, and what the API does not show of it. */
#include "playground/slack/world/world.h"

struct buf;
struct slk_app;
struct slk_content;
struct slk_conv;

enum slk_stream { SLK_STREAM_NONE, SLK_STREAM_OPEN, SLK_STREAM_ENDED, SLK_STREAM_STOPPED };

struct slk_message {
	int64_t ts;
	int64_t thread;               /* the ts of the root that it answers; 0: none */
	struct json_object *o;        /* type, user, text, ts and so on */
	struct json_object *metadata; /* NULL: none */
	struct slk_app *app;          /* whose message it is; NULL: a person's */
	struct slk_user *user;        /* NULL: an app's, or the platform's own */
	char ephemeral[SLK_ID_SIZE];  /* the only one who sees it; "": all do */
	bool deleted;
	bool tombstone; /* deleted, and kept because of the thread below it */
	bool notice;    /* the platform wrote it */
	int edits;
	enum slk_stream stream;
	uint64_t stream_until_ms;
};

/* A new one at the end of the conversation, with type, team, ts and author. thread 0: none. */
struct slk_message *slk_message_add(
    struct slk_conv *c, struct slk_app *a, struct slk_user *u, int64_t thread);
/* The same with a ts of earlier. */
struct slk_message *slk_message_load(struct slk_conv *c, int64_t ts, int64_t thread);
void slk_message_free(struct slk_message *m);
/* By ts; NULL when there is none, also when it was deleted. */
struct slk_message *slk_message_find(const struct slk_conv *c, int64_t ts);
const char *slk_message_text(const struct slk_message *m);
/* Who wrote it, as the control interface names people. */
const char *slk_message_author(const struct slk_message *m);
/* Is it still being streamed? One whose time is over is ended here. */
bool slk_message_streams(struct slk_message *m);
/* So many answers stand below it. */
size_t slk_message_replies(const struct slk_conv *c, const struct slk_message *m);
/* The object as histories show it, the caller's: with reply counts, metadata if wanted. */
struct json_object *slk_message_json(const struct slk_conv *c, const struct slk_message *m, bool metadata);
/* Changes what it says, and tells of it. */
void slk_message_edit(
    struct slk_conv *c, struct slk_message *m, const struct slk_content *content, const char *editor);
/* Takes it out of the conversation, and tells of it. */
void slk_message_delete(struct slk_conv *c, struct slk_message *m);
/* A deep copy of a JSON value; the caller's. */
struct json_object *slk_copy(struct json_object *o);

#endif
