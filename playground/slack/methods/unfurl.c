#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "playground/slack/methods/compose.h"

/* By channel and ts, or by unfurl_id, which is "CHANNEL.TS". */
static struct slk_message *find(struct slk_call *call, struct slk_conv **c)
{
	const char *channel = json_get_str(call->params, "channel"), *ts = json_get_str(call->params, "ts"),
		   *id = json_get_str(call->params, "unfurl_id"), *dot = id ? strchr(id, '.') : NULL;
	struct slk_message *m = NULL;
	char name[SLK_ID_SIZE] = "";
	int64_t at;

	if (!id) {
		if (!channel || !ts) {
			slk_refuse(call, channel ? "missing_ts" : "missing_channel",
			    "channel and ts name the message");
			return NULL;
		}
		str_copy(name, sizeof(name), channel);
	} else if (!dot || (size_t)(dot - id) >= sizeof(name)) {
		slk_fail(call, "invalid_unfurl_id");
		return NULL;
	} else {
		memcpy(name, id, (size_t)(dot - id));
		ts = dot + 1;
	}
	*c = slk_conv_find(call->world, name);
	if (!*c || !slk_conv_has(*c, call->app->user_id)) {
		slk_fail(call, "cannot_find_channel");
		return NULL;
	}
	if (slk_read_ts(ts, &at))
		m = slk_message_find(*c, at);
	if (!m)
		slk_fail(call, "cannot_find_message");
	return m;
}

static int check(
    struct slk_call *call, const struct slk_message *m, const char *url, struct json_object *unfurl)
{
	struct json_object *blocks = json_get_array(unfurl, "blocks");
	struct buf why = BUF_INIT;
	int ret = 0;

	if (!strstr(slk_message_text(m), url))
		return slk_fail(call, "cannot_unfurl_message");
	if (!slk_link_is_ours(call->world, url))
		return slk_fail(call, "cannot_unfurl_url");
	if (!json_object_is_type(unfurl, json_type_object) || json_object_object_length(unfurl) == 0 ||
	    (blocks && slk_blocks_judge(blocks, &why)))
		ret = slk_refuse(call, "cannot_parse_attachment", "%s",
		    why.len > 0 ? why.data :
				  "an unfurl is an object with blocks or the members of an attachment");
	buf_clear(&why);
	return ret;
}

static struct json_object *make(
    const struct slk_app *a, const char *url, struct json_object *unfurl, size_t n)
{
	struct json_object *o = slk_copy(unfurl);

	json_setf(o, "id: %jd, from_url: %s, app_unfurl_url: %s, is_app_unfurl: true, app_id: %s, bot_id: %s",
	    (int64_t)n, url, url, a->app_id, a->bot_id);
	return o;
}

int slk_chat_unfurl(struct slk_call *call)
{
	struct json_object *unfurls = json_get_object(call->params, "unfurls"), *before, *list;
	struct slk_conv *c = NULL;
	struct slk_message *m = find(call, &c);

	if (!m)
		return -1;
	if (!unfurls)
		return slk_refuse(call, "missing_unfurls", "unfurls is an object by URL");
	json_object_object_foreach(unfurls, url, unfurl) {
		if (check(call, m, url, unfurl) != 0)
			return -1;
	}
	before = slk_copy(m->o);
	list = json_get_array(m->o, "attachments");
	if (!list) {
		list = json_object_new_array();
		json_set(m->o, "attachments", list);
	}
	json_object_object_foreach(unfurls, link, attachment) {
		json_object_array_add(list, make(call->app, link, attachment, json_count(list) + 1));
	}
	slk_show_message(c, m, "edited");
	slk_event_changed(c, m, before);
	return 0;
}
