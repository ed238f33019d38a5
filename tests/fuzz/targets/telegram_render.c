/* channels/telegram/render: whatever a model writes, Telegram's parser takes the HTML, counts as we count,
 * and finds nobody mentioned in it. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/text/utf8.h"
#include "channels/shared/blank.h"
#include "channels/telegram/render.h"
#include "channels/telegram/split.h"
#include "fuzz/fuzz.h"
#include "playground/telegram/text/formatted.h"

void fuzz_telegram_render(const uint8_t *data, size_t size)
{
	struct fuzz_input in = fuzz_open(data, size);
	struct formatted f = FORMATTED_INIT;
	struct telegram_rendering r;
	struct error err = {0};
	struct buf clean = BUF_INIT;
	size_t len, html, plain;
	char *text = fuzz_rest(&in, &len);

	utf8_sanitize(&clean, text, strlen(text));
	telegram_render(&r, text);
	HOLDS(utf8_valid(r.html, strlen(r.html)) && utf8_valid(r.plain, strlen(r.plain)));
	HOLDS(text_is_blank(r.plain) == text_is_blank(clean.data));
	HOLDS(html_parse(r.html, strlen(r.html), &f, &err) == 0);
	html = formatted_units(&f);
	plain = utf8_count(r.plain, strlen(r.plain), UTF8_UTF16);
	HOLDS(r.units == (html > plain ? html : plain));
	if (f.count < 60) {
		formatted_finish(&f);
		for (size_t i = 0; i < f.count; i++)
			HOLDS(f.entities[i].type != ENTITY_MENTION &&
			    f.entities[i].type != ENTITY_TEXT_MENTION);
	}
	telegram_rendering_clear(&r);
	formatted_clear(&f);
	buf_clear(&clean);
	free(text);
}

FUZZ_PROGRAM(fuzz_telegram_render)
