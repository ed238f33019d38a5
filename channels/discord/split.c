#include "channels/discord/split.h"

#include "base/buf.h"
#include "channels/discord/render.h"
#include "channels/markdown/split.h"
#include "channels/shared/blank.h"

static enum markdown_fit fit(const char *part, size_t units)
{
	struct buf text = BUF_INIT;
	enum markdown_fit result = MARKDOWN_FITS;

	discord_render(&text, part);
	if (text_is_blank(text.data))
		result = MARKDOWN_BLANK;
	else if (discord_render_chars(text.data, text.len) > units)
		result = MARKDOWN_TOO_LONG;
	else
		discord_render_keep(part, &text);
	buf_clear(&text);
	return result;
}

char **discord_split(const char *text)
{
	const struct markdown_limit limit = {
	    .units = DISCORD_TEXT_CHARS - (sizeof(DISCORD_REPEAT_MARK) - 1),
	    .fit = fit,
	};

	return markdown_split(text, &limit);
}
