#include "channels/telegram/telegram_internal.h"

#include "base/error.h"
#include "base/json/json.h"
#include "bus/channel.h"
#include "channels/telegram/api.h"
#include "channels/telegram/params.h"
#include "channels/telegram/telegram.h"

/* Errors after which asking again is of no use. */
static bool typing_is_hopeless(enum error_kind kind)
{
	return kind == ERROR_REFUSED || kind == ERROR_CANCELLED;
}

static int typing_failed(struct telegram *tg, const struct address *where, struct error *why)
{
	if (why->kind == ERROR_LIMITED)
		telegram_pause(tg, where->chat, why->retry_ms + tg->limits->limited_extra_ms);
	if (++tg->typing_errors < tg->limits->typing_errors && !typing_is_hopeless(why->kind))
		return 0;
	tg->typing_errors = 0;
	return -1;
}

int telegram_typing(struct task *t, struct channel *ch, const struct address *where, struct error *err)
{
	struct telegram *tg = ch->state;
	struct telegram_call call = {.method = "sendChatAction", .total_ms = tg->limits->call_ms};
	struct telegram_answer a;
	struct error why;
	int rc;

	if (tg->refused)
		return error_set(err, ERROR_REFUSED, "the channel has stopped: its token was refused");
	if (!rate_limit_try(&tg->rate_limiter, where->chat))
		return 0;
	call.params = json_object_new_object();
	telegram_params_chat(call.params, where->chat);
	telegram_params_thread(call.params, where->thread);
	json_set_str(call.params, "action", "typing");
	rc = telegram_api_call(t, tg, &call, &a, &why);
	if (a.outcome.class == TELEGRAM_BAD_TOKEN)
		telegram_refused(tg, &why);
	telegram_api_clear(&a);
	if (rc == 0) {
		tg->typing_errors = 0;
		return 0;
	}
	if (typing_failed(tg, where, &why) == 0)
		return 0;
	if (err)
		*err = why;
	return -1;
}
