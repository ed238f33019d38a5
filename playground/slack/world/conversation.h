#ifndef PLAYGROUND_SLACK_WORLD_CONVERSATION_H
#define PLAYGROUND_SLACK_WORLD_CONVERSATION_H
/* Conversations, and the messages that are scheduled for them. */
#include "playground/slack/world/world.h"
#include "playground/world/timer.h"

struct buf;
struct json_object;
struct slk_app;
struct slk_content;
struct slk_message;

/* A conversation: direct message, group direct message, public or private channel. */

#define SLK_STATUS_MS 120000 /* assistant.threads.setStatus: expires after two minutes */

enum slk_kind { SLK_IM, SLK_MPIM, SLK_PRIVATE, SLK_PUBLIC };

struct slk_status { /* assistant.threads.setStatus */
	struct list link;
	int64_t thread;
	char *text;
	uint64_t until_ms;
};

struct slk_conv {
	struct list link;
	struct slk_world *world;
	char id[SLK_ID_SIZE];
	enum slk_kind kind;
	char *name;            /* of channels; NULL: a direct message */
	struct slk_user *user; /* of a direct message, with app; NULL: a channel */
	struct slk_app *app;
	int64_t created;                     /* Unix time */
	char creator[SLK_ID_SIZE];           /* "": a person, by way of the control interface */
	struct json_object *topic, *purpose; /* {"value","creator","last_set"}; NULL: none */
	struct json_object *previous_names;  /* NULL: none */
	struct json_object *pins;            /* as in pins.list without the messages, with "ts"; NULL: none */
	struct json_object *bookmarks;       /* as in bookmarks.list; NULL: none */
	struct json_object *assistants;      /* threads by ts: see slk_conv_assistant; NULL: none */
	int64_t last_read;                   /* ts, of conversations.mark */
	bool closed;                         /* a direct message that the app has closed */
	const char *refusal;                 /* error of every write, a literal; NULL: none */
	struct slk_message **messages;       /* by ts */
	size_t count, cap;
	char (*members)[SLK_ID_SIZE]; /* users and bot users in join order */
	size_t member_count;
	struct list statuses;
};

/* A conversation as a control request names it, by "chat", "kind" and "user". */
struct slk_conv_query {
	const char *chat, *kind, *user;
	struct slk_app *app;
};

struct slk_conv *slk_conv_find(const struct slk_world *w, const char *id);
/* Finds a channel by name, without #. */
struct slk_conv *slk_conv_named(const struct slk_world *w, const char *name);
/* Find the conversation, or return NULL with err set. slk_conv_get creates it and sets created, which may
 * be NULL. */
struct slk_conv *slk_conv_lookup(struct slk_world *w, const struct slk_conv_query *query, struct error *err);
struct slk_conv *slk_conv_get(
    struct slk_world *w, const struct slk_conv_query *query, bool *created, struct error *err);
/* Returns the direct message of the two; creates it with that id, or a new one for NULL. */
struct slk_conv *slk_conv_im(struct slk_app *a, struct slk_user *u, const char *id, bool *created);
/* Creates an empty conversation, for loading the state. */
struct slk_conv *slk_conv_new(struct slk_world *w, const char *id, enum slk_kind kind, const char *name);
/* Makes it the direct message of the two. */
void slk_conv_set_pair(struct slk_conv *c, struct slk_app *a, struct slk_user *u);
void slk_conv_free(struct slk_conv *c);

bool slk_conv_has(const struct slk_conv *c, const char *member);
void slk_conv_add(struct slk_conv *c, const char *member);
void slk_conv_remove(struct slk_conv *c, const char *member);
/* Somebody joins or leaves, one of u and a, and the apps are told. inviter: an id; NULL: nobody. */
void slk_conv_enter(struct slk_conv *c, struct slk_user *u, struct slk_app *a, const char *inviter);
void slk_conv_leave(struct slk_conv *c, struct slk_user *u, struct slk_app *a);
bool slk_conv_is_archived(const struct slk_conv *c);
/* Archives it, or brings it back, and tells the apps. user: the id of who does it, or NULL. */
void slk_conv_archive(struct slk_conv *c, bool archive, const char *user);
/* Renames a channel, and tells the apps. u and a: who does it; both may be NULL. */
void slk_conv_rename(struct slk_conv *c, const char *name, struct slk_user *u, struct slk_app *a);
/* Sets "topic" or "purpose", and tells the apps. u and a: who does it, one of them. */
void slk_conv_set_note(
    struct slk_conv *c, const char *key, const char *value, struct slk_user *u, struct slk_app *a);
/* Does the app see it? Public channels are visible to all, others to members. */
bool slk_conv_sees(const struct slk_conv *c, const struct slk_app *a);

/* Return "channel", "group", "im" or "mpim" as in events, and the name in the control interface. */
const char *slk_conv_type(const struct slk_conv *c);
const char *slk_conv_control_kind(const struct slk_conv *c);
/* The channel object; the caller owns it. */
struct json_object *slk_conv_json(const struct slk_conv *c, const struct slk_app *a);

/* What the app has set in a thread with people, and where they are: {"title","prompts","prompts_title",
 * "context"}, and a session. NULL: nothing, and it is not to be created. */
struct json_object *slk_conv_assistant(struct slk_conv *c, int64_t thread, bool create);
/* Sets the title of the thread, which its first message may have, too. */
void slk_conv_set_title(struct slk_conv *c, int64_t thread, const char *title);
/* Returns the current status of the thread (0: of any), or NULL. */
const char *slk_conv_status(struct slk_conv *c, int64_t thread);
/* text "" clears the status. */
void slk_conv_set_status(struct slk_conv *c, int64_t thread, const char *text);

/* Sessions of agents in threads (docs.slack.dev/ai/agent-sessions). A session is kept with what apps have set
 * in its thread: {"title","status","agents":{"U…":{"status","until"}}}; until: the Unix time when processing
 * ends by itself; 0: it does not process. */

#define SLK_SESSION_TITLE_MAX 200 /* characters */

bool slk_session_is_status(const char *status);
/* Returns the session of the thread, borrowed; NULL: there is none. */
struct json_object *slk_session_find(const struct slk_conv *c, int64_t thread);
/* Returns the status of that agent in the session; NULL: it takes no part. */
const char *slk_session_agent(struct json_object *session, const struct slk_app *a);
/* Sets the status of that agent; creates the session. */
void slk_session_set_status(struct slk_conv *c, int64_t thread, const struct slk_app *a, const char *status);
/* As messages have it in histories. The caller owns it. */
struct json_object *slk_session_json(struct json_object *session);
/* Brings the statuses of all sessions up to date. */
void slk_sessions_settle(struct slk_conv *c);

/* Messages that an app has scheduled; each is posted at its time. */

struct slk_scheduled {
	struct list link;
	char id[SLK_ID_SIZE];
	struct slk_conv *conv;
	struct slk_app *app;
	int64_t thread;           /* ts; 0: none */
	int64_t post_at, created; /* Unix time */
	bool broadcast;
	struct json_object *content; /* text, markdown, blocks, attachments, metadata */
	struct world_timer timer;
};

/* thread 0: none. Copies content. */
struct slk_scheduled *slk_scheduled_new(struct slk_conv *c, struct slk_app *a, int64_t thread, bool broadcast,
    int64_t post_at, const struct slk_content *content);
void slk_scheduled_free(struct slk_scheduled *s);
void slk_scheduled_clear(struct slk_world *w);
/* As in chat.scheduledMessages.list. The caller owns it. */
struct json_object *slk_scheduled_json(const struct slk_scheduled *s);

/* For the state file. The caller owns the result; load returns -1 for a damaged one. */
struct json_object *slk_scheduled_save(const struct slk_scheduled *s);
int slk_scheduled_load(struct slk_world *w, struct json_object *o);

#endif
