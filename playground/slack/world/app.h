#ifndef PLAYGROUND_SLACK_WORLD_APP_H
#define PLAYGROUND_SLACK_WORLD_APP_H
/* An installed app with its bot user and its two tokens. */
#include "playground/slack/http/rate_limit.h"
#include "playground/slack/world/world.h"

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
/* Its sockets must have ended. */
void slk_app_free(struct slk_app *a);
/* The bot user as in users.info, and a message's bot_profile. The caller owns them. */
struct json_object *slk_app_user_json(const struct slk_app *a);
struct json_object *slk_app_profile_json(const struct slk_app *a);

#endif
