#include "channels/discord/send.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/fnv.h"
#include "base/time/clock.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "bus/channel.h"
#include "bus/outbox_file.h"
#include "channels/discord/discord.h"
#include "channels/discord/dm.h"
#include "channels/discord/interaction.h"
#include "channels/discord/params.h"
#include "channels/discord/cache.h"
#include "channels/discord/api.h"
#include "channels/discord/split.h"
#include "channels/discord/discord_internal.h"
#include "channels/shared/blank.h"
#include "net/http/http.h"

struct draft {
	const struct outbound *delivery;
	struct buf file;  /* the bytes of delivery->file */
	char channel[24]; /* to which it is posted */
	bool no_reply;    /* the message to answer is gone */
	bool opened;      /* an archived thread was opened again for it */
};

void discord_send_nonce(const struct outbound *delivery, char *out)
{
	uint64_t hash = FNV_START;

	/* Ids begin anew with a new database, while Discord still remembers those of the old one. */
	hash = fnv_add(hash, &delivery->id, sizeof(delivery->id));
	hash = fnv_add(hash, &delivery->created_ms, sizeof(delivery->created_ms));
	hash = fnv_add(hash, delivery->to.chat, strlen(delivery->to.chat));
	snprintf(out, DISCORD_NONCE_MAX, "%016" PRIx64 "-%" PRIu32, hash, (uint32_t)delivery->id % 100000000);
}

static struct json_object *draft_params(const struct discord *d, const struct draft *draft)
{
	struct json_object *params = json_object_new_object();
	const struct outbound *delivery = draft->delivery;
	char nonce[DISCORD_NONCE_MAX];

	discord_params_text(
	    params, d->settings, delivery->text, delivery->repeat ? DISCORD_REPEAT_MARK : NULL);
	discord_params_buttons(params, delivery->buttons, delivery->edit_of);
	if (delivery->edit_of)
		return params;
	if (delivery->file)
		discord_params_file(params, delivery->file->name);
	discord_send_nonce(delivery, nonce);
	discord_params_nonce(params, nonce);
	if (!draft->no_reply)
		discord_params_reply(params, delivery->reply_to);
	return params;
}

/* The error to hand up for a message that was not confirmed. */
static void read_failure(
    struct discord *d, const struct draft *draft, const struct discord_answer *a, struct error *why)
{
	*why = a->outcome.why;
	switch (a->outcome.class) {
	case DISCORD_RATE_LIMITED:
	case DISCORD_BLOCKED:
		why->retry_ms += d->limits->limited_extra_ms;
		discord_pause(d, draft->channel, why->retry_ms);
		break;
	case DISCORD_SERVER_ERROR:
		/* No readable answer came: the message may have arrived if it was sent. An edit can be made
		 * again. */
		why->uncertain = a->sent && !draft->delivery->edit_of;
		if (a->sent && why->kind == ERROR_OURS)
			why->kind = ERROR_NETWORK;
		break;
	default:
		break;
	}
}

/* Unarchives the thread. Returns true on success. */
static bool open_thread(struct task *t, struct discord *d, const char *thread)
{
	char *path = xasprintf("/channels/%s", thread);
	struct discord_call call = {
	    .method = "PATCH", .route = "/channels/{}", .path = path, .major = thread};
	struct discord_answer a;

	call.params = json_object_new_object();
	json_set_bool(call.params, "archived", false);
	int rc = discord_api_call(t, d, &call, &a, NULL);
	discord_api_clear(&a);
	free(path);
	return rc == 0;
}

/* Can another attempt avoid this refusal? */
static bool fall_back(struct task *t, struct discord *d, struct draft *draft, const struct discord_outcome *o)
{
	if (o->class == DISCORD_ARCHIVED && !draft->opened) {
		draft->opened = true;
		return open_thread(t, d, draft->channel);
	}
	bool lost = o->class == DISCORD_REPLY_TARGET_GONE ||
	    (o->class == DISCORD_MESSAGE_GONE && !draft->delivery->edit_of) || o->code == 160002;
	if (!lost || draft->no_reply || !draft->delivery->reply_to)
		return false;
	draft->no_reply = true;
	log_info(d->self.channel, "sending again without the refused part: %s", o->why.text);
	return true;
}

/* Sends the form in one part, the file in the other. */
static int upload_call(struct task *t, struct discord *d, struct discord_call *call,
    const struct draft *draft, struct discord_answer *a, struct error *why)
{
	struct buf form = BUF_INIT;
	int rc;

	json_write(&form, call->params);
	json_object_put(call->params);
	call->params = NULL;
	const struct http_part parts[] = {
	    {.name = "payload_json", .data = form.data, .len = form.len, .content_type = "application/json"},
	    {.name = "files[0]",
		.data = draft->file.data,
		.len = draft->file.len,
		.filename = draft->delivery->file->name ? draft->delivery->file->name : "file",
		.content_type = draft->delivery->file->mime},
	};
	call->parts = parts;
	call->part_count = ARRAY_LEN(parts);
	rc = discord_api_call(t, d, call, a, why);
	buf_clear(&form);
	return rc;
}

static int draft_call(
    struct task *t, struct discord *d, const struct draft *draft, struct discord_answer *a, struct error *why)
{
	const struct outbound *delivery = draft->delivery;
	bool edit = delivery->edit_of;
	struct discord_call call = {
	    .method = edit ? "PATCH" : "POST",
	    .route = edit ? "/channels/{}/messages/{}" : "/channels/{}/messages",
	    .major = draft->channel,
	    .params = draft_params(d, draft),
	    .total_ms = d->limits->send_ms,
	    .id_only = true,
	    .once = true,
	};
	char *path = xasprintf(
	    "/channels/%s/messages%s%s", draft->channel, edit ? "/" : "", edit ? delivery->edit_of : "");
	int rc;

	call.path = path;
	if (delivery->file && !edit)
		rc = upload_call(t, d, &call, draft, a, why);
	else
		rc = discord_api_call(t, d, &call, a, why);
	free(path);
	return rc;
}

/* *id is the message's, malloc'd. */
static int draft_send(struct task *t, struct discord *d, struct draft *draft, char **id, struct error *why)
{
	struct discord_answer a;
	bool again;

	do {
		int rc = draft_call(t, d, draft, &a, why);

		*id = xstrdup(json_get_str(a.reply, "id"));
		again = rc < 0 && fall_back(t, d, draft, &a.outcome);
		if (rc == 0 && !*id) {
			rc = error_set(why, ERROR_NETWORK, "Discord took a message, but did not say its id");
			why->uncertain = !draft->delivery->edit_of;
		} else if (rc < 0) {
			read_failure(d, draft, &a, why);
		}
		discord_api_clear(&a);
		if (rc == 0)
			return 0;
		free(*id);
		*id = NULL;
		if (again)
			rate_limit_charge(&d->rate_limiter, draft->channel);
	} while (again);
	return -1;
}

/* Returns the channel to post the delivery to. */
static int find_channel(struct task *t, struct discord *d, struct draft *draft, struct error *why)
{
	const char *channel = discord_channel_of(&draft->delivery->to);
	uint64_t id = discord_id_parse(channel);

	if (text_is_blank(draft->delivery->text) && !draft->delivery->file)
		return error_set(why, ERROR_REFUSED, "an empty message cannot be sent");
	if (id == 0 && channel[0] == '@' && discord_id_parse(channel + 1) != 0) {
		if (discord_dm_open(t, d, discord_id_parse(channel + 1), &id, why) < 0)
			return -1;
	}
	if (id == 0)
		return error_set(why, ERROR_REFUSED,
		    "\"%s\" is not the id of a Discord channel: give a number, or @ and the id of a person",
		    channel);
	snprintf(draft->channel, sizeof(draft->channel), "%" PRIu64, id);
	return 0;
}

int discord_send_admit(struct task *t, struct channel *ch, const struct outbound *delivery, struct error *err)
{
	struct discord *d = ch->state;
	enum rate_limit_priority rank =
	    delivery->kind == OUTBOUND_REPLY ? RATE_LIMIT_REPLY : RATE_LIMIT_NOTIFICATION;

	return rate_limit_wait(t, &d->rate_limiter, discord_channel_of(&delivery->to), rank, err);
}

int discord_send_delivery(struct task *t, struct channel *ch, const struct outbound *delivery,
    char **platform_id, struct error *err)
{
	struct discord *d = ch->state;
	struct draft draft = {.delivery = delivery, .file = BUF_INIT};

	if (d->refused)
		return error_set(err, ERROR_NETWORK, "the channel has stopped: %s", ch->status_text);
	if (discord_interaction_takes(d, delivery)) {
		if (discord_interaction_send(t, d, delivery, platform_id, err) == 0)
			return 0;
		/* Too late for the interaction: it goes as an ordinary message. */
		if (!discord_interaction_is_expired(err) || delivery->edit_of)
			return -1;
	}
	int rc = find_channel(t, d, &draft, err);
	if (rc == 0 && delivery->file)
		rc = outbox_file_load(t, delivery, &draft.file, err);
	if (rc == 0)
		rc = draft_send(t, d, &draft, platform_id, err);
	/* The delivery waits for the person who puts the token right. */
	if (rc < 0 && d->refused)
		err->kind = ERROR_NETWORK;
	buf_clear(&draft.file);
	return rc;
}

int discord_send_reconcile(struct task *t, struct channel *ch, const struct outbound *delivery,
    char **platform_id, struct error *err)
{
	struct discord *d = ch->state;
	/* When it was committed as sending, or found to be in doubt. */
	int64_t age_ms = clock_wall() - delivery->updated_ms;

	(void)t;
	(void)err;
	*platform_id = NULL;
	/* The answer to an interaction may have been sent as an edit of its response, which has no nonce. */
	if (delivery->reply_to &&
	    strncmp(delivery->reply_to, DISCORD_INTERACTION_MARK, strlen(DISCORD_INTERACTION_MARK)) == 0)
		return CHANNEL_RECONCILED_UNKNOWN;
	/* A clock that was set back says nothing. */
	if (age_ms < 0 || age_ms > (int64_t)d->limits->nonce_ms)
		return CHANNEL_RECONCILED_UNKNOWN;
	return CHANNEL_RECONCILED_REPEATABLE;
}
