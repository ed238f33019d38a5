#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "playground/slack/socket/socket.h"
#include "playground/slack/world/world_internal.h"

struct slk_app *slk_app_new(struct slk_world *w)
{
	struct slk_app *a = xcalloc(1, sizeof(*a));
	size_t n = 1;
	char seed[32];

	for (struct list *it = w->apps.next; it != &w->apps; it = it->next)
		n++;
	snprintf(seed, sizeof(seed), "app %zu", n);
	a->world = w;
	slk_make_id(a->app_id, 'A', seed);
	slk_make_id(a->bot_id, 'B', seed);
	slk_make_id(a->user_id, 'U', seed);
	a->name = n == 1 ? xstrdup("myna") : xasprintf("myna%zu", n);
	list_init(&a->sockets);
	list_init(&a->envelopes);
	list_append(&w->apps, &a->link);
	return a;
}

void slk_app_free(struct slk_app *a)
{
	slk_envelopes_clear(a);
	slk_limits_clear(&a->limits);
	list_remove(&a->link);
	free(a->name);
	free(a->bot_token);
	free(a->app_token);
	free(a);
}

static bool same_end(const char *token, const char *other)
{
	return other && strcmp(strrchr(token, '-'), strrchr(other, '-')) == 0;
}

static char **slot_of(struct slk_app *a, const char *token)
{
	return strncmp(token, "xapp-", 5) == 0 ? &a->app_token : &a->bot_token;
}

static struct slk_app *claim(struct slk_app *a, const char *token)
{
	*slot_of(a, token) = xstrdup(token);
	return a;
}

struct slk_app *slk_app_of_token(struct slk_world *w, const char *token)
{
	struct slk_app *lacking = NULL;

	list_each_entry(&w->apps, struct slk_app, a, link)
		if (*slot_of(a, token) && strcmp(*slot_of(a, token), token) == 0)
			return a;
	list_each_entry(&w->apps, struct slk_app, a, link) {
		if (*slot_of(a, token))
			continue;
		lacking = a;
		if (same_end(token, a->bot_token) || same_end(token, a->app_token))
			return claim(a, token);
	}
	return claim(lacking ? lacking : slk_app_new(w), token);
}

/* "bot" and "bot2" name the apps on each platform. */
static bool is_called(const struct slk_app *a, const char *name)
{
	return strcmp(name, a->name) == 0 ||
	    (strncmp(name, "bot", 3) == 0 && strncmp(a->name, "myna", 4) == 0 &&
		strcmp(name + 3, a->name + 4) == 0);
}

struct slk_app *slk_app_find(const struct slk_world *w, const char *id)
{
	for (const struct list *it = w->apps.next; it != &w->apps; it = it->next) {
		struct slk_app *a = list_entry(it, struct slk_app, link);

		if (strcmp(id, a->app_id) == 0 || strcmp(id, a->bot_id) == 0 || strcmp(id, a->user_id) == 0 ||
		    is_called(a, id))
			return a;
	}
	return NULL;
}

struct slk_app *slk_app_choose(struct slk_world *w, const char *id, struct error *err)
{
	struct slk_app *a;

	if (!id)
		return list_is_empty(&w->apps) ? slk_app_new(w) :
						 list_entry(w->apps.prev, struct slk_app, link);
	a = slk_app_find(w, id);
	if (!a)
		error_set(err, ERROR_OURS, "no app with id %.24s has appeared", id);
	return a;
}

struct json_object *slk_app_user_json(const struct slk_app *a)
{
	struct slk_user user = {.name = a->name};
	struct json_object *o;

	str_copy(user.id, sizeof(user.id), a->user_id);
	o = slk_user_json(&user);
	json_set_bool(o, "is_bot", true);
	json_set_str(json_get_object(o, "profile"), "bot_id", a->bot_id);
	json_set_str(json_get_object(o, "profile"), "api_app_id", a->app_id);
	return o;
}

struct json_object *slk_app_profile_json(const struct slk_app *a)
{
	static const int sizes[] = {36, 48, 72};
	struct json_object *o = json_object_new_object(), *icons = json_object_new_object();

	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		char name[16], url[80];

		snprintf(name, sizeof(name), "image_%d", sizes[i]);
		snprintf(
		    url, sizeof(url), "https://a.slack-edge.com/80588/img/plugins/app/bot_%d.png", sizes[i]);
		json_set_str(icons, name, url);
	}
	json_setf(o,
	    "icons: %p, id: %s, deleted: false, name: %s, updated: %jd, app_id: %s, user_id: %s, team_id: %s",
	    icons, a->bot_id, a->name, clock_wall() / 1000, a->app_id, a->user_id, SLK_TEAM);
	return o;
}

void slk_app_revoke(struct slk_app *a)
{
	struct json_object *o = json_object_new_object(), *tokens = json_object_new_object(),
			   *bots = json_object_new_array();

	json_object_array_add(bots, json_object_new_string(a->user_id));
	json_setf(tokens, "oauth: %p, bot: %p", json_object_new_array(), bots);
	json_setf(o, "type: 'tokens_revoked', tokens: %p", tokens);
	slk_event_send_to(a, o);
	a->revoked = true;
}

void slk_app_uninstall(struct slk_app *a)
{
	struct json_object *o = json_object_new_object();

	json_set_str(o, "type", "app_uninstalled");
	slk_event_send_to(a, o);
	slk_app_revoke(a);
}
