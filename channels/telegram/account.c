#include "channels/telegram/telegram_internal.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/wrong.h"
#include "bus/channel.h"
#include "channels/telegram/api.h"

static void set_id(struct telegram_self *self, int64_t id)
{
	self->id = id;
	snprintf(self->account, sizeof(self->account), "telegram:%" PRId64, id);
}

void telegram_account_init(struct telegram *tg, const char *channel, const char *token)
{
	str_copy(tg->self.channel, sizeof(tg->self.channel), channel);
	set_id(&tg->self, strtoll(token, NULL, 10));
}

static int read_me(struct telegram *tg, struct json_object *me, struct error *err)
{
	const char *username = json_get_str(me, "username");
	int64_t id = json_get_int(me, "id", 0);

	if (id <= 0 || !username || str_copy(tg->self.username, sizeof(tg->self.username), username) < 0)
		return error_set(err, ERROR_NETWORK, "getMe at %s did not say who the bot is", tg->host);
	if (id != tg->self.id)
		log_warn(tg->self.channel, "the bot's id is not the one in its token bot=%" PRId64, id);
	set_id(&tg->self, id);
	tg->self.receives_all = json_get_bool(me, "can_read_all_group_messages", false);
	log_info(tg->self.channel, "bot=%" PRId64 " username=@%s groups=\"%s\"", id, username,
	    tg->self.receives_all ? "all messages" : "mentions and commands only");
	return 0;
}

/* The steps of the load. Each returns 0, or -1 with outcome set, which says what to do. */
static int get_me(struct task *t, struct telegram *tg, struct telegram_outcome *outcome)
{
	struct telegram_call call = {.method = "getMe", .total_ms = tg->limits->call_ms, .fresh = tg->fresh};
	struct telegram_answer a;
	int rc = telegram_api_call(t, tg, &call, &a, NULL);

	*outcome = a.outcome;
	if (rc == 0 && (rc = read_me(tg, a.result, &outcome->why)) < 0)
		outcome->class = TELEGRAM_SERVER_ERROR;
	telegram_api_clear(&a);
	return rc;
}

static int drop_webhook(struct task *t, struct telegram *tg, struct telegram_outcome *outcome)
{
	struct telegram_call call = {
	    .method = "deleteWebhook", .total_ms = tg->limits->call_ms, .fresh = tg->fresh};
	struct telegram_answer a;
	int rc;

	call.params = json_object_new_object();
	json_set_bool(call.params, "drop_pending_updates", false);
	rc = telegram_api_call(t, tg, &call, &a, NULL);
	*outcome = a.outcome;
	telegram_api_clear(&a);
	return rc;
}

int telegram_account_drop_webhook(struct task *t, struct telegram *tg, struct error *err)
{
	struct telegram_outcome outcome;

	if (drop_webhook(t, tg, &outcome) == 0)
		return 0;
	*err = outcome.why;
	return -1;
}

static int read_offset(struct task *t, struct telegram *tg, struct telegram_outcome *outcome)
{
	char *value = NULL, *end;

	*outcome = (struct telegram_outcome){.class = TELEGRAM_SERVER_ERROR};
	if (channel_read_cursor(t, tg->ch, tg->self.account, "offset", &value, &outcome->why) < 0)
		return -1;
	if (!value)
		return 0;
	errno = 0;
	tg->offset = strtoll(value, &end, 10);
	if (errno != 0 || *end != '\0' || tg->offset < 0) {
		log_error(tg->self.channel,
		    "the stored offset is no number, starting without one value=\"%s\"", value);
		tg->offset = 0;
	}
	if (WRONG("offset-forgotten") || WRONG("no-dedupe"))
		tg->offset = 0;
	free(value);
	return 0;
}

int telegram_account_load(struct task *t, struct telegram *tg, struct error *err)
{
	static int (*const steps[])(struct task *, struct telegram *, struct telegram_outcome *) = {
	    get_me,
	    drop_webhook,
	    read_offset,
	};
	struct telegram_outcome outcome;

	for (size_t i = 0; !tg->identified && i < ARRAY_LEN(steps);) {
		if (steps[i](t, tg, &outcome) == 0) {
			backoff_reset(&tg->retry);
			tg->fresh = false;
			i++;
		} else if (telegram_retry_wait(t, tg, &outcome, err) < 0) {
			return -1;
		}
	}
	tg->identified = true;
	return 0;
}
