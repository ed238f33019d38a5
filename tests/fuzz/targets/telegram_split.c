/* channels/telegram/split: an answer of any length becomes messages that Telegram takes, with nothing left
 * out but blanks. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/text/utf8.h"
#include "channels/markdown/markdown.h"
#include "channels/markdown/write.h"
#include "channels/shared/blank.h"
#include "channels/telegram/render.h"
#include "channels/telegram/split.h"
#include "fuzz/fuzz.h"

/* What is to be read in the text, without blanks. */
static void add_solid(struct buf *out, const char *markdown)
{
	struct markdown doc;

	markdown_parse(&doc, markdown, strlen(markdown));
	markdown_solid(out, doc.root, NULL);
	markdown_clear(&doc);
}

/* Is all of it there, in order? The header of a table may stand between, again. */
static bool is_whole(const char *whole, const char *parts)
{
	for (; *whole != '\0' && *parts != '\0'; parts++)
		whole += *whole == *parts;
	return *whole == '\0';
}

static size_t check_parts(char *const *parts, size_t units, struct buf *solid)
{
	size_t count = 0;

	for (; parts[count]; count++) {
		struct telegram_rendering r;

		HOLDS(utf8_valid(parts[count], strlen(parts[count])));
		telegram_render(&r, parts[count]);
		HOLDS(r.units <= units);
		HOLDS(!text_is_blank(r.plain) || !parts[1]);
		telegram_rendering_clear(&r);
		add_solid(solid, parts[count]);
	}
	return count;
}

void fuzz_telegram_split(const uint8_t *data, size_t size)
{
	struct fuzz_input in = fuzz_open(data, size);
	size_t times = 1 + fuzz_byte(&in) * 2, len, count;
	struct buf long_text = BUF_INIT, clean = BUF_INIT, want = BUF_INIT, got = BUF_INIT;
	char *text = fuzz_rest(&in, &len), **parts;

	/* Long enough to be cut more than once, although inputs are short. */
	for (size_t i = 0; i < times && long_text.len < 2000; i++)
		buf_addstr(&long_text, text);
	utf8_sanitize(&clean, long_text.data, long_text.len);
	parts = telegram_split_to(long_text.data, TELEGRAM_SPLIT_MIN);
	count = check_parts(parts, TELEGRAM_SPLIT_MIN, &got);
	HOLDS(count > 0);
	if (text_is_blank(clean.data))
		HOLDS(count == 1 && parts[0][0] == '\0');
	if (count > 1) {
		add_solid(&want, clean.data);
		HOLDS(is_whole(want.data, got.data));
		HOLDS(strchr(clean.data, '|') || strcmp(want.data, got.data) == 0);
	}
	for (size_t i = 0; i < count; i++)
		free(parts[i]);
	free(parts);
	free(text);
	buf_clear(&long_text);
	buf_clear(&clean);
	buf_clear(&want);
	buf_clear(&got);
}

FUZZ_PROGRAM(fuzz_telegram_split)
