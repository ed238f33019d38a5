#ifndef PLAYGROUND_SLACK_WORLD_APP_H
#define PLAYGROUND_SLACK_WORLD_APP_H
/* An app, the views that it shows, and the URLs by which it answers later. */
#include "playground/slack/http/rate_limit.h"
#include "playground/slack/socket/socket.h"
#include "playground/slack/world/world.h"

struct exchange;
struct json_object;
struct slk_conv;

/* An installed app with its bot user and its two tokens. */

#define SLK_SOCKETS_MAX 10 /* Socket Mode: connections per app */

struct slk_app {
	struct list link;
	struct slk_world *world;
	char app_id[SLK_ID_SIZE], bot_id[SLK_ID_SIZE], user_id[SLK_ID_SIZE];
	char *name;                  /* of the bot user */
	char *bot_token, *app_token; /* NULL: not seen yet */
	bool revoked;                /* its bot token, by auth.revoke */
	bool away;                   /* presence */
	struct list sockets;         /* struct slk_socket */
	struct list envelopes;       /* struct slk_envelope: unacknowledged */
	struct slk_limits limits;
	size_t turn;          /* index for the round robin over sockets */
	char next_action[24]; /* sent to the next connection instead of its hello; "": none */
};

/* Returns the app of a well-formed token; creates or completes it. Both tokens of an app end alike
 * (xoxb-1-2-NAME, xapp-1-A2-3-NAME); a token without a partner goes to the app that lacks one of its type. */
struct slk_app *slk_app_of_token(struct slk_world *w, const char *token);
/* Returns the app for a control request: by app_id, bot_id, user_id or name, else the newest, else an
 * unconnected one. NULL with err set for an unknown id. */
struct slk_app *slk_app_choose(struct slk_world *w, const char *id, struct error *err);
/* By app_id, bot_id, user_id or name; NULL when there is none. */
struct slk_app *slk_app_find(const struct slk_world *w, const char *id);
/* Creates an app without tokens, for loading the state. */
struct slk_app *slk_app_new(struct slk_world *w);

/* Revokes the bot token, and sends the app the event. */
void slk_app_revoke(struct slk_app *a);
/* The same for an app that is removed from the workspace. */
void slk_app_uninstall(struct slk_app *a);
/* Its sockets must have ended. */
void slk_app_free(struct slk_app *a);
/* The bot user as in users.info, and a message's bot_profile. The caller owns them. */
struct json_object *slk_app_user_json(const struct slk_app *a);
struct json_object *slk_app_profile_json(const struct slk_app *a);

/*
 * Views: the modals that a person has open, one above the other, and the App Home that an app has published
 * for a person. And the triggers by which an app opens modals: each action of a person gives one, which is
 * good once, for three seconds.
 */

#define SLK_VIEWS_MAX 3 /* modals above each other */

struct slk_view {
	struct list link;
	struct slk_app *app;
	struct slk_user *user;
	char id[SLK_ID_SIZE];
	char hash[48];
	struct json_object *o;      /* as the app gave it, with all ids */
	struct json_object *kept;   /* what the person has chosen: see slk_element_keep */
	struct json_object *errors; /* of the last submission, by block_id; NULL: none */
	const char *problem; /* what the person is told of the last submission, a literal; NULL: nothing */
	struct slk_view *previous; /* the modal below; NULL: none */
};

struct slk_trigger {
	struct list link;
	char id[64];
	struct slk_app *app;
	struct slk_user *user;
	uint64_t until_ms;
	bool used;
};

/* Creates a view of that person above previous, which may be NULL. Takes o. */
struct slk_view *slk_view_new(
    struct slk_app *a, struct slk_user *u, struct json_object *o, struct slk_view *previous);
/* Replaces what it shows. Takes o. */
void slk_view_set(struct slk_view *v, struct json_object *o);
/* Those above it stay. */
void slk_view_free(struct slk_view *v);
struct slk_view *slk_view_find(const struct slk_world *w, const char *id);
/* Finds the view that has this external_id. */
struct slk_view *slk_view_external(const struct slk_world *w, const char *external_id);
/* Returns the topmost modal that the person has open, of that app or, for NULL, of any; NULL: none. */
struct slk_view *slk_view_top(const struct slk_world *w, const struct slk_app *a, const struct slk_user *u);
/* Returns the published App Home of the person, or NULL. */
struct slk_view *slk_view_home(const struct slk_world *w, const struct slk_app *a, const struct slk_user *u);
bool slk_view_is_modal(const struct slk_view *v);
/* The number of modals from the lowest to this one. */
size_t slk_view_depth(const struct slk_view *v);
/* The view object of the API. The caller owns it. */
struct json_object *slk_view_json(const struct slk_view *v);
/* Closes the view and all below it. */
void slk_view_close_all(struct slk_view *v);
void slk_views_clear(struct slk_world *w);

/* For the state file. The caller owns the result; load returns -1 for a damaged one. */
struct json_object *slk_view_save(const struct slk_view *v);
int slk_view_load(struct slk_world *w, struct json_object *o);

const struct slk_trigger *slk_trigger_new(struct slk_app *a, struct slk_user *u);
/* Uses it up. Returns NULL and sets *t, or the error. */
const char *slk_trigger_take(struct slk_app *a, const char *id, struct slk_trigger **t);
void slk_triggers_clear(struct slk_world *w);

/* The response_url of an interaction or slash command: valid for five uses within 30 minutes. */

struct slk_response_url {
	struct list link;
	char secret[33];
	struct slk_app *app;
	struct slk_conv *conv;
	char user[SLK_ID_SIZE];
	int64_t message; /* ts of the message with the button; 0: a command's */
	int64_t thread;
	int uses;
	uint64_t until_ms;
};

struct slk_response_url *slk_response_url_new(
    struct slk_app *a, struct slk_conv *c, const struct slk_user *u, int64_t message, int64_t thread);
void slk_response_url_free(struct slk_response_url *h);
/* Sets it in o; what: the kind of interaction in its path. */
void slk_response_url_write(const struct slk_response_url *h, const char *what, struct json_object *o);
/* A slk_answer_fn: a slash command is answered in its acknowledgement. key: the secret. */
char *slk_response_url_answer(
    struct slk_app *a, const char *key, enum slk_outcome outcome, struct json_object *answer);
/* POST of a response_url; path is what follows the prefix of hooks. */
void slk_response_url_serve(struct slk_world *w, struct exchange *ex, const char *path);

#endif
