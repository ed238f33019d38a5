#ifndef PLAYGROUND_SLACK_WORLD_VIEW_H
#define PLAYGROUND_SLACK_WORLD_VIEW_H
/*
 * Views: the modals that a person has open, one above the other, and the App Home that an app has published
 * for a person. And the triggers by which an app opens modals: each action of a person gives one, which is
 * good once, for three seconds.
 */
#include "playground/slack/world/world.h"

struct json_object;
struct slk_app;

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

#endif
