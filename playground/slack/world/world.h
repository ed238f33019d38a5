#ifndef PLAYGROUND_SLACK_WORLD_WORLD_H
#define PLAYGROUND_SLACK_WORLD_WORLD_H
/* The state of the simulated workspace: users, apps, conversations, files; and its settings. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/list.h"
#include "base/task.h"
#include "base/time/clock.h"
#include "playground/world/map.h"
#include "playground/world/json_format.h"

struct error;
struct json_object;
struct playground;
struct record_log;
struct slk_delivery;

/* The Slack settings of POST /control/settings. */

#define SLK_RETRIES      3
#define SLK_SCOPES_MAX   64
#define SLK_SCOPE_SIZE   32
#define SLK_DOMAINS_MAX  5 /* docs.slack.dev/messaging/unfurling-links-in-messages */
#define SLK_DOMAIN_SIZE  64
#define SLK_COMMANDS_MAX 25 /* per app: docs.slack.dev/interactivity/implementing-slash-commands */

enum slk_mentions {
	SLK_MENTIONS_ALTERNATE,
	SLK_MENTION_FIRST,
	SLK_MESSAGE_FIRST,
	SLK_MENTION_ONLY,
	SLK_MESSAGE_ONLY
};

struct slk_command {
	char name[33]; /* with its slash */
	char about[128];
};

struct slk_settings {
	bool limits;
	bool file_redirect;            /* downloads redirect to another host */
	enum slk_mentions mentions;    /* the two events of a mention */
	int64_t ack_ms;                /* Events API: 3 s */
	int64_t retry_ms[SLK_RETRIES]; /* delays after failed attempts: 0, 1 min, 5 min */
	/* Undocumented: the defaults of these; they are what clients expect, or have logged. */
	int64_t hello_ms;     /* delay of a connection's hello */
	int64_t ping_ms;      /* interval of server pings */
	int64_t pong_ms;      /* maximum silence of the client */
	int64_t connection_s; /* lifetime of a connection */
	int64_t close_ms;     /* from the disconnect message to the close */
	int64_t fragments;    /* frames per envelope */
	int64_t stream_ms;    /* maximum duration of a stream */
	int64_t share_ms;     /* from files.completeUploadExternal to the message with the files */
	size_t missing_count; /* scopes that tokens lack */
	char missing[SLK_SCOPES_MAX][SLK_SCOPE_SIZE];
	int64_t trigger_ms;    /* lifetime of a trigger_id */
	char request_url[512]; /* of events, commands and interactions over HTTP; "": none */
	char signing_secret[65];
	size_t domain_count; /* whose links the app unfurls */
	char domains[SLK_DOMAINS_MAX][SLK_DOMAIN_SIZE];
	size_t command_count; /* commands in app manifests; 0: any is accepted, none is offered */
	struct slk_command commands[SLK_COMMANDS_MAX];
};

void slk_settings_init(struct slk_settings *s);
/* Applies the settings in `in`; on failure changes none. */
int slk_settings_set(struct slk_settings *s, struct json_object *in, struct error *err);
void slk_settings_write(const struct slk_settings *s, struct json_object *out);
/* [{"command","description"}] */
struct json_object *slk_settings_commands(const struct slk_settings *s);
/* Does this command exist? name includes the slash. */
bool slk_settings_command(const struct slk_settings *s, const char *name);
/* Do tokens have this scope? */
bool slk_settings_scope(const struct slk_settings *s, const char *scope);

/* The state of the simulated workspace: users, apps, conversations, files. */

#define SLK_ID_SIZE       24
#define SLK_TEAM          "T0PLAYGRND"
#define SLK_EMAIL_DOMAIN  "playground.example"
#define SLK_EMAIL_SIZE    96
#define SLK_VERIFICATION  "playground-verification-token"
#define SLK_EVENT_CONTEXT "4-playground"

struct slk_user {
	struct list link;
	char id[SLK_ID_SIZE];
	char *name; /* name in the control interface; the id if unnamed */
	bool disabled;
	bool away;            /* presence */
	int64_t snooze_until; /* of Do Not Disturb, Unix time */
	/* What an app has offered last in a menu that asks it: "query", "place" and its "answer"; NULL:
	 * nothing. Not kept over a restart. */
	struct json_object *offered;
};

struct slk_world {
	struct playground *pg;
	struct record_log *log;
	struct list users, apps, convs, files;  /* in order of creation */
	struct list tickets;                    /* of apps.connections.open */
	struct list shares;                     /* scheduled messages with files */
	struct list hooks;                      /* issued response_urls */
	struct list views, triggers;            /* see app.h */
	struct list scheduled;                  /* see conversation.h */
	struct json_object *emoji;              /* custom: name to URL or "alias:NAME" */
	struct json_object *usergroups, *calls; /* as the API shows them; NULL: none */
	struct map
	    by_id; /* users, conversations and files by hash of their id; direct messages also by both */
	int64_t last_ts; /* microseconds of the newest ts */
	uint64_t last_event, last_number;
	size_t loaded_apps;       /* while a state is read */
	size_t unacknowledged[3]; /* envelopes not acknowledged in time, by enum slk_envelope_type */
	bool mention_turn;        /* alternates the order of a mention's two events */
	char base[128];           /* "http://HOST/slack/", as clients name this server */
	struct slk_settings set;
	/* request_url.c */
	struct slk_delivery *challenge;
	struct clock_timer challenge_timer;
	int url_state; /* enum slk_url_state */
	char *url_problem;
	bool stopping;
};

/* Returns a hash, the same in every run. */
uint64_t slk_hash(const char *text);
/* Is text an id that starts with one of the letters? */
bool slk_is_id(const char *text, const char *letters);
/* Derives an id from letter and name. */
void slk_make_id(char out[SLK_ID_SIZE], char letter, const char *name);
/* Creates an unused id. */
void slk_new_id(struct slk_world *w, char out[SLK_ID_SIZE], char letter);

/* Returns an unused ts in microseconds since 1970. */
int64_t slk_new_ts(struct slk_world *w);
/* Formats a ts: "1790000000.000200". */
void slk_write_ts(int64_t ts, char out[SLK_ID_SIZE]);
/* Parses a ts; returns false if malformed. */
bool slk_read_ts(const char *text, int64_t *ts);

struct slk_user *slk_find_user(const struct slk_world *w, const char *id_or_name);
/* Creates a new user if unknown. Returns NULL with err set for an invalid name. */
struct slk_user *slk_get_user(struct slk_world *w, const char *id_or_name, struct error *err);
void slk_rename_user(struct slk_world *w, struct slk_user *u, const char *name);
/* The user object of users.info. The caller owns it. */
struct json_object *slk_user_json(const struct slk_user *u);

/* Returns the object of the list, which may be NULL, that has this id, borrowed; NULL: none. */
struct json_object *slk_by_id(struct json_object *list, const char *id);

/* The object of dnd.teamInfo; NULL: of an app. The caller owns it. */
struct json_object *slk_dnd_json(const struct slk_user *u);

/* The address that users.lookupByEmail finds: the name with dots for what is no letter or digit. */
void slk_user_email(const struct slk_user *u, char out[SLK_EMAIL_SIZE]);

/* Drops users, conversations and files; keeps apps. */
void slk_world_forget(struct slk_world *w);

/* Saves and loads the world as JSON, for --data; without connections, pending deliveries, streams,
 * statuses and rate limits. */

struct json_object *slk_persist_save(void *self);
/* Loads into an empty world. */
int slk_persist_load(void *self, struct json_object *state, struct error *err);

#endif
