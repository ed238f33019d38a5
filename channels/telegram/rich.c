#include "channels/telegram/update_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"

/* Rich messages (Bot API 10.1: RichMessage, RichBlock, RichText) as Markdown. Telegram allows 32,768
 * characters, 500 blocks, 16 levels, 50 media. */
#define MEDIA_MAX 50
#define CELLS_MAX 64
/* The marks around a text can be longer than the text: what is far beyond the limit is not written. */
#define WRITTEN_MAX (2 * TELEGRAM_TEXT_MAX)

struct writer {
	struct telegram_rich *rich;
	struct message *out; /* gets the files; NULL: they are only named */
	struct buf prefix;   /* what each line begins with: "> " in a quote, blanks in a list */
	bool line_open;      /* the prefix of this line is written */
	bool tight;          /* no blank line between blocks */
	bool cell;           /* in a table: one line, and no bare | */
	size_t media;
};

static void write_rich_text(struct writer *w, struct json_object *text);
static void write_blocks(struct writer *w, struct json_object *blocks);
static void write_block(struct writer *w, struct json_object *o);
static void write_unknown(struct writer *w, struct json_object *o);

static bool is_full(const struct writer *w)
{
	return w->rich->text.len >= WRITTEN_MAX;
}

static void open_line(struct writer *w)
{
	if (!w->line_open && !is_full(w))
		buf_add(&w->rich->text, w->prefix.data, w->prefix.len);
	w->line_open = true;
}

static void end_line(struct writer *w)
{
	struct buf *out = &w->rich->text;

	if (is_full(w))
		return;
	if (!w->line_open) { /* an empty line keeps no blanks at its end */
		size_t len = w->prefix.len;

		while (len > 0 && w->prefix.data[len - 1] == ' ')
			len--;
		buf_add(out, w->prefix.data, len);
	}
	buf_addch(out, '\n');
	w->line_open = false;
}

/* Marks of ours: they do not begin the text. */
static void write_mark(struct writer *w, const char *mark)
{
	open_line(w);
	if (!is_full(w))
		buf_addstr(&w->rich->text, mark);
}

static void write_words(struct writer *w, const char *s, size_t len)
{
	struct buf *out = &w->rich->text;

	for (size_t i = 0; i < len && !is_full(w); i++) {
		if (s[i] == '\n' && !w->cell) {
			end_line(w);
			continue;
		}
		if (s[i] == '\0')
			continue;
		open_line(w);
		if (w->rich->lead == SIZE_MAX && !strchr(" \t\r\n", s[i]))
			w->rich->lead = out->len;
		if (s[i] == '|' && w->cell)
			buf_addch(out, '\\');
		buf_addch(out, s[i] == '\n' ? ' ' : s[i]);
	}
}

static void write_str(struct writer *w, const char *s)
{
	if (s)
		write_words(w, s, strlen(s));
}

static void write_parts(struct writer *w, struct json_object *parts)
{
	for (size_t i = 0; i < json_object_array_length(parts); i++)
		write_rich_text(w, json_object_array_get_idx(parts, i));
}

static void add_span(struct writer *w, enum telegram_span_kind kind, size_t at, struct json_object *o)
{
	struct telegram_rich *r = w->rich;

	/* A bound of ours, as for entities. */
	if (r->span_count >= TELEGRAM_SPANS_MAX || r->text.len <= at)
		return;
	r->spans = xrealloc(r->spans, (r->span_count + 1) * sizeof(*r->spans));
	r->spans[r->span_count++] = (struct telegram_span){.kind = kind,
	    .at = at,
	    .end = r->text.len,
	    .user_id = json_get_int(json_get_object(o, "user"), "id", 0)};
}

static void write_link(struct writer *w, struct json_object *o, const char *key)
{
	const char *target = json_get_str(o, key);
	size_t from = w->rich->text.len;

	write_rich_text(w, json_get(o, "text"));
	if (!target || target[0] == '\0' ||
	    (w->rich->text.len >= from && strstr(w->rich->text.data + from, target)))
		return;
	write_mark(w, " (");
	write_str(w, target);
	write_mark(w, ")");
}

static void write_formula(struct writer *w, struct json_object *o, const char *mark)
{
	write_mark(w, mark);
	write_str(w, json_get_str(o, "expression"));
	write_mark(w, mark);
}

static void write_button(struct writer *w, struct json_object *button)
{
	write_mark(w, "[");
	write_link(w, button, "url");
	write_mark(w, "]");
}

/* What a RichText adds to its text. Most kinds add nothing: bold or italics do not change the meaning. */
static const struct rich_text_kind {
	const char *type;
	const char *before, *after;
	const char *target; /* the member with the address */
	bool span;
	enum telegram_span_kind span_kind;
} text_kinds[] = {
    {.type = "bot_command", .span = true, .span_kind = TELEGRAM_SPAN_COMMAND},
    {.type = "email_address", .target = "email_address"},
    {.type = "mention", .span = true, .span_kind = TELEGRAM_SPAN_MENTION},
    {.type = "phone_number", .target = "phone_number"},
    {.type = "strikethrough", .before = "~~", .after = "~~"},
    {.type = "superscript", .before = "^", .after = ""},
    {.type = "text_mention", .span = true, .span_kind = TELEGRAM_SPAN_TEXT_MENTION},
    {.type = "url", .target = "url"},
};

static const struct rich_text_kind *find_text_kind(const char *type)
{
	static const struct rich_text_kind plain = {.type = ""};

	for (size_t i = 0; type && i < ARRAY_LEN(text_kinds); i++)
		if (strcmp(text_kinds[i].type, type) == 0)
			return &text_kinds[i];
	return &plain;
}

static void write_text_object(struct writer *w, struct json_object *o)
{
	const char *type = json_get_str(o, "type");
	const struct rich_text_kind *kind = find_text_kind(type);
	size_t at;

	open_line(w);
	at = w->rich->text.len;
	if (type && strcmp(type, "mathematical_expression") == 0) {
		write_formula(w, o, "$");
	} else if (type && strcmp(type, "custom_emoji") == 0 && json_get_str(o, "alternative_text")) {
		write_str(w, json_get_str(o, "alternative_text"));
	} else if (type && strcmp(type, "anchor") == 0) {
		return; /* a place, without words */
	} else if (type && strcmp(type, "button") == 0) {
		write_button(w, json_get_object(o, "button"));
	} else if (!json_get(o, "text")) {
		write_unknown(w, o);
	} else if (kind->target) {
		write_link(w, o, kind->target);
	} else {
		if (kind->before)
			write_mark(w, kind->before);
		write_rich_text(w, json_get(o, "text"));
		if (kind->after)
			write_mark(w, kind->after);
	}
	if (kind->span)
		add_span(w, kind->span_kind, at, o);
}

static void write_rich_text(struct writer *w, struct json_object *text)
{
	switch (json_object_get_type(text)) {
	case json_type_string:
		write_words(w, json_object_get_string(text), (size_t)json_object_get_string_len(text));
		break;
	case json_type_array:
		write_parts(w, text);
		break;
	case json_type_object:
		write_text_object(w, text);
		break;
	default:
		break;
	}
}

/* Writes with a longer prefix; `rest` is that of the lines after the first one. */
static void write_inside(struct writer *w, const char *head, const char *rest, struct json_object *blocks,
    struct json_object *text)
{
	size_t outer = w->prefix.len;

	if (w->line_open)
		end_line(w);
	write_mark(w, head);
	buf_addstr(&w->prefix, rest);
	if (blocks)
		write_blocks(w, blocks);
	if (text)
		write_rich_text(w, text);
	if (w->line_open)
		end_line(w);
	buf_truncate(&w->prefix, outer);
}

static void write_credit(struct writer *w, struct json_object *credit)
{
	if (!credit)
		return;
	if (w->line_open)
		end_line(w);
	write_mark(w, "\xe2\x80\x94 "); /* an em dash, as under a quotation */
	write_rich_text(w, credit);
}

/* RichBlockCaption, or of a table a RichText. */
static void write_caption(struct writer *w, struct json_object *o)
{
	struct json_object *caption = json_get(o, "caption");

	if (!caption)
		return;
	if (w->line_open)
		end_line(w);
	if (json_object_is_type(caption, json_type_object) && !json_get(caption, "type")) {
		write_rich_text(w, json_get(caption, "text"));
		write_credit(w, json_get(caption, "credit"));
	} else {
		write_rich_text(w, caption);
	}
}

static void say_text(struct writer *w, struct json_object *o)
{
	write_rich_text(w, json_get(o, "text"));
}

static void say_heading(struct writer *w, struct json_object *o)
{
	static const char marks[] = "###### ";
	int64_t size = json_get_int(o, "size", 1);

	write_mark(w, marks + 6 - (size >= 1 && size <= 6 ? size : 1));
	say_text(w, o);
}

/* A fence that is longer than any in the code. */
static void say_code(struct writer *w, struct json_object *o)
{
	struct telegram_rich code = {.text = BUF_INIT, .lead = SIZE_MAX};
	struct writer plain = {.rich = &code, .prefix = BUF_INIT};
	struct buf fence = BUF_INIT;
	size_t run = 0, most = 2;

	write_rich_text(&plain, json_get(o, "text"));
	for (size_t i = 0; i < code.text.len; i++) {
		run = code.text.data[i] == '`' ? run + 1 : 0;
		most = run > most ? run : most;
	}
	for (size_t i = 0; i <= most; i++)
		buf_addch(&fence, '`');
	write_mark(w, fence.data);
	write_str(w, json_get_str(o, "language"));
	end_line(w);
	write_words(w, code.text.data, code.text.len);
	if (w->line_open)
		end_line(w);
	write_mark(w, fence.data);
	buf_clear(&fence);
	buf_clear(&plain.prefix);
	telegram_rich_clear(&code);
}

static void say_divider(struct writer *w, struct json_object *o)
{
	(void)o;
	write_mark(w, "---");
}

static void say_formula(struct writer *w, struct json_object *o)
{
	write_formula(w, o, "$$");
}

static void say_anchor(struct writer *w, struct json_object *o)
{
	(void)w;
	(void)o;
}

static void say_quote(struct writer *w, struct json_object *o)
{
	size_t outer = w->prefix.len;

	buf_addstr(&w->prefix, "> ");
	write_blocks(w, json_get_array(o, "blocks"));
	say_text(w, o);
	write_credit(w, json_get(o, "credit"));
	if (w->line_open)
		end_line(w);
	buf_truncate(&w->prefix, outer);
}

static void write_item(struct writer *w, struct json_object *item)
{
	const char *label = json_get_str(item, "label");
	struct buf head = BUF_INIT;
	bool tight = w->tight;

	/* Labels of bullets are bullets: the usual mark instead. */
	if (label && strspn(label, "0123456789") > 0)
		buf_addstr(&head, label);
	else if (label && label[0] >= 'A' && (unsigned char)label[0] < 0x80)
		buf_addstr(&head, label);
	else
		buf_addch(&head, '-');
	buf_addch(&head, ' ');
	if (json_get_bool(item, "has_checkbox", false))
		buf_addstr(&head, json_get_bool(item, "is_checked", false) ? "[x] " : "[ ] ");
	w->tight = true;
	write_inside(w, head.data, "  ", json_get_array(item, "blocks"), json_get(item, "text"));
	w->tight = tight;
	buf_clear(&head);
}

static void say_list(struct writer *w, struct json_object *o)
{
	struct json_object *items = json_get_array(o, "items");

	for (size_t i = 0; items && i < json_object_array_length(items); i++)
		write_item(w, json_object_array_get_idx(items, i));
}

static void write_row(struct writer *w, struct json_object *row)
{
	write_mark(w, "|");
	w->cell = true;
	for (size_t i = 0; i < json_object_array_length(row); i++) {
		write_mark(w, " ");
		write_rich_text(w, json_get(json_object_array_get_idx(row, i), "text"));
		write_mark(w, " |");
	}
	w->cell = false;
	end_line(w);
}

static void say_table(struct writer *w, struct json_object *o)
{
	struct json_object *rows = json_get_array(o, "cells");

	for (size_t i = 0; rows && i < json_object_array_length(rows); i++) {
		struct json_object *row = json_object_array_get_idx(rows, i);

		if (!json_object_is_type(row, json_type_array))
			continue;
		write_row(w, row);
		if (i > 0)
			continue;
		write_mark(w, "|");
		for (size_t c = 0; c < json_object_array_length(row) && c < CELLS_MAX; c++)
			write_mark(w, "---|");
		end_line(w);
	}
	write_caption(w, o);
}

static void say_details(struct writer *w, struct json_object *o)
{
	write_rich_text(w, json_get(o, "summary"));
	if (w->line_open)
		end_line(w);
	write_blocks(w, json_get_array(o, "blocks"));
}

static void say_group(struct writer *w, struct json_object *o)
{
	write_blocks(w, json_get_array(o, "blocks"));
	write_caption(w, o);
}

/* The file is fetched with the message; its place stays in the text. */
static void say_media(struct writer *w, struct json_object *o)
{
	struct buf word = BUF_INIT;

	telegram_describe_media(&word, o);
	if (word.len > 0)
		write_mark(w, word.data);
	if (w->out && w->media < MEDIA_MAX && telegram_attachment_read(w->out, o))
		w->media++;
	write_caption(w, o);
	buf_clear(&word);
}

static void say_buttons(struct writer *w, struct json_object *o)
{
	struct json_object *buttons = json_get_array(o, "buttons");

	for (size_t i = 0; buttons && i < json_object_array_length(buttons); i++) {
		if (i > 0)
			write_mark(w, " ");
		write_button(w, json_object_array_get_idx(buttons, i));
	}
}

static const struct {
	const char *type;
	void (*say)(struct writer *w, struct json_object *o);
} block_kinds[] = {
    {"anchor", say_anchor},
    {"animation", say_media},
    {"audio", say_media},
    {"blockquote", say_quote},
    {"buttons", say_buttons},
    {"collage", say_group},
    {"details", say_details},
    {"divider", say_divider},
    {"document", say_media},
    {"footer", say_text},
    {"heading", say_heading},
    {"list", say_list},
    {"map", say_media},
    {"mathematical_expression", say_formula},
    {"paragraph", say_text},
    {"photo", say_media},
    {"pre", say_code},
    {"pullquote", say_quote},
    {"slideshow", say_group},
    {"table", say_table},
    {"thinking", say_text},
    {"video", say_media},
    {"voice_note", say_media},
};

/* Members that name, place or colour a thing; every other string of an unknown one may be words. */
static bool is_no_text(const char *key)
{
	static const char *const keys[] = {"type", "align", "valign", "style", "mime_type", "language_code",
	    "file_unique_id", "callback_data"};
	size_t len = strlen(key);

	for (size_t i = 0; i < ARRAY_LEN(keys); i++)
		if (strcmp(keys[i], key) == 0)
			return true;
	return len > 3 && strcmp(key + len - 3, "_id") == 0;
}

static void write_unknown_value(struct writer *w, struct json_object *value)
{
	switch (json_object_get_type(value)) {
	case json_type_string:
		if (w->line_open && !w->cell)
			end_line(w);
		write_rich_text(w, value);
		break;
	case json_type_array:
		for (size_t i = 0; i < json_object_array_length(value); i++)
			write_unknown_value(w, json_object_array_get_idx(value, i));
		break;
	case json_type_object:
		if (json_get_str(value, "file_id"))
			break;
		if (find_text_kind(json_get_str(value, "type"))->type[0] != '\0') {
			write_text_object(w, value);
			break;
		}
		if (w->line_open && !w->cell)
			end_line(w);
		write_block(w, value);
		break;
	default:
		break;
	}
}

/* Writes all words of an object of an unknown kind, in their order. */
static void write_unknown(struct writer *w, struct json_object *o)
{
	struct json_object_iterator it = json_object_iter_begin(o), end = json_object_iter_end(o);

	for (; !json_object_iter_equal(&it, &end); json_object_iter_next(&it))
		if (!is_no_text(json_object_iter_peek_name(&it)))
			write_unknown_value(w, json_object_iter_peek_value(&it));
}

static void write_block(struct writer *w, struct json_object *o)
{
	const char *type = json_get_str(o, "type");

	for (size_t i = 0; type && i < ARRAY_LEN(block_kinds); i++) {
		if (strcmp(block_kinds[i].type, type) == 0) {
			block_kinds[i].say(w, o);
			return;
		}
	}
	if (type && strstr(type, "quot"))
		say_quote(w, o);
	else
		write_unknown(w, o);
}

static void write_blocks(struct writer *w, struct json_object *blocks)
{
	size_t count = blocks ? json_object_array_length(blocks) : 0;
	bool first = true;

	for (size_t i = 0; i < count && !is_full(w); i++) {
		struct json_object *o = json_object_array_get_idx(blocks, i);
		size_t before = w->rich->text.len;

		if (!json_object_is_type(o, json_type_object))
			continue;
		/* The first block of a list's item stays on the line of its label. */
		if (!first && w->line_open)
			end_line(w);
		if (!first && !w->tight)
			end_line(w);
		write_block(w, o);
		first = first && w->rich->text.len == before;
	}
}

bool telegram_rich_read(struct telegram_rich *rich, struct message *out, struct json_object *rich_message)
{
	struct writer w = {.rich = rich, .out = out, .prefix = BUF_INIT};
	size_t len;

	*rich = (struct telegram_rich){.text = BUF_INIT, .lead = SIZE_MAX};
	write_blocks(&w, json_get_array(rich_message, "blocks"));
	buf_clear(&w.prefix);
	len = rich->text.len;
	while (len > 0 && strchr(" \n", rich->text.data[len - 1]))
		len--;
	buf_truncate(&rich->text, len);
	return len > 0;
}

void telegram_rich_clear(struct telegram_rich *rich)
{
	buf_clear(&rich->text);
	free(rich->spans);
	*rich = (struct telegram_rich){.text = BUF_INIT};
}
