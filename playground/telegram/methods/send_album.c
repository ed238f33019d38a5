#include <string.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "playground/telegram/world/chat.h"
#include "playground/telegram/methods/compose.h"
#include "playground/telegram/world/media.h"
#include "playground/telegram/world/message.h"
#include "playground/telegram/http/methods.h"
#include "playground/telegram/methods/post.h"
#include "playground/telegram/http/upload.h"
#include "playground/telegram/world/world.h"

/* One InputMedia as read. */
struct item {
	enum media_kind kind;
	struct upload upload;
	struct formatted caption;
};

static int read_item(struct call *call, struct json_object *o, struct item *item)
{
	const char *type;

	if (compose_object(call, o, "InputMedia") != 0)
		return -1;
	type = json_get_str(o, "type");
	if (!type)
		return call_refuse(call, "can't parse InputMedia: can't find field \"type\"");
	item->kind = media_find(type);
	if (item->kind == MEDIA_ANIMATION)
		return call_refuse(
		    call, "can't parse InputMedia: type \"animation\" can't be used in sendMediaGroup");
	if (item->kind == MEDIA_KINDS || !media_may_share_album(item->kind, item->kind))
		return call_refuse(call, "can't parse InputMedia: type \"%.40s\" is unsupported", type);
	if (!json_get_str(o, "media"))
		return call_refuse(call, "can't parse InputMedia: media not found");
	return compose_caption(call, o, &item->caption);
}

/* The platform's servers check photos after everything before them was valid, and say which one is wrong. */
static int read_media(struct call *call, struct json_object *o, struct item *item, size_t number)
{
	static const char *const late[] = {"IMAGE_PROCESS_FAILED", "PHOTO_INVALID_DIMENSIONS"};

	if (upload_read(call, json_get(o, "media"), item->kind, &item->upload) == 0)
		return 0;
	for (size_t i = 0; i < ARRAY_LEN(late); i++)
		if (strstr(call->error.data, late[i]))
			return call_refuse(call, "failed to send message #%zu with the error message \"%s\"",
			    number, late[i]);
	return -1;
}

static int check_kinds(struct call *call, const struct item *items, size_t count)
{
	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; j < count; j++)
			if ((items[i].kind == MEDIA_DOCUMENT || items[i].kind == MEDIA_AUDIO) &&
			    items[j].kind != items[i].kind)
				return call_refuse(call, "%s can't be mixed with other media types",
				    media_name(items[i].kind));
	return 0;
}

static int read_items(struct call *call, struct json_object *media, struct item *items, size_t *count)
{
	size_t n = json_object_array_length(media);

	if (n > MEDIA_ALBUM_MAX)
		return call_refuse(call, "too many messages to send as an album");
	if (n == 0)
		return call_refuse(call, "there are no messages to send");
	for (*count = 0; *count < n; ++*count) {
		struct json_object *o = json_object_array_get_idx(media, *count);

		items[*count].caption = (struct formatted)FORMATTED_INIT;
		if (read_item(call, o, &items[*count]) != 0) {
			formatted_clear(&items[*count].caption);
			return -1;
		}
	}
	for (size_t i = 0; i < n; i++)
		if (read_media(call, json_object_array_get_idx(media, i), &items[i], i + 1) != 0)
			return -1;
	return check_kinds(call, items, n);
}

/* A single item is not an album (Bot API, sendMediaGroup, names 2-10; the server accepts one). */
static void send_items(struct call *call, struct post *post, struct item *items, size_t count)
{
	int64_t album = count > 1 ? ++call->world->last_album : 0;

	for (size_t i = 0; i < count; i++) {
		struct message *m = telegram_message_new();

		m->album = album;
		m->file = upload_keep(call, &items[i].upload);
		formatted_move(&m->text, &items[i].caption);
		posting_add(call, post, m);
		buf_addch(&call->result, i == 0 ? '[' : ',');
		message_write(m, post->chat, &call->result);
	}
	buf_addch(&call->result, ']');
}

int method_send_media_group(struct task *t, struct call *call)
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
