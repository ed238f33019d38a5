#include <string.h>

#include "playground/slack/control/control.h"

static void enter(const struct slk_context *s, bool new, bool named)
{
	if (new && s->conv->kind == SLK_IM)
		slk_event_opened(s->conv, "messages", NULL);
	if (s->conv->kind == SLK_IM)
		return;
	if ((new || named) && !slk_conv_has(s->conv, s->app->user_id)) {
		slk_conv_add(s->conv, s->app->user_id);
		if (!new)
			slk_event_member(s->conv, s->app->user_id, 1, NULL);
	}
	if (s->user && !slk_conv_has(s->conv, s->user->id)) {
		slk_conv_add(s->conv, s->user->id);
		if (!new)
			slk_event_member(s->conv, s->user->id, 1, NULL);
	}
}

int slk_context_read(
    struct slk_world *w, struct json_object *in, bool create, struct slk_context *s, struct error *err)
{
	const char *user = members_string(in, "user"), *bot = members_string(in, "bot");
	struct slk_conv_query query = {
	    .chat = members_string(in, "chat"),
	    .kind = json_get_str(in, "kind"),
	    .user = user,
	};
	bool new = false;

	*s = (struct slk_context){.app = slk_app_choose(w, bot, err)};
	if (!s->app)
		return -1;
	query.app = s->app;
	s->conv = create ? slk_conv_get(w, &query, &new, err) : slk_conv_lookup(w, &query, err);
	if (!s->conv)
		return -1;
	s->user = s->conv->user;
	if (user) {
		s->user = slk_get_user(w, user, err);
		if (!s->user)
			return -1;
	}
	if (s->conv->user && s->user != s->conv->user)
		return error_set(
		    err, ERROR_OURS, "a direct message is with %.64s alone", s->conv->user->name);
	if (create)
		enter(s, new, bot);
	return 0;
}

int slk_context_person(struct slk_world *w, struct json_object *in, struct slk_context *s, struct error *err)
{
	const char *user = members_string(in, "user");

	*s = (struct slk_context){.app = slk_app_choose(w, members_string(in, "bot"), err)};
	if (!s->app)
		return -1;
	if (!user)
		return error_set(err, ERROR_OURS, "say which \"user\" acts");
	s->user = slk_get_user(w, user, err);
	return s->user ? 0 : -1;
}

struct slk_view *slk_context_view(
    struct slk_world *w, const struct slk_context *s, const char *which, struct error *err)
{
	struct slk_view *v = !which || strcmp(which, "modal") == 0 ? slk_view_top(w, NULL, s->user) :
	    strcmp(which, "home") == 0                             ? slk_view_home(w, s->app, s->user) :
								     slk_view_find(w, which);

	if (v && v->user == s->user)
		return v;
	error_set(err, ERROR_OURS, "%.64s sees no such view: %.24s", s->user->name, which ? which : "modal");
	return NULL;
}

struct slk_message *slk_context_message(
    const struct slk_context *s, struct json_object *in, const char *key, struct error *err)
{
	const char *text = members_string(in, key);
	bool newest = given_is_newest(text);
	int64_t ts = 0;

	if (newest || slk_read_ts(text, &ts)) {
		for (size_t i = s->conv->count; i-- > 0;) {
			struct slk_message *m = s->conv->messages[i];

			if (!m->deleted && (newest ? !m->notice && !m->tombstone : m->ts == ts))
				return m;
		}
	}
	given_no_message(key, text, err);
	return NULL;
}

int slk_context_on(struct slk_world *w, struct json_object *in, struct slk_context *s, struct slk_message **m,
    struct error *err)
{
	if (slk_context_read(w, in, false, s, err) != 0)
		return -1;
	*m = slk_context_message(s, in, "message_id", err);
	return *m ? 0 : -1;
}
