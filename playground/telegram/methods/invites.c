#include <string.h>

#include "base/text/utf8.h"
#include "base/time/clock.h"
#include "playground/telegram/methods/compose.h"

#define NAME_MAX_CHARS 32
#define MEMBERS_MAX    99999
#define PERIOD_S       2592000 /* Bot API: subscription_period is always that */
#define STARS_MAX      10000

static struct chat *open_chat(struct call *call)
{
	return rights_chat(call, "can_invite_users", "can't invite members to a private chat",
	    "not enough rights to manage chat invite link");
}

static int answer(struct call *call, struct json_object *link)
{
	invite_write(link, &call->result);
	return 0;
}

static int check_link(struct call *call)
{
	const char *name = json_get_str(call->params, "name");
	int64_t limit = json_get_int(call->params, "member_limit", 0),
		until = json_get_int(call->params, "expire_date", 0);

	if (name && utf8_count(name, strlen(name), UTF8_CHARS) > NAME_MAX_CHARS)
		return call_refuse(call, "CHAT_INVITE_NAME_TOO_LONG");
	if (limit < 0 || limit > MEMBERS_MAX)
		return call_refuse(call, "USAGE_LIMIT_INVALID");
	if (until != 0 && until <= clock_wall() / 1000)
		return call_refuse(call, "EXPIRE_DATE_INVALID");
	if (limit != 0 && json_get_bool(call->params, "creates_join_request", false))
		return call_refuse(
		    call, "member limit can't be specified for links requiring administrator approval");
	return 0;
}

static void set_name(struct call *call, struct json_object *link)
{
	const char *name = json_get_str(call->params, "name");

	if (name && name[0] != '\0')
		json_set_str(link, "name", name);
	else
		json_object_object_del(link, "name");
}

/* What is left out is removed. */
static void set_link(struct call *call, struct json_object *link)
{
	static const char *const numbers[] = {"expire_date", "member_limit"};

	for (size_t i = 0; i < 2; i++) {
		int64_t n = json_get_int(call->params, numbers[i], 0);

		if (n != 0)
			json_set_int(link, numbers[i], n);
		else
			json_object_object_del(link, numbers[i]);
	}
	json_set_bool(
	    link, "creates_join_request", json_get_bool(call->params, "creates_join_request", false));
	set_name(call, link);
}

/* Subscriptions are for channels alone. */
static int check_price(struct call *call, const struct chat *c)
{
	int64_t price = json_get_int(call->params, "subscription_price", 0);

	if (c->kind != CHAT_CHANNEL)
		return call_fail(call, 400, "Bad Request: CHAT_INVALID");
	if (json_get_int(call->params, "subscription_period", 0) != PERIOD_S || price < 1 ||
	    price > STARS_MAX)
		return call_refuse(call, "invalid subscription pricing specified");
	return 0;
}

int method_make_invite_link(struct call *call)
{
	bool paid = call_is(call, "createChatSubscriptionInviteLink");
	struct json_object *link;
	struct chat *c;

	if (check_link(call) != 0)
		return -1;
	c = open_chat(call);
	if (!c || (paid && check_price(call, c) != 0))
		return -1;
	link = invite_new(c, call->bot, false);
	set_link(call, link);
	if (paid) {
		json_set_int(link, "subscription_period", PERIOD_S);
		json_set_int(link, "subscription_price", json_get_int(call->params, "subscription_price", 0));
	}
	return answer(call, link);
}

static struct json_object *find_link(struct call *call, struct chat **c)
{
	struct json_object *link;

	*c = open_chat(call);
	link = *c ? invite_find(*c, call->bot, json_get_str(call->params, "invite_link")) : NULL;
	if (*c && !link)
		call_fail(call, 400, "Bad Request: INVITE_HASH_EXPIRED");
	return link;
}

int method_edit_chat_subscription_invite_link(struct call *call)
{
	struct json_object *link;
	struct chat *c;

	if (check_link(call) != 0 || !(link = find_link(call, &c)))
		return -1;
	if (!json_get(link, "subscription_period"))
		return call_fail(call, 400, "Bad Request: PRICING_CHAT_INVALID");
	set_name(call, link);
	return answer(call, link);
}

int method_edit_chat_invite_link(struct call *call)
{
	struct json_object *link;
	struct chat *c;

	if (check_link(call) != 0 || !(link = find_link(call, &c)))
		return -1;
	if (json_get_bool(link, "is_primary", false))
		return call_fail(call, 400, "Bad Request: CHAT_INVITE_PERMANENT");
	if (json_get_bool(link, "is_revoked", false))
		return call_fail(call, 400, "Bad Request: INVITE_HASH_EXPIRED");
	set_link(call, link);
	return answer(call, link);
}

/* In place of a primary link there is a new one. */
int method_revoke_chat_invite_link(struct call *call)
{
	struct json_object *link;
	struct chat *c;

	link = find_link(call, &c);
	if (!link)
		return -1;
	if (json_get_bool(link, "is_revoked", false))
		return call_fail(call, 400, "Bad Request: INVITE_HASH_EXPIRED");
	json_set_bool(link, "is_revoked", true);
	if (json_get_bool(link, "is_primary", false))
		invite_new(c, call->bot, true);
	return answer(call, link);
}

int method_export_chat_invite_link(struct call *call)
{
	struct chat *c = open_chat(call);
	struct json_object *was;
	const char *text;

	if (!c)
		return -1;
	was = invite_primary(c, call->bot);
	if (was)
		json_set_bool(was, "is_revoked", true);
	text = json_get_str(invite_new(c, call->bot, true), "invite_link");
	json_quote(&call->result, text, strlen(text));
	return 0;
}

int method_end_join_request(struct call *call)
{
	bool approved = call_is(call, "approveChatJoinRequest");
	struct chat *c = rights_chat(call, "can_invite_users", "the chat can't have join requests",
	    "not enough rights to manage chat join requests");
	int64_t id = json_get_int(call->params, "user_id", 0);

	if (!c)
		return -1;
	if (people_is_in(c, id))
		return call_fail(call, 400, "Bad Request: USER_ALREADY_PARTICIPANT");
	if (!invite_end(c, call->bot, id, approved))
		return call_fail(call, 400, "Bad Request: HIDE_REQUESTER_MISSING");
	return call_true(call);
}
