#include "channels/slack/render_text.h"

#include <string.h>

void mrkdwn_raw(struct mrkdwn *r, const char *s)
{
	if (r->line_empty) {
		r->line_empty = false;
		buf_add(&r->out, r->indent.data, r->indent.len);
	}
	buf_addstr(&r->out, s);
}

/* Inside code a backquote would end it, and nothing can be put before it that does not show. */
static const char *replacement(const struct mrkdwn *r, char c)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '`':
		return r->code ? "\xcb\x8b" : NULL;
	default:
		return NULL;
	}
}

void mrkdwn_text(struct mrkdwn *r, const char *s, size_t len)
{
	if (len == 0)
		return;
	mrkdwn_raw(r, "");
	for (size_t i = 0; i < len; i++) {
		const char *instead = replacement(r, s[i]);

		if (instead)
			buf_addstr(&r->out, instead);
		else
			buf_addch(&r->out, s[i]);
	}
}

void mrkdwn_str(struct mrkdwn *r, const char *s)
{
	mrkdwn_text(r, s, strlen(s));
}

void mrkdwn_line(struct mrkdwn *r)
{
	buf_addch(&r->out, '\n');
	r->line_empty = true;
}

void mrkdwn_block(struct mrkdwn *r, unsigned lines)
{
	bool fresh = r->fresh;

	r->fresh = false;
	if (!r->begun || fresh) {
		r->begun = true;
		return;
	}
	while (lines-- > 0)
		mrkdwn_line(r);
}
