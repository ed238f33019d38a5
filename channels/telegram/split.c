#include "channels/telegram/split.h"

#include "channels/markdown/split.h"
#include "channels/shared/blank.h"
#include "channels/telegram/render.h"

#define UNITS_MAX (TELEGRAM_TEXT_UNITS - (sizeof(TELEGRAM_REPEAT_MARK) - 1))

static enum markdown_fit fit(const char *part, size_t units)
{
	struct telegram_rendering r;
	enum markdown_fit result = MARKDOWN_FITS;

	telegram_render(&r, part);
	if (text_is_blank(r.plain))
		result = MARKDOWN_BLANK;
	else if (r.units > units)
		result = MARKDOWN_TOO_LONG;
	else
		telegram_render_keep(part, &r);
	telegram_rendering_clear(&r);
	return result;
}

char **telegram_split(const char *text)
{
	return telegram_split_to(text, UNITS_MAX);
}

char **telegram_split_to(const char *text, size_t units)
{
	const struct markdown_limit limit = {.units = units, .fit = fit};

	return markdown_split(text, &limit);
}
