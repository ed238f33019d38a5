#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "playground/discord/methods/methods.h"

/* Whom a message may ping. */
struct allowance {
	bool users, roles, everyone, replied;
	struct json_object *user_ids, *role_ids; /* additional ids; NULL for none */
};

static bool lists(struct json_object *array, const char *text)
{
	json_each(array, v) {
		/* a null is allowed */

		if (v && strcmp(json_object_get_string(v), text) == 0)
			return true;
	}
	return false;
}

/* Discord: resources/message, Allowed Mentions Object. */
void cord_check_allowed_mentions(struct json_object *o, struct cord_errors *e)
{
	static const char *const kinds[] = {"roles", "users"};

	for (size_t k = 0; k < ARRAY_LEN(kinds); k++) {
		struct json_object *ids = json_get_array(o, kinds[k]);

		if (lists(json_get_array(o, "parse"), kinds[k]) && ids && json_count(ids) > 0)
			cord_errors_add(e, NULL, "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE",
			    "parse:[\"%s\"] and %s: [ids...] are mutually exclusive.", kinds[k], kinds[k]);
	}
}

/* Discord: resources/message, Allowed Mentions Object. */
static struct allowance read_allowance(struct json_object *allowed, bool of_interaction)
{
	struct json_object *parse = json_get_array(allowed, "parse");

	if (!allowed)
		return (struct allowance){true, !of_interaction, !of_interaction, true, NULL, NULL};
	return (struct allowance){
	    .users = lists(parse, "users"),
	    .roles = lists(parse, "roles"),
	    .everyone = lists(parse, "everyone"),
	    .replied = json_get_bool(allowed, "replied_user", false),
	    .user_ids = json_get_array(allowed, "users"),
	    .role_ids = json_get_array(allowed, "roles"),
	};
}

/* "<@1>", "<@!1>" or "<@&1>" at s. */
static void read_mention(struct cord_message *m, const char *s, const struct allowance *a)
{
	bool role = s[2] == '&';
	const char *digits = s + 2 + (s[2] == '!' || role);
	size_t len = strspn(digits, "0123456789");
	char number[24];
	uint64_t id = 0;

	if (len == 0 || len >= sizeof(number) || digits[len] != '>')
		return;
	memcpy(number, digits, len);
	number[len] = '\0';
	if (!cord_snowflake_read(number, &id) && strcmp(number, "0") != 0)
		return;
	if (role && (a->roles || lists(a->role_ids, number)))
		cord_ids_add(&m->mention_roles, id);
	else if (!role && (a->users || lists(a->user_ids, number)))
		cord_ids_add(&m->mentions, id);
}

void cord_mentions_find(
    struct cord_message *m, struct json_object *allowed, bool of_interaction, bool may_everyone)
{
	struct allowance a = read_allowance(allowed, of_interaction);
	struct cord_message *to = m->reply_to != 0 ? cord_channel_message(m->channel, m->reply_to) : NULL;

	m->mentions.count = m->mention_roles.count = 0;
	m->mention_everyone =
	    may_everyone && a.everyone && (strstr(m->content, "@everyone") || strstr(m->content, "@here"));
	for (const char *at = m->content; (at = strstr(at, "<@")); at += 2)
		read_mention(m, at, &a);
	if (to && a.replied)
		cord_ids_add(&m->mentions, cord_message_writer(to));
}
