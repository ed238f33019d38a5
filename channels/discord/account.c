#include "channels/discord/discord_internal.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/json/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/time/clock.h"
#include "bus/channel.h"
#include "channels/discord/cache.h"
#include "channels/discord/api.h"

/* Flags of an application: it has the message content intent, or has it while it is in few servers. */
#define FLAG_CONTENT         (1 << 18)
#define FLAG_CONTENT_LIMITED (1 << 19)

static void set_app(struct discord *d, uint64_t id)
{
	d->self.app = id;
	snprintf(d->self.account, sizeof(d->self.account), "discord:%" PRIu64, id);
}

static int ask_user(struct task *t, struct discord *d, struct error *err)
{
	struct json_object *me = discord_api_get(t, d, "/users/@me", "/users/@me", NULL, 1, NULL, err);
	uint64_t id = discord_id_get(me, "id");

	if (!me)
		return -1;
	discord_name_copy(d->self.username, sizeof(d->self.username), json_get_str(me, "username"));
	json_object_put(me);
	if (id == 0)
		return error_set(err, ERROR_NETWORK, "%s did not say who the bot is", d->host);
	d->self.user = id;
	return 0;
}

static void judge_content(struct discord *d, bool known, bool has)
{
	d->content = d->settings->message_content == DISCORD_CONTENT_REQUIRED ||
	    (d->settings->message_content == DISCORD_CONTENT_AUTO && (has || !known));
	d->self.receives_all = d->content;
	if (d->settings->message_content == DISCORD_CONTENT_AUTO && known && !has)
		log_warn(d->self.channel,
		    "the Message Content Intent is off: private chats, mentions and replies work; other "
		    "messages in servers come without their text. Switch it on in the Developer Portal (Bot, "
		    "Privileged Gateway Intents) and restart");
}

static int ask_application(struct task *t, struct discord *d, struct error *err)
{
	struct discord_outcome outcome;
	struct json_object *app =
	    discord_api_get(t, d, "/applications/@me", "/applications/@me", NULL, 1, &outcome, err);
	uint64_t id = discord_id_get(app, "id");
	int64_t flags = json_get_int(app, "flags", 0);

	json_object_put(app);
	if (!app && outcome.why.kind != ERROR_REFUSED)
		return -1;
	if (!app && d->refused)
		return -1;
	/* For all but the oldest bots it is the id of the bot itself. */
	set_app(d, id != 0 ? id : d->self.user);
	judge_content(d, app, (flags & (FLAG_CONTENT | FLAG_CONTENT_LIMITED)) != 0);
	log_info(d->self.channel, "bot=%" PRIu64 " application=%" PRIu64 " name=\"%s\"", d->self.user,
	    d->self.app, d->self.username);
	return 0;
}

static int read_journal(struct task *t, struct discord *d, struct error *err)
{
	char *identifies = NULL, *dms = NULL, name[DISCORD_CURSOR_MAX];
	int rc;

	discord_identify_limit_cursor(d->ch->unit, name);
	rc = channel_read_cursor(t, d->ch, d->self.account, name, &identifies, err);

	if (rc == 0)
		rc = channel_read_cursor(t, d->ch, d->self.account, "dms", &dms, err);
	if (rc == 0) {
		discord_identify_limit_read(&d->identifies, identifies, clock_wall(), clock_now());
		d->identifies.units = d->ch->units;
		discord_dms_read(&d->dms, dms);
	}
	free(identifies);
	free(dms);
	return rc;
}

int discord_account_step(struct task *t, struct discord *d, discord_step *step, struct error *err)
{
	while (step(t, d, err) < 0) {
		if (d->refused || err->kind == ERROR_CANCELLED)
			return -1;
		channel_set_status(d->ch, CHANNEL_DEGRADED, "%s; trying again", err->text);
		if (task_sleep(t, err->kind == ERROR_LIMITED ? err->retry_ms : backoff_after(&d->retry, err),
			err) < 0)
			return -1;
	}
	backoff_reset(&d->retry);
	return 0;
}

int discord_account_load(struct task *t, struct discord *d, struct error *err)
{
	static discord_step *const steps[] = {ask_user, ask_application, read_journal};

	for (size_t i = 0; i < ARRAY_LEN(steps); i++)
		if (discord_account_step(t, d, steps[i], err) < 0)
			return -1;
	return 0;
}
