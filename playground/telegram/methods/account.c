#include "base/time/clock.h"
#include "playground/telegram/http/method.h"
#include "playground/telegram/world/bot.h"

#define CLOSE_AFTER_MS 600000 /* Bot API, close: 429 in the first 10 minutes */

int method_get_me(struct call *call)
{
	bot_write_full(call->bot, &call->result);
	return 0;
}

int method_log_out(struct call *call)
{
	call->bot->logged_out_ms = clock_now();
	return call_true(call);
}

int method_close(struct call *call)
{
	uint64_t age = clock_now() - call->bot->created_ms;

	if (age < CLOSE_AFTER_MS)
		return call_limit(call, (unsigned)((CLOSE_AFTER_MS - age + 999) / 1000));
	return call_true(call);
}
