#include "channels/telegram/render.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "channels/markdown/markdown.h"
#include "channels/shared/blank.h"
#include "channels/shared/rendering_cache.h"
#include "channels/telegram/render_internal.h"

static void kept_free(void *rendering)
{
	telegram_rendering_clear(rendering);
	free(rendering);
}

static struct rendering_cache kept = {.free = kept_free};

void telegram_render_keep(const char *markdown, struct telegram_rendering *r)
{
	rendering_cache_put(&kept, markdown, xmemdup(r, sizeof(*r)));
	*r = (struct telegram_rendering){0};
}

/* Markdown can hide all of a text, such as one that only defines a link: then it is shown as it is. */
static void render_source(struct render *r, const char *text)
{
	render_clear(r);
	*r = (struct render)RENDER_INIT;
	render_str(r, text);
}

void telegram_render(struct telegram_rendering *out, const char *markdown)
{
	const struct telegram_rendering *cached = rendering_cache_get(&kept, markdown);
	struct render r = RENDER_INIT;
	struct buf clean = BUF_INIT;
	struct markdown doc;
	size_t plain_units;

	if (cached) {
		*out =
		    (struct telegram_rendering){xstrdup(cached->html), xstrdup(cached->plain), cached->units};
		return;
	}
	utf8_sanitize(&clean, markdown, strlen(markdown));
	markdown_parse(&doc, clean.data, clean.len);
	render_document(&r, doc.root);
	markdown_clear(&doc);
	if (text_is_blank(r.plain.data) && !text_is_blank(clean.data))
		render_source(&r, clean.data);
	plain_units = utf8_count(r.plain.data, r.plain.len, UTF8_UTF16);
	*out = (struct telegram_rendering){
	    .units = plain_units > r.html_units ? plain_units : r.html_units,
	    .html = buf_take(&r.html),
	    .plain = buf_take(&r.plain),
	};
	render_clear(&r);
	buf_clear(&clean);
}

void telegram_rendering_clear(struct telegram_rendering *r)
{
	free(r->html);
	free(r->plain);
	*r = (struct telegram_rendering){0};
}
