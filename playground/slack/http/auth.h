#ifndef PLAYGROUND_SLACK_HTTP_AUTH_H
#define PLAYGROUND_SLACK_HTTP_AUTH_H
/* Tokens: any well-formed one belongs to an app. One with "revoked", "expired" or "inactive" in it is
 * answered so. */
struct buf;
struct exchange;
struct slk_app;
struct slk_call;
struct slk_world;

/* Finds the app of the call's token, and checks kind and scope. */
int slk_auth_check(struct slk_call *call);
/* Appends the scopes that tokens have, with commas. */
void slk_auth_scopes(struct slk_world *w, struct buf *out);
/* The app of a request's bearer token, for what is not a method; NULL when it is none that is good. */
struct slk_app *slk_auth_bearer(struct slk_world *w, struct exchange *ex);

#endif
