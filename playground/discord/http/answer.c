#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/time/clock.h"
#include "playground/discord/http/api.h"
#include "playground/discord/http/call.h"
#include "playground/playground.h"

/* Discord: topics/rate-limits, Header Format. Seconds with fractions. */
static void add_limit_headers(const struct cord_call *call, struct buf *out)
{
	const struct cord_limit_state *l = &call->limit;

	buf_addstr(out, "Via: 1.1 google\r\n");
	if (l->bucket)
		buf_addf(out,
		    "X-RateLimit-Limit: %u\r\nX-RateLimit-Remaining: %u\r\nX-RateLimit-Reset: %.3f\r\n"
		    "X-RateLimit-Reset-After: %.3f\r\nX-RateLimit-Bucket: %s\r\n",
		    l->limit, l->remaining, (double)(clock_wall() + (int64_t)l->reset_ms) / 1000,
		    (double)l->reset_ms / 1000, l->bucket);
	if (call->fail_status == 429)
		buf_addf(out, "Retry-After: %d\r\nX-RateLimit-Scope: %s\r\n%s",
		    (int)((call->retry_ms + 999) / 1000), call->scope,
		    strcmp(call->scope, "global") == 0 ? "X-RateLimit-Global: true\r\n" : "");
}

static struct json_object *failure_json(const struct cord_call *call)
{
	struct json_object *o = json_object_new_object();

	json_set_str(o, "message", call->fail_text);
	if (call->fail_status == 429) {
		json_set(o, "retry_after", json_object_new_double((double)call->retry_ms / 1000));
		json_set_bool(o, "global", strcmp(call->scope, "global") == 0);
		if (call->fail_code != 0)
			json_set_int(o, "code", call->fail_code);
		return o;
	}
	json_set_int(o, "code", call->fail_code);
	if (call->errors.tree)
		json_set(o, "errors", json_object_get(call->errors.tree));
	return o;
}

static void send_json(struct cord_call *call, int status, struct json_object *o)
{
	struct buf headers = BUF_INIT, body = BUF_INIT;

	add_limit_headers(call, &headers);
	if (o)
		json_write(&body, o);
	exchange_answer(call->ex, status, status != 204 ? "application/json" : NULL, headers.data, &body);
	if (status == 401 || status == 403 || (status == 429 && strcmp(call->scope, "shared") != 0))
		cord_limits_invalid(&call->world->limits);
	buf_clear(&headers);
	buf_clear(&body);
}

/* The statuses of an operation are 200 with an answer and 204 without, or those of the word status=. */
static void judge_success(struct cord_call *call, int status)
{
	struct strict *s = &call->world->pg->strict;
	const struct spec_record *spec = call->route->spec;
	const char *statuses = spec_value(spec, "status");
	char number[12];

	if (!s->on)
		return;
	snprintf(number, sizeof(number), "%d", status);
	if (!strstr(statuses ? statuses : spec->returns ? "200" : "204", number))
		strict_note(s, "discord", spec->name, "the status %d is not documented", status);
	if (call->result || status != 204)
		strict_judge(s, "discord", spec->name, spec->returns, call->result);
}

struct json_object *cord_answer_json(struct cord_call *call, int *status)
{
	struct json_object *o;

	if (call->fail_status == 0) {
		*status = call->status != 0 ? call->status : call->result ? 200 : 204;
		judge_success(call, *status);
		return json_object_get(call->result);
	}
	*status = call->fail_status;
	o = failure_json(call);
	strict_judge_object(
	    &call->world->pg->strict, "discord", *status == 429 ? "RatelimitedResponse" : "ErrorResponse", o);
	return o;
}

void cord_answer(struct cord_call *call)
{
	int status;
	struct json_object *o = cord_answer_json(call, &status);

	send_json(call, status, o);
	json_object_put(o);
}

static const char *words_of(int status)
{
	return status == 401 ? "401: Unauthorized" :
	    status == 403    ? "Missing Access" :
	    status == 404    ? "Unknown Channel" :
	    status == 429    ? "You are being rate limited." :
	    status == 400    ? "Invalid Form Body" :
			       "500: Internal Server Error";
}

/* "CODE: message" in a fault's text sets both. */
static void play_json(struct exchange *ex, int status, unsigned retry_s)
{
	struct json_object *o = json_object_new_object();
	struct buf body = BUF_INIT, headers = BUF_INIT;
	char *words = ex->fault.text;
	long code = strtol(ex->fault.text, &words, 10);

	if (words != ex->fault.text && strncmp(words, ": ", 2) == 0) {
		words += 2;
	} else {
		words = ex->fault.text;
		code = cord_error_code(words_of(status));
	}
	json_set_str(o, "message", words[0] != '\0' ? words : words_of(status));
	if (status == 429) {
		json_set(o, "retry_after", json_object_new_double(retry_s));
		json_set_bool(o, "global", ex->fault.global);
		buf_addf(&headers, "Via: 1.1 google\r\nRetry-After: %u\r\nX-RateLimit-Scope: %s\r\n%s",
		    retry_s, ex->fault.global ? "global" : "shared",
		    ex->fault.global ? "X-RateLimit-Global: true\r\n" : "");
	}
	if (status != 429 || code != 0)
		json_set_int(o, "code", code);
	json_write(&body, o);
	exchange_answer(ex, status, "application/json", headers.len > 0 ? headers.data : NULL, &body);
	json_object_put(o);
	buf_clear(&body);
	buf_clear(&headers);
}

/* Faults: for 502 and above Cloudflare answers with its own page. Undocumented: what clients have logged. */
void cord_answer_fault(struct exchange *ex, int status, unsigned retry_s)
{
	struct buf page = BUF_INIT;

	if (status < 502) {
		play_json(ex, status, retry_s);
		return;
	}
	buf_addf(&page,
	    "<html><head><title>%d</title></head><body><center><h1>%d</h1></center><hr><center>cloudflare</"
	    "center></body></html>\n",
	    status, status);
	exchange_answer(ex, status, "text/html", NULL, &page);
	buf_clear(&page);
}

/* Undocumented: what clients have logged. */
void cord_answer_banned(struct exchange *ex)
{
	struct buf body = BUF_INIT;

	exchange_problem(ex, "banned after 10,000 invalid requests in 10 minutes");
	buf_addstr(&body, "error code: 1015");
	exchange_answer(ex, 429, "text/plain; charset=UTF-8", "Retry-After: 86400\r\n", &body);
	buf_clear(&body);
}
