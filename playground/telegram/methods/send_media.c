#include "base/json/json.h"
#include "playground/telegram/methods/compose.h"
#include "playground/telegram/world/media.h"
#include "playground/telegram/world/message.h"
#include "playground/telegram/http/methods.h"
#include "playground/telegram/methods/post.h"
#include "playground/telegram/http/upload.h"

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

static int send_media(struct call *call, enum media_kind kind)
{
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
	post_close(call, &post);
	ret = 0;
out:
	formatted_clear(&caption);
	return ret;
}

static const struct param animation_params[] = {
    {"animation", PARAM_MEDIA, PARAM_REQUIRED, "there is no animation in the request"},
    {"caption", PARAM_STRING, 0, NULL},
    {"caption_entities", PARAM_JSON, 0, NULL},
    {"duration", PARAM_INT, 0, NULL},
    {"has_spoiler", PARAM_BOOL, 0, NULL},
    {"height", PARAM_INT, 0, NULL},
    {"parse_mode", PARAM_STRING, 0, NULL},
    {"show_caption_above_media", PARAM_BOOL, 0, NULL},
    {"thumbnail", PARAM_FILE, PARAM_NOT_SIMULATED, NULL},
    {"width", PARAM_INT, 0, NULL},
};

static const struct param audio_params[] = {
    {"audio", PARAM_MEDIA, PARAM_REQUIRED, "there is no audio in the request"},
    {"caption", PARAM_STRING, 0, NULL},
    {"caption_entities", PARAM_JSON, 0, NULL},
    {"duration", PARAM_INT, 0, NULL},
    {"parse_mode", PARAM_STRING, 0, NULL},
    {"performer", PARAM_STRING, 0, NULL},
    {"thumbnail", PARAM_FILE, PARAM_NOT_SIMULATED, NULL},
    {"title", PARAM_STRING, 0, NULL},
};

static const struct param document_params[] = {
    {"caption", PARAM_STRING, 0, NULL},
    {"caption_entities", PARAM_JSON, 0, NULL},
    {"disable_content_type_detection", PARAM_BOOL, 0, NULL},
    {"document", PARAM_MEDIA, PARAM_REQUIRED, "there is no document in the request"},
    {"parse_mode", PARAM_STRING, 0, NULL},
    {"thumbnail", PARAM_FILE, PARAM_NOT_SIMULATED, NULL},
};

static const struct param photo_params[] = {
    {"caption", PARAM_STRING, 0, NULL},
    {"caption_entities", PARAM_JSON, 0, NULL},
    {"has_spoiler", PARAM_BOOL, 0, NULL},
    {"parse_mode", PARAM_STRING, 0, NULL},
    {"photo", PARAM_MEDIA, PARAM_REQUIRED, "there is no photo in the request"},
    {"show_caption_above_media", PARAM_BOOL, 0, NULL},
};

static const struct param sticker_params[] = {
    {"emoji", PARAM_STRING, 0, NULL},
    {"sticker", PARAM_MEDIA, PARAM_REQUIRED, "there is no sticker in the request"},
};

static const struct param video_params[] = {
    {"caption", PARAM_STRING, 0, NULL},
    {"caption_entities", PARAM_JSON, 0, NULL},
    {"cover", PARAM_MEDIA, PARAM_NOT_SIMULATED, NULL},
    {"duration", PARAM_INT, 0, NULL},
    {"has_spoiler", PARAM_BOOL, 0, NULL},
    {"height", PARAM_INT, 0, NULL},
    {"parse_mode", PARAM_STRING, 0, NULL},
    {"show_caption_above_media", PARAM_BOOL, 0, NULL},
    {"start_timestamp", PARAM_INT, PARAM_NOT_SIMULATED, NULL},
    {"supports_streaming", PARAM_BOOL, 0, NULL},
    {"thumbnail", PARAM_FILE, PARAM_NOT_SIMULATED, NULL},
    {"video", PARAM_MEDIA, PARAM_REQUIRED, "there is no video in the request"},
    {"width", PARAM_INT, 0, NULL},
};

static const struct param video_note_params[] = {
    {"duration", PARAM_INT, 0, NULL},
    {"length", PARAM_INT, 0, NULL},
    {"thumbnail", PARAM_FILE, PARAM_NOT_SIMULATED, NULL},
    {"video_note", PARAM_MEDIA, PARAM_REQUIRED, "there is no video_note in the request"},
};

static const struct param voice_params[] = {
    {"caption", PARAM_STRING, 0, NULL},
    {"caption_entities", PARAM_JSON, 0, NULL},
    {"duration", PARAM_INT, 0, NULL},
    {"parse_mode", PARAM_STRING, 0, NULL},
    {"voice", PARAM_MEDIA, PARAM_REQUIRED, "there is no voice in the request"},
};

static int send_animation(struct task *t, struct call *call)
{
	(void)t;
	return send_media(call, MEDIA_ANIMATION);
}

static int send_audio(struct task *t, struct call *call)
{
	(void)t;
	return send_media(call, MEDIA_AUDIO);
}

static int send_document(struct task *t, struct call *call)
{
	(void)t;
	return send_media(call, MEDIA_DOCUMENT);
}

static int send_photo(struct task *t, struct call *call)
{
	(void)t;
	return send_media(call, MEDIA_PHOTO);
}

static int send_sticker(struct task *t, struct call *call)
{
	(void)t;
	return send_media(call, MEDIA_STICKER);
}

static int send_video(struct task *t, struct call *call)
{
	(void)t;
	return send_media(call, MEDIA_VIDEO);
}

static int send_video_note(struct task *t, struct call *call)
{
	(void)t;
	return send_media(call, MEDIA_VIDEO_NOTE);
}

static int send_voice(struct task *t, struct call *call)
{
	(void)t;
	return send_media(call, MEDIA_VOICE);
}

const struct method method_send_animation = {
    "sendAnimation", animation_params, 10, send_animation, post_params, POST_PARAMS};
const struct method method_send_audio = {"sendAudio", audio_params, 8, send_audio, post_params, POST_PARAMS};
const struct method method_send_document = {
    "sendDocument", document_params, 6, send_document, post_params, POST_PARAMS};
const struct method method_send_photo = {"sendPhoto", photo_params, 6, send_photo, post_params, POST_PARAMS};
const struct method method_send_sticker = {
    "sendSticker", sticker_params, 2, send_sticker, post_params, POST_PARAMS};
const struct method method_send_video = {"sendVideo", video_params, 13, send_video, post_params, POST_PARAMS};
const struct method method_send_video_note = {
    "sendVideoNote", video_note_params, 4, send_video_note, post_params, POST_PARAMS};
const struct method method_send_voice = {"sendVoice", voice_params, 5, send_voice, post_params, POST_PARAMS};
