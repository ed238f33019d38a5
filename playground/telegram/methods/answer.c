#include <string.h>

#include "base/text/utf8.h"
#include "base/time/clock.h"
#include "playground/telegram/methods/compose.h"

#define TEXT_MAX 200

static const char too_old[] = "query is too old and response timeout expired or query ID is invalid";

int method_answer_callback_query(struct call *call)
{
	const char *text = json_get_str(call->params, "text");
	int64_t id = 0;

	if (text && utf8_count(text, strlen(text), UTF8_CHARS) > TEXT_MAX)
		return call_refuse(call, "MESSAGE_TOO_LONG");
	if (!world_read_id(json_get_str(call->params, "callback_query_id"), &id) ||
	    callbacks_answer(&call->bot->callbacks, id, clock_now()) != 0)
		return call_fail(call, 400, "Bad Request: %s", too_old);
	return call_true(call);
}
