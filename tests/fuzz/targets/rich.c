/* Rich messages as bots send them to the simulated Telegram. What comes of one is a RichMessage by the
 * tables, within the documented limits. The first byte has the language and the options. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/text/utf8.h"
#include "fuzz/fuzz.h"
#include "playground/spec/judge.h"
#include "playground/telegram/text/rich.h"

#define CHARACTERS_MAX 32768
#define BLOCKS_MAX     500

static void write_user(struct buf *out, int64_t id, void *arg)
{
	(void)arg;
	buf_addf(out, "{\"id\":%" PRId64 ",\"is_bot\":false,\"first_name\":\"\"}", id);
}

static int write_media(struct buf *out, const char *element, const char *url, void *arg, struct error *err)
{
	(void)arg;
	HOLDS(element[0] != '\0' && (url[0] == 'h' || url[0] == 't') && utf8_valid(url, strlen(url)));
	if (strchr(url, '!'))
		return error_set(err, ERROR_OURS, "there is no such file");
	buf_addstr(out, "\"type\":\"photo\",\"photo\":[]");
	return 0;
}

static void on_fault(struct judge *j, enum judge_fault fault, const struct spec_member *m,
    const struct spec_type *t, struct json_object *v)
{
	(void)j;
	(void)fault;
	(void)m;
	(void)t;
	(void)v;
	HOLDS(!"the tables allow it");
}

static void check(const char *rich)
{
	struct judge judge = {.rules = JUDGE_STRICT | JUDGE_LIMITS, .fault = on_fault};
	struct json_object *o = fuzz_hold_json(rich);
	struct buf plain = BUF_INIT;
	size_t count = json_count(json_get_array(o, "blocks"));

	judge_members(&judge, spec_type(spec_of("telegram"), "RichMessage"), o);
	HOLDS(count > 0 && count <= BLOCKS_MAX);
	rich_plain(rich, &plain);
	HOLDS(utf8_valid(plain.data, plain.len));
	/* Labels, bars and ends of lines are no text of its own. */
	HOLDS(utf8_count(plain.data, plain.len, UTF8_CHARS) < CHARACTERS_MAX + 100 * BLOCKS_MAX);
	buf_clear(&plain);
	json_object_put(o);
}

void fuzz_rich(const uint8_t *data, size_t size)
{
	struct fuzz_input in = fuzz_open(data, size);
	unsigned options = fuzz_byte(&in);
	struct buf clean = BUF_INIT, out = BUF_INIT;
	struct error err = {0};
	size_t len;
	char *text = fuzz_rest(&in, &len);

	/* Parameters are valid UTF-8, and end at a NUL, before they are looked at. */
	utf8_sanitize(&clean, text, strlen(text));
	if (rich_read(&(struct rich_source){.text = clean.data,
			  .markdown = options & 1,
			  .draft = options & 2,
			  .skip_entities = options & 4,
			  .right_to_left = options & 8,
			  .write_user = write_user,
			  .write_media = write_media},
		&out, &err) == 0)
		check(out.data);
	else
		fuzz_hold_sentence(err.text);
	buf_clear(&clean);
	buf_clear(&out);
	free(text);
}

FUZZ_PROGRAM(fuzz_rich)
