#ifndef PLAYGROUND_SLACK_CONTROL_INTERACTION_H
#define PLAYGROUND_SLACK_CONTROL_INTERACTION_H
/* Payloads of interactions: what the app is told when a person uses an element, a shortcut or a modal
 * (docs.slack.dev/reference/interaction-payloads). */
struct error;
struct json_object;
struct slk_app;
struct slk_conv;
struct slk_message;
struct slk_user;
struct slk_view;

struct slk_interaction {
	struct slk_app *app;
	struct slk_user *user;
	struct slk_conv *conv;       /* NULL: none */
	struct slk_message *message; /* NULL: none */
	struct slk_view *view;       /* NULL: none */
};

/* The payload with who, where and, for all but view_closed, a trigger. The caller owns it. */
struct json_object *slk_interaction_new(const struct slk_interaction *i, const char *type);
/* Adds the surface that holds the element, and its state. */
void slk_interaction_set_container(const struct slk_interaction *i, struct json_object *o,
    struct json_object *blocks, struct json_object *kept);
/* Fails with what the platform shows when the app cannot be reached. */
int slk_interaction_fail(const char *what, struct error *err);

#endif
