/* A person presses a key of the keyboard that a bot shows below the chat: it says its text, or shares what it
 * asks for. */
#include <string.h>

#include "playground/telegram/control/control.h"

static struct json_object *find_key(const struct message *m, const char *text)
{
	json_each(json_get_array(json_get(m->extra, ".keyboard"), "keyboard"), row)
		json_each(row, key) {
			const char *label = json_object_is_type(key, json_type_object) ?
			    json_get_str(key, "text") :
			    json_object_get_string(key);

			if (label && strcmp(label, text) == 0)
				return key;
		}
	return NULL;
}

/* Bot API, UsersShared: no more than the key allows. */
static struct json_object *share_users(
    struct world *w, struct json_object *wanted, struct json_object *names, struct error *err)
{
	struct json_object *users = json_object_new_array();

	if (json_count(names) == 0 || (int64_t)json_count(names) > json_get_int(wanted, "max_quantity", 1)) {
		error_set(err, ERROR_OURS, "say which \"users\" are shared, at most %lld",
		    (long long)json_get_int(wanted, "max_quantity", 1));
		goto fail;
	}
	json_each(names, name) {
		struct user *u;
		struct json_object *o;

		if (world_get_user(w, json_object_get_string(name), &u, err) != 0)
			goto fail;
		o = json_newf("{user_id: %jd}", u->id);
		if (json_get_bool(wanted, "request_name", false))
			json_set_str(o, "first_name", u->label);
		json_object_array_add(users, o);
	}
	return json_newf("{request_id: %jd, users: %p}", json_get_int(wanted, "request_id", 0), users);
fail:
	json_object_put(users);
	return NULL;
}

static struct json_object *share_chat(
    struct world *w, const struct actor *s, struct json_object *wanted, const char *name, struct error *err)
{
	bool channel = json_get_bool(wanted, "chat_is_channel", false);
	struct chat *c = name ? chat_find(w, &(struct chat_query){.chat = name, .bot = s->bot}, err) : NULL;
	struct json_object *o;

	if (!name)
		error_set(err, ERROR_OURS, "say which \"shared\" chat");
	if (!c)
		return NULL;
	if (c->kind == CHAT_PRIVATE || (c->kind == CHAT_CHANNEL) != channel) {
		error_set(err, ERROR_OURS, "the key asks for a %s", channel ? "channel" : "group");
		return NULL;
	}
	o = json_newf("{request_id: %jd, chat_id: %jd}", json_get_int(wanted, "request_id", 0), c->id);
	if (json_get_bool(wanted, "request_title", false))
		json_set_str(o, "title", c->title);
	return o;
}

/* What the person says with the key: members of "say". Returns NULL with err set. */
static struct json_object *say_by_key(struct world *w, const struct actor *s, struct json_object *in,
    struct json_object *key, struct error *err)
{
	static const struct {
		const char *asks, *given;
	} further[] = {{"request_location", "location"}, {"request_poll", "poll"}};
	struct json_object *say, *users = json_get_object(key, "request_users"),
				 *chat = json_get_object(key, "request_chat"), *shared = NULL;

	if (json_get_bool(key, "request_contact", false))
		return json_newf("{contact: {phone_number: '+15550100', first_name: %s, user_id: %jd}}",
		    s->user->label, s->user->id);
	for (size_t i = 0; i < ARRAY_LEN(further); i++) {
		struct json_object *asked = json_get(key, further[i].asks),
				   *value = json_get(in, further[i].given);

		if (!asked ||
		    (json_object_is_type(asked, json_type_boolean) && !json_object_get_boolean(asked)))
			continue;
		if (!value) {
			error_set(err, ERROR_OURS, "the key asks for a \"%s\"", further[i].given);
			return NULL;
		}
		say = json_object_new_object();
		json_set(say, further[i].given, json_object_get(value));
		return say;
	}
	if (users && (shared = share_users(w, users, json_get_array(in, "users"), err)))
		return json_newf("{shared: {users_shared: %p}}", shared);
	if (chat && (shared = share_chat(w, s, chat, members_string(in, "shared"), err)))
		return json_newf("{shared: {chat_shared: %p}}", shared);
	if (users || chat)
		return NULL;
	if (!json_get(key, "web_app"))
		return json_newf("{text: %s}", json_get_str(in, "button"));
	if (json_get_str(in, "data"))
		return json_newf("{shared: {web_app_data: {data: %s, button_text: %s}}}",
		    json_get_str(in, "data"), json_get_str(in, "button"));
	error_set(err, ERROR_OURS, "say which \"data\" the Mini App sends");
	return NULL;
}

int telegram_press_key(struct world *w, const struct actor *s, struct json_object *in,
    const struct message *m, struct json_object *out, struct error *err)
{
	static const char *const place[] = {"bot", "business", "chat", "kind", "user"};
	struct json_object *key = find_key(m, json_get_str(in, "button")),
			   *say = key ? say_by_key(w, s, in, key, err) : NULL;
	int ret;

	if (!key)
		return 1;
	if (!say)
		return -1;
	for (size_t i = 0; i < ARRAY_LEN(place); i++)
		if (json_get(in, place[i]))
			json_set(say, place[i], json_object_get(json_get(in, place[i])));
	if (m->thread != 0)
		json_set_int(say, "thread", m->thread);
	ret = telegram_control_say(w, say, out, err);
	json_object_put(say);
	return ret;
}
