#ifndef PLAYGROUND_SLACK_WORLD_MESSAGE_H
#define PLAYGROUND_SLACK_WORLD_MESSAGE_H
/* Messages: their texts, elements and files. */
#include <stdbool.h>
#include <stdint.h>

#include "playground/slack/world/world.h"

struct buf;
struct error;
struct json_object;
struct slk_app;
struct slk_content;
struct slk_conv;
struct slk_world;

/* A message: the object of the API, and data that the API does not show. */

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
/* Returns its permalink; the caller frees it. */
char *slk_message_link(const struct slk_conv *c, const struct slk_message *m);
/* Returns the author's name in the control interface. */
const char *slk_message_author(const struct slk_message *m);
/* Is it an open stream? Ends an expired one. */
bool slk_message_streams(struct slk_message *m);
/* Its reader stops the stream. */
void slk_message_stop_stream(const struct slk_conv *c, struct slk_message *m);
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

/* The interactive elements of blocks, in messages and views: what a person can choose in each, and how the
 * choices are told in state.values and in actions. */

/* Borrowed from the blocks. */
struct slk_element {
	struct json_object *o, *block;
	bool input;          /* of an input block */
	bool silent;         /* of an input block that does not dispatch actions */
	bool remote;         /* its options come from the app */
	bool takes_files;    /* they are chosen by their ids */
	const char *matched; /* the text by which slk_element_find found it */
};

/* Adds missing block_id and action_id, as Slack does. */
void slk_blocks_complete(struct json_object *blocks);
/* Returns a new block with the text as clients send what people type. */
struct json_object *slk_rich_text(const char *text);
/* Appends all buttons as {"id","label","style"?,"value"?,"url"?} separated by commas; id is the action_id. */
void slk_blocks_write_buttons(struct json_object *blocks, struct buf *out);
/* Finds the element with that action_id, value, label or placeholder. Returns false when there is none. */
bool slk_element_find(struct json_object *blocks, const char *what, struct slk_element *e);
/* Returns what choosing it gives: {"type", and a member such as "selected_option"}, as in state.values; of a
 * button its text and value. choice: a text, a number, null for nothing, an array where several can be
 * chosen; options go by value or label. options: those that the app sent, of a remote one; else NULL. NULL
 * with err. The caller owns it. */
struct json_object *slk_element_choose(struct slk_world *w, const struct slk_element *e,
    struct json_object *choice, struct json_object *options, struct error *err);
/* Stores a choice in kept: {block_id: {action_id: value}}. Takes value. */
void slk_element_keep(struct json_object *kept, const struct slk_element *e, struct json_object *value);
/* Stores choices as in state.values, however they came about. */
void slk_element_merge(struct json_object *kept, struct json_object *values);
/* Returns state.values: of each element what is kept, else its initial value. The caller owns it. */
struct json_object *slk_element_state(struct json_object *blocks, struct json_object *kept);
/* Is every input filled that must be? state: from slk_element_state. */
bool slk_element_filled(struct json_object *blocks, struct json_object *state, struct error *err);

/* A file shared by a person, or uploaded by an app in three steps. */

enum slk_file_state { SLK_FILE_WANTED, SLK_FILE_UPLOADED, SLK_FILE_COMPLETE, SLK_FILE_DELETED };

struct slk_file {
	struct list link;
	struct slk_world *world;
	char id[SLK_ID_SIZE];
	char *name, *title;
	char *data; /* NULL: len zero bytes, not saved */
	size_t len;
	enum slk_file_state state;
	struct slk_app *app; /* the uploading app; NULL: a person's */
	struct slk_user *user;
	int64_t created;                  /* Unix time */
	int64_t clip_ms;                  /* how long a recorded audio clip is; 0: an ordinary file */
	char secret[33];                  /* of its URLs */
	char *external_id, *external_url; /* of a file elsewhere; NULL: it is here */
	struct json_object *shares;       /* as in files.info */
};

/* Creates an empty file with a new id. Copies name. */
struct slk_file *slk_file_new(struct slk_world *w, const char *name, size_t len);
struct slk_file *slk_file_find(const struct slk_world *w, const char *id);
void slk_file_free(struct slk_file *f);
/* Records that a message shares the file. */
void slk_file_share(struct slk_file *f, const struct slk_conv *c, int64_t ts, int64_t thread);
/* The file object, owned by the caller; base is the platform's URL. */
struct json_object *slk_file_json(const struct slk_file *f, const char *base);
/* Drops the content; where it was shared, a tombstone stays, and the apps are told. */
void slk_file_delete(struct slk_file *f);
/* Does the app see it: its own, or shared where the app reads? */
bool slk_file_sees(const struct slk_file *f, const struct slk_app *a);
/* Appends the content. */
void slk_file_write(const struct slk_file *f, struct buf *out);

/* Messages with files. Those of an app appear some time after the response of
 * files.completeUploadExternal. */

/* Schedules a message with the files of [{"id"},...]; comment may be NULL. */
void slk_share_later(
    struct slk_conv *c, struct slk_app *a, int64_t thread, const char *comment, struct json_object *files);
/* Attaches a file to a new message, which becomes a file_share. */
void slk_share_attach(struct slk_conv *c, struct slk_message *m, struct slk_file *f);
/* Cancels scheduled messages. */
void slk_shares_clear(struct slk_world *w);

/* mrkdwn, the text of messages: & < > are entities, <...> is a mention or a link. */

/* Converts typed text to mrkdwn: "@name" of a known user becomes a mention, except in code. */
void slk_text_typed(const struct slk_world *w, const char *typed, struct buf *out);
/* Converts mrkdwn to what a person sees; formatting characters stay. */
void slk_text_seen(const struct slk_world *w, const char *text, struct buf *out);

#endif
