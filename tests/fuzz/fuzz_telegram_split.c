/* channels/telegram/split: an answer of any length becomes messages that Telegram takes, with nothing left out but
 * blanks. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "channels/telegram/split.h"
#include "fuzz/fuzz.h"

/* What Telegram shows of it: the rest may be lost where a text is cut. */
static void add_shown(struct buf *out, const char *text)
{
	size_t len = strlen(text), n;
	uint32_t cp;

	for (size_t at = 0; at < len; at += n) {
		char one[5] = "";

		n = utf8_decode(text + at, len - at, &cp);
		HOLDS(n > 0);
		memcpy(one, text + at, n);
		if (!telegram_split_is_blank(one))
			buf_add(out, one, n);
	}
}

static size_t check_parts(char *const *parts, struct buf *shown)
{
	const size_t room = TELEGRAM_TEXT_UNITS - strlen(TELEGRAM_REPEAT_MARK);
	size_t count = 0;

	for (; parts[count] != NULL; count++) {
		HOLDS(utf8_valid(parts[count], strlen(parts[count])));
		HOLDS(utf8_count(parts[count], strlen(parts[count]), UTF8_UTF16) <= room);
		add_shown(shown, parts[count]);
	}
	return count;
}

void fuzz_telegram_split(const uint8_t *data, size_t size)
{
	struct fuzz_input in = fuzz_open(data, size);
	size_t times = 1 + fuzz_byte(&in) * 8, len, count;
	struct buf long_text = BUF_INIT, clean = BUF_INIT, want = BUF_INIT, got = BUF_INIT;
	char *text = fuzz_rest(&in, &len), **parts;

	/* Long enough to be cut once, although inputs are short. */
	for (size_t i = 0; i < times && long_text.len < 4500; i++)
		buf_addstr(&long_text, text);
	parts = telegram_split(long_text.data);
	count = check_parts(parts, &got);
	HOLDS(count > 0);
	utf8_clean(&clean, long_text.data, long_text.len);
	add_shown(&want, clean.data);
	if (telegram_split_is_blank(clean.data))
		HOLDS(count == 1 && parts[0][0] == '\0');
	else
		for (size_t i = 0; i < count; i++)
			HOLDS(!telegram_split_is_blank(parts[i]));
	HOLDS(got.len == want.len && memcmp(got.data, want.data, got.len) == 0);
	for (size_t i = 0; i < count; i++)
		free(parts[i]);
	free(parts);
	free(text);
	buf_clear(&long_text);
	buf_clear(&clean);
	buf_clear(&want);
	buf_clear(&got);
}
