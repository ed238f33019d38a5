/* Terms of Erlang: what is read is written and read again, and keeps its bytes from then on; atoms as keys
 * change nothing else. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "fuzz/fuzz.h"
#include "playground/discord/gateway/etf.h"

static void check_again(struct json_object *o)
{
	struct buf once = BUF_INIT, twice = BUF_INIT;
	struct json_object *again;

	etf_write(&once, o);
	again = etf_read(once.data, once.len, true, NULL);
	HOLDS(again);
	etf_write(&twice, again);
	HOLDS(once.len == twice.len && memcmp(once.data, twice.data, once.len) == 0);
	json_object_put(again);
	buf_clear(&once);
	buf_clear(&twice);
}

void fuzz_etf(const uint8_t *data, size_t size)
{
	struct fuzz_input in = fuzz_open(data, size);
	struct error err = {0};
	size_t len;
	char *bytes = fuzz_rest(&in, &len);
	struct json_object *o = etf_read(bytes, len, true, &err), *strict = etf_read(bytes, len, false, NULL);

	if (o)
		check_again(o);
	else
		fuzz_hold_sentence(err.text);
	HOLDS(!strict || json_object_equal(o, strict));
	json_object_put(o);
	json_object_put(strict);
	/* Events begin as JSON. */
	o = json_parse_object(bytes, len, NULL);
	if (o)
		check_again(o);
	json_object_put(o);
	free(bytes);
}

FUZZ_PROGRAM(fuzz_etf)
