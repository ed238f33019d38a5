#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "playground/telegram/methods/compose.h"

/* One InputMedia as read. */
struct item {
	enum media_kind kind;
	struct upload upload;
	struct formatted caption;
};

/* alone: not in an album. */
static int read_item(struct call *call, struct json_object *o, bool alone, struct item *item)
{
	const char *type;

	if (compose_object(call, o, "InputMedia") != 0)
		return -1;
	type = json_get_str(o, "type");
	if (!type)
		return call_refuse(call, "can't parse InputMedia: can't find field \"type\"");
	item->kind = media_find(type);
	if (item->kind == MEDIA_ANIMATION && !alone)
		return call_refuse(
		    call, "can't parse InputMedia: type \"animation\" can't be used in sendMediaGroup");
	if (item->kind == MEDIA_KINDS ||
	    (item->kind != MEDIA_ANIMATION && !media_may_share_album(item->kind, item->kind)))
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
	size_t n = json_count(media);

	if (n > MEDIA_ALBUM_MAX)
		return call_refuse(call, "too many messages to send as an album");
	if (n == 0)
		return call_refuse(call, "there are no messages to send");
	for (*count = 0; *count < n; ++*count) {
		struct json_object *o = json_at(media, *count);

		items[*count].caption = (struct formatted)FORMATTED_INIT;
		if (read_item(call, o, false, &items[*count]) != 0) {
			formatted_clear(&items[*count].caption);
			return -1;
		}
	}
	for (size_t i = 0; i < n; i++)
		if (read_media(call, json_at(media, i), &items[i], i + 1) != 0)
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

int method_send_media_group(struct call *call)
{
	struct item items[MEDIA_ALBUM_MAX];
	struct post post;
	size_t count = 0;
	int ret = -1;

	if (read_items(call, json_get(call->params, "media"), items, &count) == 0 &&
	    post_open(call, &post, (unsigned)count, "media messages") == 0) {
		send_items(call, &post, items, count);
		post_close(&post);
		ret = 0;
	}
	while (count-- > 0)
		formatted_clear(&items[count].caption);
	return ret;
}

/* The kind of an album stays as it is. */
static int check_edit(struct call *call, struct edit *e, const struct item *item)
{
	const struct file *f = e->message->file;

	if ((f && f->kind != MEDIA_ANIMATION && !media_may_share_album(f->kind, f->kind)) ||
	    (!f && e->message->text.text.len == 0))
		return edit_fail(call, e, "message media can't be edited");
	if (e->message->album != 0 && !media_may_share_album(f->kind, item->kind))
		return edit_fail(call, e, "can't change media type in the album");
	return edit_check(
	    call, e, !f || item->upload.known != f || !formatted_equal(&e->message->text, &item->caption));
}

int method_edit_message_media(struct call *call)
{
	struct json_object *o = json_get(call->params, "media");
	struct item item = {.caption = FORMATTED_INIT};
	struct file *f;
	struct edit e;
	int ret = -1;

	if (read_item(call, o, true, &item) == 0 &&
	    upload_read(call, json_get(o, "media"), item.kind, &item.upload) == 0 &&
	    edit_open(call, &e) == 0 && check_edit(call, &e, &item) == 0) {
		f = upload_keep(call, &item.upload);
		f->replaced = e.message->file;
		e.message->file = f;
		formatted_move(&e.message->text, &item.caption);
		edit_close(call, &e);
		ret = 0;
	}
	formatted_clear(&item.caption);
	return ret;
}
