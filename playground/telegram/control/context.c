#include "playground/telegram/control/control.h"

/* In a private chat the person is the chat's own; a person known only by id can get a name there. */
static int read_user(struct world *w, const char *name, struct actor *s, struct error *err)
{
	struct user *own = s->chat->user;
	int64_t id;

	if (own && name && !world_read_id(name, &id) && !world_find_person(w, name) &&
	    world_read_id(own->label, &id))
		world_name_user(w, own, name);
	s->user = own;
	if (name && world_get_user(w, name, &s->user, err) != 0)
		return -1;
	if (s->chat->business && s->user == business_owner(s->bot, s->chat->business))
		return 0;
	if (own && s->user != own)
		return error_set(err, ERROR_OURS, "a private chat is with %.64s alone", own->label);
	return 0;
}

/* "business" is a connection: the chat is that of its owner with the person whom "chat" names. */
static int find_business(
    struct world *w, struct json_object *in, const char *id, struct actor *s, struct error *err)
{
	struct user *customer;

	if (!business_find(s->bot, id))
		return error_set(err, ERROR_OURS, "there is no such connection: \"business\" has its id");
	if (world_get_user(w, members_string(in, json_get(in, "chat") ? "chat" : "user"), &customer, err) !=
	    0)
		return -1;
	s->chat = business_chat(s->bot, id, customer, 0);
	return 0;
}

int actor_read(struct world *w, struct json_object *in, bool create, struct actor *s, struct error *err)
{
	const char *user = members_string(in, "user"), *business = members_string(in, "business");
	struct chat_query query = {.chat = members_string(in, "chat"), .kind = json_get_str(in, "kind")};

	*s = (struct actor){.bot = world_choose_bot(w, members_string(in, "bot"), err)};
	if (!s->bot)
		return -1;
	if (business)
		return find_business(w, in, business, s, err) != 0 ? -1 : read_user(w, user, s, err);
	if (!query.chat)
		query.chat = user;
	query.user = user;
	query.bot = s->bot;
	s->chat = create ? chat_get(w, &query, err) : chat_find(w, &query, err);
	if (!s->chat)
		return -1;
	if (create && s->chat->kind != CHAT_PRIVATE && !json_get(in, "guest") &&
	    (s->chat->member_count == 0 || json_get(in, "bot")))
		chat_add_member(s->chat, s->bot);
	if (read_user(w, user, s, err) != 0)
		return -1;
	if (create && s->user)
		people_meet(s->chat, s->user);
	return 0;
}

struct message *actor_message(
    const struct actor *s, struct json_object *in, const char *key, struct error *err)
{
	const char *text = members_string(in, key);
	struct message *m;
	int64_t id;

	m = text && world_read_id(text, &id) ? chat_message(s->chat, id) : NULL;
	for (size_t i = s->chat->count; given_is_newest(text) && !m && i > 0; i--)
		if (!s->chat->messages[i - 1]->deleted && !s->chat->messages[i - 1]->service)
			m = s->chat->messages[i - 1];
	if (!m)
		given_no_message(key, text, err);
	return m;
}

int actor_on(struct world *w, struct json_object *in, struct actor *s, struct message **m, struct error *err)
{
	if (actor_read(w, in, false, s, err) != 0)
		return -1;
	*m = actor_message(s, in, "message_id", err);
	return *m ? 0 : -1;
}
