#include <string.h>

#include "base/error.h"
#include "base/json/json.h"
#include "playground/world/json_members.h"
#include "playground/slack/world/app.h"
#include "playground/slack/world/conversation.h"
#include "playground/slack/control/actions.h"
#include "playground/slack/socket/event.h"
#include "playground/slack/world/message.h"

/* Events API, app_home_opened: a person has opened the messages of the app. */
static void tell_opened(const struct slk_context *s)
{
	struct json_object *o = json_object_new_object();

	json_set_str(o, "type", "app_home_opened");
	json_set_str(o, "user", s->conv->user->id);
	json_set_str(o, "channel", s->conv->id);
	json_set_str(o, "tab", "messages");
	slk_event_send(s->conv, o);
}

static void enter(const struct slk_context *s, bool new, bool named)
{
	if (new && s->conv->kind == SLK_IM)
		tell_opened(s);
	if (s->conv->kind == SLK_IM)
		return;
	if ((new || named) && !slk_conv_has(s->conv, s->app->user_id)) {
		slk_conv_add(s->conv, s->app->user_id);
		if (!new)
			slk_event_member(s->conv, s->app->user_id, 1);
	}
	if (s->user && !slk_conv_has(s->conv, s->user->id)) {
		slk_conv_add(s->conv, s->user->id);
		if (!new)
			slk_event_member(s->conv, s->user->id, 1);
	}
}

int slk_context_read(
    struct slk_world *w, struct json_object *in, bool create, struct slk_context *s, struct error *err)
{
	const char *user = members_string(in, "user"), *bot = members_string(in, "bot");
	struct slk_wish wish = {
	    .chat = members_string(in, "chat"),
	    .kind = json_get_str(in, "kind"),
	    .user = user,
	};
	bool new = false;

	*s = (struct slk_context){.app = slk_app_choose(w, bot, err)};
	if (!s->app)
		return -1;
	wish.app = s->app;
	s->conv = create ? slk_conv_get(w, &wish, &new, err) : slk_conv_look(w, &wish, err);
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

struct slk_message *slk_context_message(
    const struct slk_context *s, struct json_object *in, const char *key, struct error *err)
{
	const char *text = members_string(in, key);
	int64_t ts;

	if (slk_read_ts(text, &ts)) {
		for (size_t i = s->conv->count; i-- > 0;)
			if (s->conv->messages[i]->ts == ts && !s->conv->messages[i]->deleted)
				return s->conv->messages[i];
	}
	error_set(err, ERROR_OURS, "%s: there is no message %.24s in that chat", key, text ? text : "(none)");
	return NULL;
}
