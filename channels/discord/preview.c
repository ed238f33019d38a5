#include "channels/discord/discord_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/time/clock.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "bus/channel.h"
#include "channels/discord/discord.h"
#include "channels/discord/params.h"
#include "channels/discord/cache.h"
#include "channels/discord/api.h"
#include "channels/shared/preview.h"

/* Minimum time between frames: edits share the rate limit of messages, and the answer needs some of it. */
#define EVERY_MS 1700
/* Delay until the next try when the rate limiter has nothing left over. */
#define BUSY_MS 500
/* How often the first frame is posted while its response is lost, and the wait before the third try; it
 * doubles. */
#define FIRST_TRIES   5
#define FIRST_WAIT_MS 250
/* Shows the beginning of a long answer, with room for escapes and the mark. */
#define FRAME_CHARS 1600

static struct json_object *frame_params(const struct discord *d, const struct preview *p)
{
	struct json_object *params = json_object_new_object();
	char *text = preview_beginning(p, FRAME_CHARS, UTF8_CHARS);
	char nonce[DISCORD_NONCE_MAX];

	discord_params_text(params, d->settings, text, PREVIEW_MARK);
	discord_params_buttons(params, p->buttons, p->message_id);
	if (!p->message_id) {
		/* Each try of this preview has it: Discord returns the message that has come already. */
		snprintf(nonce, sizeof(nonce), "p%" PRIx64 "-%" PRIx32, p->since_ms, (uint32_t)p->draft);
		discord_params_nonce(params, nonce);
		discord_params_reply(params, p->reply_to);
	}
	free(text);
	return params;
}

/* Discord may have taken the message, or not. */
static bool is_lost(const struct discord_answer *a)
{
	return a->sent && a->outcome.class == DISCORD_SERVER_ERROR;
}

/* Returns the ms until the next frame after one that failed; -1: no more frames. */
static int call_failed(
    struct discord *d, struct preview *p, const char *channel, const struct discord_answer *a)
{
	/* A message that may have come, without an id, must not come again. */
	if (!p->message_id && is_lost(a))
		return -1;
	switch (a->outcome.class) {
	case DISCORD_RATE_LIMITED:
	case DISCORD_BLOCKED:
		if (a->skipped)
			return BUSY_MS;
		discord_pause(d, channel, a->outcome.retry_ms + d->limits->limited_extra_ms);
		return preview_frame_paused(a->outcome.retry_ms + d->limits->limited_extra_ms);
	case DISCORD_SERVER_ERROR:
		return preview_frame_failed(p, EVERY_MS);
	default:
		return -1;
	}
}

static int show(struct task *t, struct discord *d, struct preview *p, const char *channel, struct error *err)
{
	bool edit = p->message_id;
	char *path =
	    xasprintf("/channels/%s/messages%s%s", channel, edit ? "/" : "", edit ? p->message_id : "");
	struct discord_call call = {
	    .method = edit ? "PATCH" : "POST",
	    .route = edit ? "/channels/{}/messages/{}" : "/channels/{}/messages",
	    .path = path,
	    .major = channel,
	    .params = frame_params(d, p),
	    .id_only = true,
	    .once = true,
	    .optional = true,
	};
	struct discord_answer a;
	size_t len = p->text.len;
	int wait_ms = EVERY_MS;

	int rc = discord_api_call(t, d, &call, &a, err);
	/* Its answer was lost: the message would stay beside the answer of the turn. */
	for (int tries = 1; rc < 0 && !edit && is_lost(&a) && tries < FIRST_TRIES; tries++) {
		if (tries > 1 && task_sleep(t, FIRST_WAIT_MS << (tries - 2), NULL) < 0)
			break;
		discord_api_clear(&a);
		call.params = frame_params(d, p);
		rc = discord_api_call(t, d, &call, &a, err);
	}
	if (rc == 0) {
		preview_frame_shown(p, len);
		if (!edit)
			p->message_id = xstrdup(json_get_str(a.reply, "id"));
	} else {
		wait_ms = call_failed(d, p, channel, &a);
	}
	discord_api_clear(&a);
	free(path);
	return wait_ms;
}

int discord_preview(struct task *t, struct channel *ch, struct preview *p, struct error *err)
{
	struct discord *d = ch->state;
	const char *channel = discord_channel_of(&p->where);
	int early_ms = preview_too_early(p, (uint64_t)d->settings->preview_after_ms);

	if (!d->settings->previews || d->refused || discord_id_parse(channel) == 0)
		return error_set(err, ERROR_REFUSED, "previews are off");
	/* The answer to a command replaces "thinking". */
	if (p->reply_to &&
	    strncmp(p->reply_to, DISCORD_INTERACTION_MARK, strlen(DISCORD_INTERACTION_MARK)) == 0)
		return error_set(err, ERROR_REFUSED, "the answer to a command is shown when it is ready");
	if (early_ms > 0)
		return early_ms;
	if (p->shown_len == p->text.len)
		return EVERY_MS;
	if (!rate_limit_try(&d->rate_limiter, channel))
		return BUSY_MS;
	return show(t, d, p, channel, err);
}
