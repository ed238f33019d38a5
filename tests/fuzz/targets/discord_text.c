/* channels/discord/render and split: whatever a model writes, each part is one that Discord takes, and
 * mentions nobody. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/text/utf8.h"
#include "channels/discord/render.h"
#include "channels/discord/split.h"
#include "channels/shared/blank.h"
#include "fuzz/fuzz.h"

void fuzz_discord_text(const uint8_t *data, size_t size)
{
	struct fuzz_input in = fuzz_open(data, size);
	size_t times = 1 + fuzz_byte(&in), len;
	char *text = fuzz_rest(&in, &len), **parts;
	struct buf long_text = BUF_INIT, shown = BUF_INIT;

	/* Long enough to be cut, although inputs are short. */
	for (size_t i = 0; i < times && long_text.len < 2 * DISCORD_TEXT_CHARS; i++)
		buf_addstr(&long_text, text);
	parts = discord_split(long_text.data);
	HOLDS(parts[0]);
	for (size_t i = 0; parts[i]; i++) {
		buf_reset(&shown);
		discord_render(&shown, parts[i]);
		HOLDS(utf8_valid(parts[i], strlen(parts[i])) && utf8_valid(shown.data, shown.len));
		HOLDS(discord_render_chars(shown.data, shown.len) + strlen(DISCORD_REPEAT_MARK) <=
		    DISCORD_TEXT_CHARS);
		HOLDS(!text_is_blank(parts[i]) || !parts[1]);
		free(parts[i]);
	}
	free(parts);
	free(text);
	buf_clear(&long_text);
	buf_clear(&shown);
}

FUZZ_PROGRAM(fuzz_discord_text)
