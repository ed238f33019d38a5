/* channels/telegram/class: every answer of the Bot API, and of what stands before it, has one meaning, and
 * the kind of its error says what to do. */
#include <stdlib.h>
#include <string.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "channels/telegram/outcome.h"
#include "fuzz/fuzz.h"

#define DAY_MS (24 * 3600 * 1000)

static void check_why(const struct telegram_outcome *out)
{
	enum error_kind want = out->class == TELEGRAM_RATE_LIMITED                 ? ERROR_LIMITED :
	    out->class == TELEGRAM_SERVER_ERROR || out->class == TELEGRAM_CONFLICT ? ERROR_NETWORK :
										     ERROR_REFUSED;

	if (out->class <= TELEGRAM_UNCHANGED) {
		HOLDS(out->why.kind == ERROR_NONE && !out->why.uncertain);
		return;
	}
	fuzz_hold_sentence(out->why.text);
	HOLDS(out->why.kind == want);
	HOLDS(out->why.uncertain == (out->class == TELEGRAM_SERVER_ERROR));
	HOLDS(out->why.retry_ms == out->retry_ms);
}

void fuzz_telegram_verdict(const uint8_t *data, size_t size)
{
	static const int statuses[] = {200, 400, 401, 403, 404, 409, 413, 429, 500, 502, 504, 302};
	struct fuzz_input in = fuzz_open(data, size);
	int status = statuses[fuzz_below(&in, ARRAY_LEN(statuses))];
	uint64_t header_ms = 500 * fuzz_below(&in, 3);
	struct telegram_outcome out, same;
	size_t len;
	char *text = fuzz_rest(&in, &len);
	struct json_object *reply = json_parse_object(text, len, NULL);
	bool ok = json_get_bool(reply, "ok", false) && json_get(reply, "result");

	telegram_outcome_read(&out, status, reply, header_ms);
	HOLDS((out.class == TELEGRAM_OK) == ok);
	/* What is no answer of the API says nothing of the request, except that it was too large or too
	 * early. */
	if (!json_get(reply, "ok"))
		HOLDS(out.class ==
		    (status == 429        ? TELEGRAM_RATE_LIMITED :
			    status == 413 ? TELEGRAM_FILE_TOO_LARGE :
					    TELEGRAM_SERVER_ERROR));
	HOLDS((out.class == TELEGRAM_RATE_LIMITED) == (out.retry_ms > 0) && out.retry_ms <= DAY_MS);
	HOLDS(out.class == TELEGRAM_MIGRATED || out.migrate_to == 0);
	check_why(&out);
	telegram_outcome_read(&same, status, reply, header_ms);
	HOLDS(same.class == out.class && strcmp(same.why.text, out.why.text) == 0);
	json_object_put(reply);
	free(text);
}

FUZZ_PROGRAM(fuzz_telegram_verdict)
