#ifndef PLAYGROUND_SLACK_WORLD_RESPONSE_URL_H
#define PLAYGROUND_SLACK_WORLD_RESPONSE_URL_H
/* The response_url of an interaction or slash command: valid for five uses within 30 minutes. */
#include "playground/slack/socket/envelope.h"
#include "playground/slack/world/world.h"

struct exchange;
struct json_object;
struct slk_app;
struct slk_conv;

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
