#include "playground/spec/spec.h"
#include "playground/telegram/methods/compose.h"

/* Used in "not enough rights to send …". */
static const char *const nouns[MEDIA_KINDS] = {
    [MEDIA_ANIMATION] = "animations",
    [MEDIA_AUDIO] = "audios",
    [MEDIA_DOCUMENT] = "documents",
    [MEDIA_PHOTO] = "photos",
    [MEDIA_STICKER] = "stickers",
    [MEDIA_VIDEO] = "videos",
    [MEDIA_VIDEO_NOTE] = "video notes",
    [MEDIA_VOICE] = "voice notes",
};

static unsigned number(struct call *call, const char *name, unsigned fallback)
{
	int64_t n = json_get_int(call->params, name, fallback);

	return n < 0 || n > UINT16_MAX ? fallback : (unsigned)n;
}

static void describe(struct call *call, struct message *m)
{
	struct file *f = m->file;

	f->duration = number(call, "duration", f->duration);
	f->width = number(call, f->kind == MEDIA_VIDEO_NOTE ? "length" : "width", f->width);
	f->height = number(call, "height", f->height);
	if (json_get_bool(call->params, "show_caption_above_media", false))
		message_add_extra(m, "show_caption_above_media", "true");
	if (json_get_bool(call->params, "has_spoiler", false))
		message_add_extra(m, "has_media_spoiler", "true");
}

/* sendPhoto has a parameter photo, and so on. */
static enum media_kind kind_of(const struct spec_record *spec)
{
	enum media_kind kind = 0;

	while (kind < MEDIA_VOICE && !spec_member(spec, media_name(kind)))
		kind++;
	return kind;
}

int method_send_media(struct call *call)
{
	enum media_kind kind = kind_of(call->spec);
	struct formatted caption = FORMATTED_INIT;
	struct upload upload;
	struct message *m;
	struct post post;
	int ret = -1;

	if (compose_caption(call, call->params, &caption) != 0 ||
	    upload_read(call, json_get(call->params, media_name(kind)), kind, &upload) != 0 ||
	    post_open(call, &post, 1, nouns[kind]) != 0)
		goto out;
	m = telegram_message_new();
	formatted_move(&m->text, &caption);
	m->file = upload_keep(call, &upload);
	describe(call, m);
	posting_add(call, &post, m);
	message_write(m, post.chat, &call->result);
	post_close(&post);
	ret = 0;
out:
	formatted_clear(&caption);
	return ret;
}
