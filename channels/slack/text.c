#include "channels/slack/text.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "bus/command_menu.h"
#include "bus/escape.h"
#include "channels/slack/users.h"

/* A longer name is cut. */
#define NAME_BYTES 160

char *slack_text_name(const char *name)
{
	struct buf clean = BUF_INIT;

	escape_name(&clean, name, NAME_BYTES, UTF8_BYTES);
	return buf_take(&clean);
}

struct reading {
	struct buf *out;
	const char *self;
	const struct slack_users *people;
	const struct channel_command *menu;
	struct slack_text_flags *words;
	bool code; /* inside backquotes */
};

/* The content between < and >: target, and the label after |. */
struct reference {
	char *target, *label;
};

static void add_unescaped(struct buf *out, const char *s, size_t len)
{
	static const struct {
		const char *name;
		char c;
	} entities[] = {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}};

	for (size_t i = 0; i < len;) {
		size_t e = 0;

		while (e < ARRAY_LEN(entities) &&
		    (len - i < strlen(entities[e].name) ||
			memcmp(s + i, entities[e].name, strlen(entities[e].name)) != 0))
			e++;
		if (s[i] == '&' && e < ARRAY_LEN(entities)) {
			buf_addch(out, entities[e].c);
			i += strlen(entities[e].name);
		} else {
			buf_addch(out, s[i++]);
		}
	}
}

static char *unescaped(const char *s, size_t len)
{
	struct buf out = BUF_INIT;

	add_unescaped(&out, s, len);
	return buf_take(&out);
}

static void add_person(struct reading *r, const struct reference *ref)
{
	const char *id = ref->target + 1, *name = ref->label;

	if (!name && r->people)
		name = slack_users_name(r->people, id);
	if (!r->code && strcmp(id, r->self) == 0)
		r->words->to_us = true;
	else if (!r->code)
		r->words->to_others = true;
	/* At the beginning it says to whom, and that is us. */
	if (r->out->len == 0 && strcmp(id, r->self) == 0)
		return;
	if (strcmp(id, r->self) != 0 && command_menu_names_person(r->menu, r->out->data))
		command_menu_add_person(r->out, id, name);
	else
		buf_addf(r->out, "@%s", name ? name : id);
}

static void add_channel(struct reading *r, const struct reference *ref)
{
	buf_addf(r->out, "#%s", ref->label && *ref->label != '\0' ? ref->label : ref->target + 1);
}

/* <!here>, <!subteam^S1|@team>, <!date^…|fallback> */
static void add_special(struct reading *r, const struct reference *ref)
{
	const char *name = ref->target + 1;

	if (ref->label)
		buf_addstr(r->out, ref->label);
	else
		buf_addf(r->out, "@%.*s", (int)strcspn(name, "^"), name);
}

static void add_link(struct reading *r, const struct reference *ref)
{
	const char *target = ref->target, *label = ref->label;

	if (!label || *label == '\0') {
		buf_addstr(r->out, target);
		return;
	}
	/* Slack turns plain text into "<http://a.b|a.b>" and "<mailto:x@y|x@y>". */
	size_t n = strlen(label), m = strlen(target);
	bool same = m >= n && strcmp(target + m - n, label) == 0;
	if (same)
		buf_addstr(r->out, label);
	else
		buf_addf(r->out, "%s (%s)", label, target);
}

static void add_reference(struct reading *r, const char *s, size_t len)
{
	const char *bar = memchr(s, '|', len);
	size_t target = bar ? (size_t)(bar - s) : len;
	struct reference ref = {
	    .target = unescaped(s, target),
	    .label = bar ? unescaped(bar + 1, len - target - 1) : NULL,
	};

	switch (ref.target[0]) {
	case '@':
		add_person(r, &ref);
		break;
	case '#':
		add_channel(r, &ref);
		break;
	case '!':
		add_special(r, &ref);
		break;
	default:
		add_link(r, &ref);
	}
	free(ref.target);
	free(ref.label);
}

void slack_text_read(struct buf *out, const char *text, const char *self, const struct slack_users *people,
    const struct channel_command *menu, struct slack_text_flags *words)
{
	struct buf own = BUF_INIT;
	struct reading r = {.out = &own, .self = self, .people = people, .menu = menu, .words = words};

	*words = (struct slack_text_flags){.to_us = false};
	while (*text != '\0') {
		size_t n = strcspn(text, "<`");
		const char *end = text[n] == '<' ? strpbrk(text + n + 1, "<>\n") : NULL;

		if (own.len == 0 && !r.code) {
			size_t blank = strspn(text, " \t\n");
			text += blank < n ? blank : n;
			n -= blank < n ? blank : n;
		}
		add_unescaped(&own, text, n);
		text += n;
		if (*text == '`') {
			r.code = !r.code;
			buf_addch(&own, *text++);
		} else if (end && *end == '>' && end > text + 1) {
			add_reference(&r, text + 1, (size_t)(end - text - 1));
			text = end + 1;
		} else if (*text != '\0') {
			buf_addch(&own, *text++);
		}
	}
	buf_add(out, own.data, own.len);
	buf_clear(&own);
}

void slack_text_mentions(const char *text, void (*each)(const char *id, void *arg), void *arg)
{
	char id[32];

	while ((text = strchr(text, '<'))) {
		if (*++text != '@')
			continue;
		size_t len = strcspn(++text, "<|>");

		if (len > 0 && len < sizeof(id)) {
			snprintf(id, sizeof(id), "%.*s", (int)len, text);
			each(id, arg);
		}
	}
}

/* Elements of rich text and of blocks that hold no text of their own. */
static void add_element(struct buf *out, struct json_object *e, const char *type)
{
	static const struct {
		const char *type, *member, *format;
	} rows[] = {
	    {"channel", "channel_id", "<#%s>"},
	    {"emoji", "name", ":%s:"},
	    {"link", "url", "<%s>"},
	    {"user", "user_id", "<@%s>"},
	    {"usergroup", "usergroup_id", "<!subteam^%s>"},
	    {"broadcast", "range", "<!%s>"},
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const char *value = json_get_str(e, rows[i].member);
		const char *at = rows[i].format;

		if (strcmp(rows[i].type, type) != 0 || !value)
			continue;
		buf_add(out, at, strcspn(at, "%"));
		buf_addstr(out, value);
		buf_addstr(out, strchr(at, '%') + 2);
	}
}

/* Does the element stand on a line of its own? */
static bool is_line(const char *type)
{
	static const char *const types[] = {"header", "markdown", "rich_text_list", "rich_text_preformatted",
	    "rich_text_quote", "rich_text_section", "section"};

	for (size_t i = 0; i < ARRAY_LEN(types); i++)
		if (strcmp(types[i], type) == 0)
			return true;
	return false;
}

static void add_blocks(struct buf *out, struct json_object *list, unsigned depth);

static void add_escaped(struct buf *out, const char *s)
{
	for (; *s != '\0'; s++) {
		if (strchr("&<>", *s))
			buf_addstr(out, *s == '&' ? "&amp;" : *s == '<' ? "&lt;" : "&gt;");
		else
			buf_addch(out, *s);
	}
}

/* Only text that says so is written as messages are. */
static bool add_text(struct buf *out, struct json_object *b)
{
	struct json_object *object = json_get_object(b, "text");
	const char *text = json_get_str(b, "text"), *type = json_get_str(object, "type");

	if (object)
		text = json_get_str(object, "text");
	if (!text)
		return false;
	if (type && strcmp(type, "mrkdwn") == 0)
		buf_addstr(out, text);
	else
		add_escaped(out, text);
	return true;
}

static void add_block(struct buf *out, struct json_object *b, unsigned depth)
{
	const char *type = json_get_str(b, "type");

	if (!type)
		return;
	if (is_line(type) && out->len > 0 && out->data[out->len - 1] != '\n')
		buf_addch(out, '\n');
	if (!add_text(out, b))
		add_element(out, b, type);
	add_blocks(out, json_get_array(b, "elements"), depth + 1);
	add_blocks(out, json_get_array(b, "fields"), depth + 1);
}

static void add_blocks(struct buf *out, struct json_object *list, unsigned depth)
{
	for (size_t i = 0; list && depth < 8 && i < json_object_array_length(list); i++)
		add_block(out, json_object_array_get_idx(list, i), depth);
}

void slack_text_blocks(struct buf *out, struct json_object *blocks)
{
	add_blocks(out, blocks, 0);
}
