#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text/utf8.h"
#include "base/time/clock.h"
#include "playground/slack/methods/compose.h"

#define NAME_MAX_LEN 80
#define NOTE_MAX     250 /* of a topic or purpose */
#define INVITES_MAX  100

/* Which conversations a method works on. */
enum where { CHANNELS = 1, GROUP_MESSAGES = 2, MESSAGES = 4, ANY = 7, MEMBER = 8, ARCHIVED_TOO = 16 };

/* Finds the conversation and checks scope, kind, membership and whether it is archived. */
static struct slk_conv *find(struct slk_call *call, int where)
{
	struct slk_conv *c = slk_call_conv(call, "channel");
	int kind = !c ? 0 : c->kind == SLK_IM ? MESSAGES : c->kind == SLK_MPIM ? GROUP_MESSAGES : CHANNELS;

	if (!c || slk_auth_check_kind(call, (int)c->kind) != 0)
		return NULL;
	if (!(where & kind))
		slk_fail(call, "method_not_supported_for_channel_type");
	else if ((where & MEMBER) && !slk_conv_has(c, call->app->user_id))
		slk_fail(call, "not_in_channel");
	else if (!(where & ARCHIVED_TOO) && slk_conv_is_archived(c))
		slk_fail(call, "is_archived");
	return call->error ? NULL : c;
}

static int answer(struct slk_call *call, const struct slk_conv *c)
{
	json_set(call->out, "channel", slk_conv_json(c, call->app));
	return 0;
}

/* Lower-case letters, digits, hyphens and underscores; letters of other scripts are none of the special ones.
 */
static const char *judge_name(const struct slk_world *w, const char *name)
{
	bool letters = false;

	if (name[0] == '\0')
		return "invalid_name_required";
	if (utf8_count(name, strlen(name), UTF8_CHARS) > NAME_MAX_LEN)
		return "invalid_name_maxlength";
	for (const char *s = name; *s != '\0'; s++) {
		unsigned char c = (unsigned char)*s;

		if (c < 0x80 && !islower(c) && !isdigit(c) && c != '-' && c != '_')
			return "invalid_name_specials";
		letters |= c != '-' && c != '_';
	}
	return !letters ? "invalid_name_punctuation" : slk_conv_named(w, name) ? "name_taken" : NULL;
}

int slk_conversations_create(struct slk_call *call)
{
	const char *name = json_get_str(call->params, "name"), *error = judge_name(call->world, name);
	enum slk_kind kind = json_get_bool(call->params, "is_private", false) ? SLK_PRIVATE : SLK_PUBLIC;
	char id[SLK_ID_SIZE];
	struct slk_conv *c;

	if (slk_auth_check_kind(call, (int)kind) != 0)
		return -1;
	if (error)
		return strcmp(error, "name_taken") == 0 ?
		    slk_fail(call, error) :
		    slk_refuse(call, error,
			"the name of a channel has at most %d lower-case letters, digits, - and _",
			NAME_MAX_LEN);
	slk_new_id(call->world, id, 'C');
	c = slk_conv_new(call->world, id, kind, name);
	str_copy(c->creator, sizeof(c->creator), call->app->user_id);
	slk_conv_add(c, call->app->user_id);
	if (kind == SLK_PUBLIC)
		slk_event_created(c);
	return answer(call, c);
}

int slk_conversations_archive(struct slk_call *call)
{
	struct slk_conv *c = find(call, CHANNELS | MEMBER | ARCHIVED_TOO);

	if (!c)
		return -1;
	if (slk_conv_is_archived(c))
		return slk_fail(call, "already_archived");
	slk_conv_archive(c, true, call->app->user_id);
	return 0;
}

int slk_conversations_unarchive(struct slk_call *call)
{
	struct slk_conv *c = find(call, CHANNELS | ARCHIVED_TOO);

	if (!c)
		return -1;
	if (!slk_conv_is_archived(c))
		return slk_fail(call, "not_archived");
	slk_conv_archive(c, false, call->app->user_id);
	return 0;
}

/* Of a person, or of another app. */
static const char *judge_invite(struct slk_call *call, const struct slk_conv *c, const char *id)
{
	struct slk_user *u = slk_is_id(id, "UW") ? slk_find_user(call->world, id) : NULL;
	struct slk_app *a = u ? NULL : slk_app_find(call->world, id);

	if (strcmp(id, call->app->user_id) == 0)
		return "cant_invite_self";
	if (!u && (!a || strcmp(a->user_id, id) != 0))
		return "user_not_found";
	if (slk_conv_has(c, id))
		return "already_in_channel";
	return u && u->disabled ? "cant_invite" : NULL;
}

static void add_invite_error(struct json_object *errors, const char *id, const char *error)
{
	json_object_array_add(errors, json_newf("{user: %s, ok: false, error: %s}", id, error));
}

static void invite(struct slk_call *call, struct slk_conv *c, const char *id)
{
	struct slk_user *u = slk_find_user(call->world, id);

	slk_conv_enter(c, u, u ? NULL : slk_app_find(call->world, id), call->app->user_id);
}

/* All are invited, or with force those that can be. */
int slk_conversations_invite(struct slk_call *call)
{
	struct slk_conv *c = find(call, CHANNELS | MEMBER);
	bool force = json_get_bool(call->params, "force", false);
	struct json_object *errors;
	char *list, *at, *ids[INVITES_MAX], *id;
	size_t count = 0;

	if (!c)
		return -1;
	errors = json_object_new_array();
	at = list = xstrdup(json_get_str(call->params, "users"));
	while ((id = strsep(&at, ",")) && count < INVITES_MAX) {
		const char *error = id[0] != '\0' ? judge_invite(call, c, id) : "no_user";

		if (error) {
			add_invite_error(errors, id, error);
			if (!call->error)
				slk_fail(call, error);
		} else {
			ids[count++] = id;
		}
	}
	if (force && count > 0)
		call->error = NULL;
	for (size_t i = 0; !call->error && i < count; i++)
		invite(call, c, ids[i]);
	if (json_count(errors) > 0)
		json_set(call->out, "errors", json_object_get(errors));
	json_object_put(errors);
	free(list);
	return call->error ? -1 : answer(call, c);
}

int slk_conversations_kick(struct slk_call *call)
{
	struct slk_conv *c = find(call, CHANNELS | ARCHIVED_TOO | MEMBER);
	const char *id = json_get_str(call->params, "user");
	struct slk_user *u = id && slk_is_id(id, "UW") ? slk_find_user(call->world, id) : NULL;
	struct slk_app *a = id && !u ? slk_app_find(call->world, id) : NULL;

	if (!c)
		return -1;
	if (!u && (!a || strcmp(a->user_id, id) != 0))
		return slk_fail(call, "user_not_found");
	if (a == call->app)
		return slk_fail(call, "cant_kick_self");
	if (!slk_conv_has(c, id))
		return slk_fail(call, "not_in_channel");
	slk_conv_leave(c, u, a);
	return 0;
}

int slk_conversations_leave(struct slk_call *call)
{
	struct slk_conv *c = find(call, CHANNELS);

	if (!c)
		return -1;
	if (!slk_conv_has(c, call->app->user_id)) {
		json_set_bool(call->out, "not_in_channel", true);
		return 0;
	}
	if (c->member_count == 1)
		return slk_fail(call, "last_member");
	slk_conv_leave(c, NULL, call->app);
	return 0;
}

/* Only who has created a channel may rename it; administrators are not simulated. */
int slk_conversations_rename(struct slk_call *call)
{
	struct slk_conv *c = find(call, CHANNELS | MEMBER);
	const char *name = json_get_str(call->params, "name"), *error;

	if (!c)
		return -1;
	error = judge_name(call->world, name);
	if (error)
		return slk_fail(call, error);
	if (strcmp(c->creator, call->app->user_id) != 0)
		return slk_fail(call, "not_authorized");
	slk_conv_rename(c, name, NULL, call->app);
	return answer(call, c);
}

static int set_note(struct slk_call *call, const char *key)
{
	struct slk_conv *c = find(call, CHANNELS | MEMBER);
	const char *value = json_get_str(call->params, key);

	if (!c)
		return -1;
	if (utf8_count(value, strlen(value), UTF8_CHARS) > NOTE_MAX)
		return slk_refuse(call, "too_long", "%s has more than %d characters", key, NOTE_MAX);
	slk_conv_set_note(c, key, value, NULL, call->app);
	return answer(call, c);
}

int slk_conversations_set_topic(struct slk_call *call)
{
	return set_note(call, "topic");
}

int slk_conversations_set_purpose(struct slk_call *call)
{
	if (set_note(call, "purpose") != 0)
		return -1;
	json_set_str(call->out, "purpose", json_get_str(call->params, "purpose"));
	return 0;
}

int slk_conversations_close(struct slk_call *call)
{
	struct slk_conv *c = find(call, MESSAGES | GROUP_MESSAGES);

	if (!c)
		return -1;
	if (c->closed) {
		json_set_bool(call->out, "no_op", true);
		json_set_bool(call->out, "already_closed", true);
	}
	c->closed = true;
	return 0;
}

int slk_conversations_mark(struct slk_call *call)
{
	struct slk_conv *c = find(call, ANY | MEMBER | ARCHIVED_TOO);
	int64_t ts;

	if (!c)
		return -1;
	if (!slk_read_ts(json_get_str(call->params, "ts"), &ts))
		return slk_refuse(call, "invalid_timestamp", "ts must be that of a message");
	c->last_read = ts;
	return 0;
}
