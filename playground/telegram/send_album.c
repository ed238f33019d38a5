#include <string.h>

#include "base/buf.h"
#include "base/json.h"
#include "playground/telegram/chat.h"
#include "playground/telegram/compose.h"
#include "playground/telegram/media.h"
#include "playground/telegram/message.h"
#include "playground/telegram/methods.h"
#include "playground/telegram/post.h"
#include "playground/telegram/upload.h"
#include "playground/telegram/world.h"

/* One InputMedia as read. */
struct item {
	struct upload upload;
	struct formatted caption;
};

static int read_item(struct call *call, struct json_object *o, struct item *item)
{
	static const char *const members[] = {"caption",
					      "caption_entities",
					      "disable_content_type_detection",
					      "duration",
					      "has_spoiler",
					      "height",
					      "media",
					      "parse_mode",
					      "performer",
					      "show_caption_above_media",
					      "supports_streaming",
					      "title",
					      "type",
					      "width",
					      NULL};
	enum media_kind kind;

	if (compose_check_members(call, o, members, "InputMedia") != 0)
		return -1;
	kind = media_find(json_get_str(o, "type"));
	if (kind == MEDIA_KINDS)
		return call_refuse(call, "can't parse InputMedia: invalid type specified");
	if (json_get_str(o, "media") == NULL)
		return call_refuse(call, "can't parse InputMedia: can't find field \"media\"");
	return compose_caption(call, o, &item->caption) == 0
		   ? upload_read(call, json_get(o, "media"), kind, &item->upload)
		   : -1;
}

static int read_items(struct call *call, struct json_object *media, struct item *items, size_t *count)
{
	size_t n = json_object_is_type(media, json_type_array) ? json_object_array_length(media) : 0;

	if (n > MEDIA_ALBUM_MAX)
		return call_refuse(call, "too many messages to send as an album");
	if (n < 2) /* Bot API, sendMediaGroup: 2-10 items */
		return call_refuse(call, n == 0 ? "there are no messages to send" : "an album has at least 2 items");
	for (*count = 0; *count < n; ++*count) {
		items[*count].caption = (struct formatted)FORMATTED_INIT;
		if (read_item(call, json_object_array_get_idx(media, *count), &items[*count]) != 0) {
			formatted_clear(&items[*count].caption);
			return -1;
		}
	}
	for (size_t i = 0; i < n; i++)
		if (!media_may_share_album(items[0].upload.kind, items[i].upload.kind))
			return call_refuse(call, "can't use the media of the specified type in the album");
	return 0;
}

static void send_items(struct call *call, struct post *post, struct item *items, size_t count)
{
	int64_t album = ++call->world->last_album;

	for (size_t i = 0; i < count; i++) {
		struct message *m = message_new();

		m->album = album;
		m->file = upload_keep(call, &items[i].upload);
		formatted_move(&m->text, &items[i].caption);
		post_add(call, post, m);
		buf_addch(&call->result, i == 0 ? '[' : ',');
		message_write(m, post->chat, &call->result);
	}
	buf_addch(&call->result, ']');
}

static int send_media_group(struct task *t, struct call *call)
{
	struct item items[MEDIA_ALBUM_MAX];
	struct post post;
	size_t count = 0;
	int ret = -1;

	(void)t;
	if (read_items(call, json_get(call->params, "media"), items, &count) == 0 &&
	    post_open(call, &post, (unsigned)count, "media messages") == 0) {
		send_items(call, &post, items, count);
		post_close(call, &post);
		ret = 0;
	}
	while (count-- > 0)
		formatted_clear(&items[count].caption);
	return ret;
}

static const struct param send_media_group_params[] = {
    {"media", PARAM_JSON, PARAM_REQUIRED, "there are no messages to send"},
};

const struct method method_send_media_group = {"sendMediaGroup", send_media_group_params, 1, send_media_group,
					       post_params,	 POST_ALBUM_PARAMS};
