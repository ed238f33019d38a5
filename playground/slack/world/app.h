#ifndef PLAYGROUND_SLACK_WORLD_APP_H
#define PLAYGROUND_SLACK_WORLD_APP_H
/* An app that is installed in the workspace, with its bot user and its two tokens. */
#include "playground/slack/http/rate_limit.h"
#include "playground/slack/world/world.h"

#define SLK_SOCKETS_MAX 10 /* Socket Mode: connections of an app */

struct slk_app {
	struct list link;
	struct slk_world *world;
	char app_id[SLK_ID_SIZE], bot_id[SLK_ID_SIZE], user_id[SLK_ID_SIZE];
	char *name;                  /* of the bot user */
	char *bot_token, *app_token; /* NULL: not seen yet */
	struct list sockets;         /* struct slk_socket */
	struct list envelopes;       /* struct slk_envelope: not acknowledged yet */
	struct slk_limits limits;
	size_t turn;          /* whose turn among the sockets it is */
	char next_action[24]; /* what the next connection hears in place of its hello; "": nothing */
};

/* The app of a well-formed token, created or completed when new. The two tokens of an app end in the same
 * part (xoxb-1-2-NAME, xapp-1-A2-3-NAME); one that finds nobody else goes to the app that lacks one of its
 * kind. */
struct slk_app *slk_app_of_token(struct slk_world *w, const char *token);
/* The one that a control request means: by app_id, bot_id, user_id or name, else the newest, else one that is
 * not connected yet. NULL with err set for an unknown id. */
struct slk_app *slk_app_choose(struct slk_world *w, const char *id, struct error *err);
/* By app_id, bot_id, user_id or name; NULL when there is none. */
struct slk_app *slk_app_find(const struct slk_world *w, const char *id);
/* Empty of tokens; for the state of an earlier run. */
struct slk_app *slk_app_new(struct slk_world *w);
/* Its sockets must be gone. */
void slk_app_free(struct slk_app *a);
/* The bot user as users.info shows it, and the bot_profile of a message. The caller's. */
struct json_object *slk_app_user_json(const struct slk_app *a);
struct json_object *slk_app_profile_json(const struct slk_app *a);

#endif
