#include <string.h>

#include "base/time/clock.h"
#include "playground/slack/methods/compose.h"

#define BOOKMARKS_MAX 100 /* of a conversation */

static struct slk_conv *find_conv(struct slk_call *call)
{
	struct slk_conv *c = slk_call_conv(call, "channel_id");

	if (c && !slk_conv_has(c, call->app->user_id)) {
		slk_fail(call, "permission_denied");
		return NULL;
	}
	return c;
}

/* Returns its place; after slk_fail with not_found none. */
static size_t find(struct slk_call *call, const struct slk_conv *c)
{
	const char *id = json_get_str(call->params, "bookmark_id");
	size_t count = c->bookmarks ? json_count(c->bookmarks) : 0;

	for (size_t i = 0; id && i < count; i++)
		if (strcmp(json_get_str(json_at(c->bookmarks, i), "id"), id) == 0)
			return i;
	slk_fail(call, "not_found");
	return SIZE_MAX;
}

/* Checks and sets what a call gives of title, link and emoji. */
static int set_parts(struct slk_call *call, struct json_object *o)
{
	static const char *const parts[] = {"title", "link", "emoji"};
	const char *link = json_get_str(call->params, "link"), *emoji = json_get_str(call->params, "emoji");

	if (link && strncmp(link, "http://", 7) != 0 && strncmp(link, "https://", 8) != 0)
		return slk_refuse(call, "invalid_link", "link must begin with http:// or https://");
	if (emoji && (strlen(emoji) < 3 || emoji[0] != ':' || emoji[strlen(emoji) - 1] != ':'))
		return slk_refuse(call, "invalid_emoji", "emoji must be a name between colons");
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (json_get_str(call->params, parts[i]))
			json_set_str(o, parts[i], json_get_str(call->params, parts[i]));
	json_set_str(o, "last_updated_by_user_id", call->app->user_id);
	json_set_int(o, "date_updated", clock_wall() / 1000);
	return 0;
}

/* People can bookmark files and folders, too; apps add links. */
int slk_bookmarks_add(struct slk_call *call)
{
	const char *type = json_get_str(call->params, "type");
	struct slk_conv *c = find_conv(call);
	char id[SLK_ID_SIZE];
	struct json_object *o;

	if (!c)
		return -1;
	if (strcmp(type, "link") != 0)
		return slk_refuse(call, "invalid_bookmark_type", "only the type link is simulated");
	if (!json_get_str(call->params, "link"))
		return slk_refuse(call, "invalid_link", "a bookmark of type link has a link");
	if (!c->bookmarks)
		c->bookmarks = json_object_new_array();
	if (json_count(c->bookmarks) >= BOOKMARKS_MAX)
		return slk_fail(call, "too_many_bookmarks");
	o = json_object_new_object();
	slk_new_id(call->world, id, 'B');
	id[1] = 'k';
	json_setf(o,
	    "id: %s, channel_id: %s, type: 'link', emoji: '', icon_url: null, entity_id: null, date_created: "
	    "%jd, last_updated_by_team_id: %s, shortcut_id: null, app_id: %s",
	    id, c->id, clock_wall() / 1000, SLK_TEAM, call->app->app_id);
	if (set_parts(call, o) != 0) {
		json_object_put(o);
		return -1;
	}
	json_object_array_add(c->bookmarks, o);
	json_set(call->out, "bookmark", slk_copy(o));
	slk_show_conv(c);
	return 0;
}

int slk_bookmarks_edit(struct slk_call *call)
{
	struct slk_conv *c = find_conv(call);
	size_t i = c ? find(call, c) : SIZE_MAX;
	struct json_object *o;

	if (i == SIZE_MAX)
		return -1;
	o = json_at(c->bookmarks, i);
	if (set_parts(call, o) != 0)
		return -1;
	json_set(call->out, "bookmark", slk_copy(o));
	slk_show_conv(c);
	return 0;
}

int slk_bookmarks_remove(struct slk_call *call)
{
	struct slk_conv *c = find_conv(call);
	size_t i = c ? find(call, c) : SIZE_MAX;

	if (i == SIZE_MAX)
		return -1;
	json_object_array_del_idx(c->bookmarks, i, 1);
	slk_show_conv(c);
	return 0;
}

int slk_bookmarks_list(struct slk_call *call)
{
	struct slk_conv *c = slk_call_conv(call, "channel_id");

	if (!c)
		return -1;
	json_set(call->out, "bookmarks", c->bookmarks ? slk_copy(c->bookmarks) : json_object_new_array());
	return 0;
}
