#ifndef PLAYGROUND_SLACK_HTTP_AUTH_H
#define PLAYGROUND_SLACK_HTTP_AUTH_H
/* Checks tokens: any well-formed token belongs to an app. One that contains "revoked", "expired" or
 * "inactive" gets that error. */
struct buf;
struct exchange;
struct slk_app;
struct slk_call;
struct slk_world;

/* Finds the app of the call's token and checks token type and scope. */
int slk_auth_check(struct slk_call *call);
/* Appends the granted scopes, comma-separated. */
void slk_auth_scopes(struct slk_world *w, struct buf *out);
/* Checks the scope that the method wants for that kind of conversation (enum slk_kind); one of several will
 * do. Returns -1 after slk_fail. */
int slk_auth_check_kind(struct slk_call *call, int kind);
/* Returns the app of a request's bearer token outside of methods, or NULL if it is invalid. */
struct slk_app *slk_auth_bearer(struct slk_world *w, struct exchange *ex);

#endif
