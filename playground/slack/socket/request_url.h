#ifndef PLAYGROUND_SLACK_SOCKET_REQUEST_URL_H
#define PLAYGROUND_SLACK_SOCKET_REQUEST_URL_H
/*
 * Events, commands and interactions over HTTP, for apps without an app-level token: POST to the request URL
 * of the settings, signed with the signing secret
 * (docs.slack.dev/authentication/verifying-requests-from-slack). A new URL must first answer a challenge.
 */
#include <stdbool.h>

#include "playground/slack/world/world.h"

struct json_object;
struct slk_app;
struct slk_envelope;

enum slk_url_state { SLK_URL_NONE, SLK_URL_PENDING, SLK_URL_VERIFIED, SLK_URL_FAILED };

/* The settings have a URL, other than before or "": verifies it. */
void slk_request_url_set(struct slk_world *w);
/* Sets request_url_state, as in settings. */
void slk_request_url_write(const struct slk_world *w, struct json_object *out);
/* Does the app get its envelopes there? */
bool slk_request_url_serves(const struct slk_app *a);
/* Is it being verified? What is to be sent waits until then. */
bool slk_request_url_waits(const struct slk_world *w);
/* Sends it, and says slk_envelope_delivered some time after. Leaves e->delivery NULL when it cannot. */
void slk_request_url_post(struct slk_envelope *e);
/* The envelope goes away, or has waited long enough: late. */
void slk_request_url_forget(struct slk_envelope *e, bool late);
/* The playground stops: what is on its way is sent again after the next start. self is the world. */
void slk_request_urls_stop(void *self);

#endif
