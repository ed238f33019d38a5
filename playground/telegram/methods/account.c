#include "base/time/clock.h"
#include "playground/telegram/http/method.h"
#include "playground/telegram/world/bot.h"

#define CLOSE_AFTER_MS 600000 /* Bot API, close: 429 in the first 10 minutes */

int method_get_me(struct task *t, struct call *call)
{
	(void)t;
	bot_write_full(call->bot, &call->result);
	return 0;
}

int method_log_out(struct task *t, struct call *call)
{
	(void)t;
	call->bot->logged_out_ms = clock_now();
	call_result_true(call);
	return 0;
}

int method_close(struct task *t, struct call *call)
{
	uint64_t age = clock_now() - call->bot->created_ms;

	(void)t;
	if (age < CLOSE_AFTER_MS)
		return call_limit(call, (unsigned)((CLOSE_AFTER_MS - age + 999) / 1000));
	call_result_true(call);
	return 0;
}
