#include "playground/telegram/text/rich.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "base/text/utf8.h"
#include "playground/telegram/text/rich_internal.h"

#define MEDIA_MAX 50 /* Bot API, "Rich Message Limits" */
/* Undocumented: how long the source may be, whatever is left of it. A choice: room for markup. */
#define SOURCE_MAX (1 << 18) /* bytes */

static void write_credit(struct rich_reader *r, size_t i, struct buf *out)
{
	size_t cite = rich_find_part(r, i, RICH_CITE);

	if (cite != 0)
		rich_write_text(r, cite, "credit", false, out);
}

/* RichBlockCaption */
static void write_caption(struct rich_reader *r, size_t i, struct buf *out)
{
	size_t caption = rich_find_part(r, i, RICH_CAPTION);
	struct buf inside = BUF_INIT;

	if (caption == 0)
		return;
	rich_write_text(r, caption, "text", false, &inside);
	write_credit(r, caption, &inside);
	buf_addf(out, ",\"caption\":{%s}", inside.data + 1);
	buf_clear(&inside);
}

static void write_list_of(struct rich_reader *r, const char *member, size_t first, struct buf *out)
{
	struct buf inside = BUF_INIT;

	rich_enter(r);
	rich_write_blocks(r, first, &inside);
	r->level--;
	buf_addf(out, ",\"%s\":[%s]", member, inside.data);
	buf_clear(&inside);
}

static void write_pre(struct rich_reader *r, size_t i, struct buf *out)
{
	static const char prefix[] = "language-";
	size_t code = rich_node_at(r, i)->first;
	bool alone =
	    code != 0 && rich_node_at(r, code)->kind == RICH_CODE && rich_node_at(r, code)->next == 0;
	const char *class = alone ? rich_node_attribute(r, code, "class") : NULL;

	rich_begin_block(r, "pre", out);
	rich_write_text(r, alone ? code : i, "text", true, out);
	if (class && strncmp(class, prefix, strlen(prefix)) == 0 && class[strlen(prefix)] != '\0')
		rich_write_member(out, "language", class + strlen(prefix));
}

static void write_quote(struct rich_reader *r, size_t i, struct buf *out)
{
	if (rich_node_attribute(r, i, "expandable")) {
		rich_begin_block(r, "expandable_blockquote", out);
		rich_write_text(r, i, "text", false, out);
	} else {
		rich_begin_block(r, "blockquote", out);
		write_list_of(r, "blocks", rich_node_at(r, i)->first, out);
	}
	write_credit(r, i, out);
}

/* Undocumented: what is shown of details without a summary; a choice: nothing. */
static void write_details(struct rich_reader *r, size_t i, struct buf *out)
{
	size_t summary = rich_find_part(r, i, RICH_SUMMARY);

	rich_begin_block(r, "details", out);
	if (summary != 0)
		rich_write_text(r, summary, "summary", false, out);
	else
		buf_addstr(out, ",\"summary\":\"\"");
	write_list_of(r, "blocks", rich_node_at(r, i)->first, out);
	if (rich_node_attribute(r, i, "open"))
		buf_addstr(out, ",\"is_open\":true");
}

/* Bot API, RichBlockMap: zoom is 13-20. Undocumented: zoom, width and height where none are given; a choice.
 */
static void write_map(struct rich_reader *r, size_t i, struct buf *out)
{
	const char *lat = rich_node_attribute(r, i, "lat"), *lon = rich_node_attribute(r, i, "long");
	double latitude = lat ? strtod(lat, NULL) : NAN, longitude = lon ? strtod(lon, NULL) : NAN;
	int64_t zoom = rich_number(rich_node_attribute(r, i, "zoom"), 16);

	if (!(fabs(latitude) <= 90 && fabs(longitude) <= 180)) {
		rich_fail(r, "invalid location specified");
		return;
	}
	rich_begin_block(r, "map", out);
	buf_addf(out,
	    ",\"location\":{\"latitude\":%.6f,\"longitude\":%.6f},\"zoom\":%" PRId64
	    ",\"width\":640,\"height\":360",
	    latitude, longitude,
	    zoom < 13     ? 13 :
		zoom > 20 ? 20 :
			    zoom);
}

static void write_media(struct rich_reader *r, size_t i, struct buf *out)
{
	const char *src = rich_node_attribute(r, i, "src");
	struct buf file = BUF_INIT;
	struct error err;

	if (!src ||
	    (strncmp(src, "http://", 7) != 0 && strncmp(src, "https://", 8) != 0 &&
		strncmp(src, "tg://", 5) != 0)) {
		rich_fail(r, "can't parse rich message: tag \"%s\" must have an HTTP URL",
		    rich_node_at(r, i)->tag->name);
	} else if (r->source->write_media(&file, rich_node_at(r, i)->tag->name, src, r->source->arg, &err) !=
	    0) {
		rich_fail(r, "%s", err.text);
	} else if (++r->media > MEDIA_MAX) {
		rich_fail(r, "rich message has more than %d media", MEDIA_MAX);
	} else {
		rich_count_block(r);
		buf_addf(out, "%s{%s%s", out->len > 0 && out->data[out->len - 1] == '}' ? "," : "", file.data,
		    rich_node_attribute(r, i, "tg-spoiler") ? ",\"has_spoiler\":true" : "");
	}
	buf_clear(&file);
}

/* One file or map, and its caption. */
static void write_figure(struct rich_reader *r, size_t figure, struct buf *out)
{
	size_t count = 0;

	for (size_t i = rich_node_at(r, figure)->first; i != 0 && !r->failed; i = rich_node_at(r, i)->next) {
		if (rich_node_at(r, i)->kind == RICH_MEDIA && count++ == 0)
			write_media(r, i, out);
		else if (rich_node_at(r, i)->kind == RICH_MAP && count++ == 0)
			write_map(r, i, out);
		else if (!rich_is_blank(r, i) && rich_node_at(r, i)->kind != RICH_CAPTION)
			rich_fail_place(r, i);
	}
	if (count == 0)
		rich_fail(r, "can't parse rich message: tag \"figure\" has no media");
	write_caption(r, figure, out);
}

static void write_collage(struct rich_reader *r, size_t i, struct buf *out)
{
	rich_begin_block(r, rich_node_at(r, i)->tag->type, out);
	write_list_of(r, "blocks", rich_node_at(r, i)->first, out);
	write_caption(r, i, out);
}

static void write_expression(struct rich_reader *r, size_t i, struct buf *out)
{
	struct buf text = BUF_INIT;

	rich_tree_text(&r->tree, i, &text);
	while (text.len > 0 && isspace((unsigned char)text.data[text.len - 1]))
		buf_truncate(&text, text.len - 1);
	rich_count_characters(r, utf8_count(text.data, text.len, UTF8_CHARS));
	rich_begin_block(r, "mathematical_expression", out);
	rich_write_member(out, "expression", text.data);
	buf_clear(&text);
}

static void write_block(struct rich_reader *r, size_t i, struct buf *out)
{
	const struct rich_node *n = rich_node_at(r, i);

	switch (n->kind) {
	case RICH_COLLAGE:
		write_collage(r, i, out);
		break;
	case RICH_DETAILS:
		write_details(r, i, out);
		break;
	case RICH_DIVIDER:
		rich_begin_block(r, "divider", out);
		break;
	case RICH_FIGURE:
		write_figure(r, i, out);
		break;
	case RICH_THINKING:
		if (!r->source->draft)
			rich_fail(
			    r, "can't parse rich message: tag \"tg-thinking\" is allowed only in drafts");
		/* fall through */
	case RICH_FOOTER:
		rich_begin_block(r, n->tag->type, out);
		rich_write_text(r, i, "text", false, out);
		break;
	case RICH_HEADING:
		rich_begin_block(r, "heading", out);
		rich_write_text(r, i, "text", false, out);
		buf_addf(out, ",\"size\":%c", n->tag->name[1]);
		break;
	case RICH_LIST:
		rich_write_list(r, i, out);
		break;
	case RICH_MAP:
		write_map(r, i, out);
		break;
	case RICH_MATH_BLOCK:
		write_expression(r, i, out);
		break;
	case RICH_MEDIA:
		write_media(r, i, out);
		break;
	case RICH_PRE:
		write_pre(r, i, out);
		break;
	case RICH_PULL_QUOTE:
		rich_begin_block(r, "pullquote", out);
		rich_write_text(r, i, "text", false, out);
		write_credit(r, i, out);
		break;
	case RICH_QUOTE:
		write_quote(r, i, out);
		break;
	case RICH_TABLE:
		rich_write_table(r, i, out);
		break;
	default:
		rich_fail(r, "buttons of rich messages are not simulated by the playground");
	}
	if (!r->failed)
		buf_addch(out, '}');
}

/* A paragraph, if it says anything; an anchor on its own is a block. */
static void write_paragraph(struct rich_reader *r, struct rich_line *l, struct buf *out)
{
	rich_finish_line(r, l, true);
	if (rich_line_is_anchors(l)) {
		for (size_t i = 0; i < l->count; i++) {
			rich_begin_block(r, "anchor", out);
			buf_addf(out, "%s}", l->spans[i].members);
		}
	} else if (l->text.len > 0) {
		rich_begin_block(r, "paragraph", out);
		buf_addstr(out, ",\"text\":");
		rich_line_write(l, out);
		buf_addch(out, '}');
	}
	rich_line_clear(l);
}

/* Is it a part that the block around it has read? */
static bool is_part_of_block(const struct rich_reader *r, size_t i)
{
	enum rich_kind kind = rich_node_at(r, i)->kind,
		       around = rich_node_at(r, rich_node_at(r, i)->parent)->kind;

	return (kind == RICH_CAPTION && around == RICH_COLLAGE) ||
	    (kind == RICH_CITE && around == RICH_QUOTE) || (kind == RICH_CHECKBOX && around == RICH_ITEM) ||
	    (kind == RICH_SUMMARY && around == RICH_DETAILS);
}

/* Writes the node and those after it. What stands between blocks is a paragraph. */
void rich_write_blocks(struct rich_reader *r, size_t first, struct buf *out)
{
	struct rich_line l = {.text = BUF_INIT};

	for (size_t i = first; i != 0 && !r->failed; i = rich_node_at(r, i)->next) {
		enum rich_kind kind = rich_node_at(r, i)->kind;

		if (kind >= RICH_BUTTONS || is_part_of_block(r, i))
			write_paragraph(r, &l, out);
		if (kind == RICH_PARAGRAPH) {
			rich_read_inside(r, i, &l);
			write_paragraph(r, &l, out);
		} else if (kind >= RICH_BUTTONS) {
			write_block(r, i, out);
		} else if (!is_part_of_block(r, i)) {
			rich_read_inline(r, i, &l);
		}
	}
	write_paragraph(r, &l, out);
}

static void find_references(struct rich_reader *r)
{
	buf_addch(&r->references, '\n');
	for (size_t i = 0; i < r->tree.count; i++) {
		const char *name =
		    rich_node_at(r, i)->kind == RICH_REFERENCE ? rich_node_attribute(r, i, "name") : NULL;

		if (name)
			buf_addf(&r->references, "%s\n", name);
	}
}

static int read_html(struct rich_reader *r, const char *html, size_t len, struct buf *out)
{
	struct error err;

	if (rich_tree_read(&r->tree, html, len, r->source->markdown, &err) != 0) {
		rich_fail(r, "can't parse rich message: %s", err.text);
	} else {
		find_references(r);
		buf_addstr(out, "{\"blocks\":[");
		rich_write_blocks(r, rich_node_at(r, 0)->first, out);
		buf_addf(out, "]%s}", r->source->right_to_left ? ",\"is_rtl\":true" : "");
	}
	if (r->blocks == 0)
		rich_fail(r, "rich message must be non-empty");
	return r->failed ? -1 : 0;
}

int rich_read(const struct rich_source *source, struct buf *out, struct error *err)
{
	struct rich_reader r = {.source = source, .tree.text = BUF_INIT, .references = BUF_INIT, .err = err};
	size_t len = strlen(source->text);
	struct buf html = BUF_INIT;
	int ret = -1;

	if (len > SOURCE_MAX)
		return error_set(err, ERROR_OURS, "MESSAGE_TOO_LONG");
	if (!source->markdown)
		ret = read_html(&r, source->text, len, out);
	else if (rich_markdown_write(source->text, len, &html, err) == 0)
		ret = read_html(&r, html.data, html.len, out);
	rich_tree_clear(&r.tree);
	buf_clear(&r.references);
	buf_clear(&html);
	return ret;
}
