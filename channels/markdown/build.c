#include "channels/markdown/markdown_internal.h"

#include <ctype.h>
#include <md4c.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "channels/markdown/markdown.h"
#include "channels/markdown/repair.h"

#define FLAGS \
	(MD_FLAG_TABLES | MD_FLAG_STRIKETHROUGH | MD_FLAG_TASKLISTS | MD_FLAG_LATEXMATHSPANS | MD_FLAG_NOHTML)
/* md4c makes every row of a table as long as its header: a few bytes can be many cells. */
#define NODES_MAX(len) (2 * (len) + 64)
/* A longer language of a code block is none: each of the messages into which the block is split has it. */
#define LANGUAGE_MAX 64
/* What a callback returns to end md_parse. */
#define TOO_MANY 1

struct builder {
	struct markdown *doc;
	const char *text, *end;
	struct markdown_node *at; /* the innermost that is open */
	struct buf pending;       /* text that becomes a node */
	struct buf blocks, spans; /* a byte for each that is open: has it a node? */
	unsigned depth, span_nodes;
	const char *read; /* where the last text of it ends */
	size_t nodes, nodes_max;
};

static struct markdown_node *add(struct builder *b, enum markdown_type type)
{
	b->nodes++;
	return markdown_add(b->doc, b->at, type);
}

static bool holds_blocks(const struct markdown_node *n)
{
	return n->type <= MARKDOWN_ITEM;
}

/* Text stands in a paragraph, also where md4c makes none: in the items of tight lists. */
static void need_inline(struct builder *b)
{
	if (!holds_blocks(b->at))
		return;
	b->at = add(b, MARKDOWN_PARAGRAPH);
	b->at->implied = true;
}

static void flush(struct builder *b)
{
	struct markdown_node *n;

	if (b->pending.len == 0)
		return;
	n = add(b, MARKDOWN_TEXT);
	n->text = markdown_copy(b->doc, b->pending.data, b->pending.len);
	n->len = b->pending.len;
	buf_reset(&b->pending);
}

/* Was there a node for what ends? md4c 0.4.8 sometimes ends a span of ~~ that it did not begin, or the other
 * way round. */
static bool pop(struct buf *stack)
{
	bool made = stack->len > 0 && stack->data[stack->len - 1] != 0;

	if (stack->len > 0)
		buf_truncate(stack, stack->len - 1);
	return made;
}

static void end_span(struct builder *b)
{
	flush(b);
	if (!pop(&b->spans))
		return;
	b->span_nodes--;
	if (b->at->type != MARKDOWN_CODE)
		spoilers_resolve(b->at);
	b->at = b->at->parent;
}

static void end_implied(struct builder *b)
{
	while (b->spans.len > 0)
		end_span(b);
	flush(b);
	if (!b->at->implied)
		return;
	spoilers_resolve(b->at);
	b->at = b->at->parent;
}

/* Length of an inserted joiner, 0 if there is none. */
static size_t joiner_length(const char *s, const char *end)
{
	size_t len = sizeof(REPAIR_JOINER) - 1;

	return (size_t)(end - s) >= len && memcmp(s, REPAIR_JOINER, len) == 0 ? len : 0;
}

static void add_unrepaired(struct buf *out, const char *s, size_t len)
{
	const char *end = s + len, *at;
	size_t n = 0;

	for (at = s; at<end; at += n> 0 ? n : 1) {
		n = joiner_length(at, end);
		if (n == 0)
			continue;
		buf_add(out, s, (size_t)(at - s));
		s = at + n;
	}
	buf_add(out, s, (size_t)(end - s));
}

static const char *keep_attribute(struct builder *b, const MD_ATTRIBUTE *a, size_t *len)
{
	struct buf out = BUF_INIT;
	const char *kept;

	for (size_t i = 0; a->text && a->substr_offsets[i] < a->size; i++) {
		size_t from = a->substr_offsets[i], to = a->substr_offsets[i + 1];

		if (a->substr_types[i] == MD_TEXT_ENTITY)
			markdown_entity(&out, a->text + from, to - from);
		else if (a->substr_types[i] == MD_TEXT_NORMAL)
			add_unrepaired(&out, a->text + from, to - from);
	}
	*len = out.len;
	kept = markdown_copy(b->doc, out.data, out.len);
	buf_clear(&out);
	return kept;
}

/* What a block becomes; those without a node are transparent. */
static const struct {
	bool has_node;
	enum markdown_type type;
} blocks[] = {
    [MD_BLOCK_QUOTE] = {true, MARKDOWN_QUOTE},
    [MD_BLOCK_UL] = {true, MARKDOWN_LIST},
    [MD_BLOCK_OL] = {true, MARKDOWN_LIST},
    [MD_BLOCK_LI] = {true, MARKDOWN_ITEM},
    [MD_BLOCK_HR] = {true, MARKDOWN_RULE},
    [MD_BLOCK_H] = {true, MARKDOWN_HEADING},
    [MD_BLOCK_CODE] = {true, MARKDOWN_CODE_BLOCK},
    [MD_BLOCK_P] = {true, MARKDOWN_PARAGRAPH},
    [MD_BLOCK_TABLE] = {true, MARKDOWN_TABLE},
    [MD_BLOCK_TR] = {true, MARKDOWN_ROW},
    [MD_BLOCK_TH] = {true, MARKDOWN_CELL},
    [MD_BLOCK_TD] = {true, MARKDOWN_CELL},
};

/* Items have a node if their list has one, and lists only where their items fit too. */
static bool fits_depth(const struct builder *b, enum markdown_type type)
{
	if (type == MARKDOWN_ITEM)
		return b->at->type == MARKDOWN_LIST;
	return (type != MARKDOWN_QUOTE && type != MARKDOWN_LIST) || b->depth + 2 <= MARKDOWN_DEPTH;
}

static void read_item(struct markdown_node *n, const MD_BLOCK_LI_DETAIL *d)
{
	struct markdown_node *list = n->parent;

	n->ordered = list->ordered;
	n->tight = list->tight;
	n->number = list->ordered ? list->number++ : 0;
	if (d->is_task)
		n->mark = d->task_mark == ' ' ? ' ' : 'x';
}

static void read_detail(struct builder *b, struct markdown_node *n, MD_BLOCKTYPE type, void *detail)
{
	static const char aligns[] = {[MD_ALIGN_LEFT] = 'l', [MD_ALIGN_CENTER] = 'c', [MD_ALIGN_RIGHT] = 'r'};
	const MD_BLOCK_OL_DETAIL *ol = detail;
	const MD_BLOCK_CODE_DETAIL *code = detail;

	switch (type) {
	case MD_BLOCK_UL:
		n->tight = ((MD_BLOCK_UL_DETAIL *)detail)->is_tight;
		break;
	case MD_BLOCK_OL:
		n->ordered = true;
		n->number = ol->start;
		n->tight = ol->is_tight;
		break;
	case MD_BLOCK_LI:
		read_item(n, detail);
		break;
	case MD_BLOCK_H:
		n->number = ((MD_BLOCK_H_DETAIL *)detail)->level;
		break;
	case MD_BLOCK_CODE:
		if (code->lang.size <= LANGUAGE_MAX)
			n->text = keep_attribute(b, &code->lang, &n->len);
		break;
	case MD_BLOCK_TH:
	case MD_BLOCK_TD:
		n->mark = aligns[((MD_BLOCK_TD_DETAIL *)detail)->align];
		break;
	default:
		break;
	}
}

static int enter_block(MD_BLOCKTYPE type, void *detail, void *arg)
{
	struct builder *b = arg;
	bool make = (size_t)type < ARRAY_LEN(blocks) && blocks[type].has_node;

	end_implied(b);
	if (make)
		make = fits_depth(b, blocks[type].type);
	buf_addch(&b->blocks, make);
	if (make) {
		b->at = add(b, blocks[type].type);
		b->depth += holds_blocks(b->at);
		read_detail(b, b->at, type, detail);
	}
	return b->nodes > b->nodes_max ? TOO_MANY : 0;
}

static int leave_block(MD_BLOCKTYPE type, void *detail, void *arg)
{
	struct builder *b = arg;

	(void)type;
	(void)detail;
	end_implied(b);
	if (!pop(&b->blocks))
		return 0;
	b->depth -= holds_blocks(b->at);
	if (b->at->type != MARKDOWN_CODE_BLOCK)
		spoilers_resolve(b->at);
	b->at = b->at->parent;
	return 0;
}

static const enum markdown_type spans[] = {
    [MD_SPAN_EM] = MARKDOWN_EMPHASIS,
    [MD_SPAN_STRONG] = MARKDOWN_STRONG,
    [MD_SPAN_A] = MARKDOWN_LINK,
    [MD_SPAN_IMG] = MARKDOWN_IMAGE,
    [MD_SPAN_CODE] = MARKDOWN_CODE,
    [MD_SPAN_DEL] = MARKDOWN_STRIKE,
    [MD_SPAN_LATEXMATH] = MARKDOWN_CODE,
    [MD_SPAN_LATEXMATH_DISPLAY] = MARKDOWN_CODE,
};

static int enter_span(MD_SPANTYPE type, void *detail, void *arg)
{
	struct builder *b = arg;
	bool make = (size_t)type < ARRAY_LEN(spans) && b->span_nodes < MARKDOWN_SPANS;

	flush(b);
	need_inline(b);
	buf_addch(&b->spans, make);
	if (make) {
		b->span_nodes++;
		b->at = add(b, spans[type]);
		if (type == MD_SPAN_A)
			b->at->text = keep_attribute(b, &((MD_SPAN_A_DETAIL *)detail)->href, &b->at->len);
		else if (type == MD_SPAN_IMG)
			b->at->text = keep_attribute(b, &((MD_SPAN_IMG_DETAIL *)detail)->src, &b->at->len);
	}
	return b->nodes > b->nodes_max ? TOO_MANY : 0;
}

static void trim(struct markdown_node *text)
{
	while (text && text->len > 0 && text->text[0] == ' ') {
		text->text++;
		text->len--;
	}
	while (text && text->len > 0 && text->text[text->len - 1] == ' ')
		text->len--;
}

/* "$5 to $10" is money: mathematics begins and ends at its dollars, and no digit follows them (as Pandoc has
 * it). */
static void check_math(struct builder *b, struct markdown_node *math, bool display)
{
	const struct markdown_node *content = math->first;
	struct buf text = BUF_INIT;

	if (display) {
		trim(math->first);
		return;
	}
	if (!content ||
	    (!isspace((unsigned char)content->text[0]) && b->read + 1 < b->end &&
		!isspace((unsigned char)content->text[content->len - 1]) &&
		!isdigit((unsigned char)b->read[1])))
		return;
	buf_addf(&text, "$%s$", content->text);
	math->type = MARKDOWN_TEXT;
	math->text = markdown_copy(b->doc, text.data, text.len);
	math->len = text.len;
	math->first = math->last = NULL;
	buf_clear(&text);
}

static int leave_span(MD_SPANTYPE type, void *detail, void *arg)
{
	struct builder *b = arg;

	struct markdown_node *n = b->at;
	bool made = b->spans.len > 0 && b->spans.data[b->spans.len - 1] != 0;

	(void)detail;
	end_span(b);
	if (made && n->type == MARKDOWN_CODE &&
	    (type == MD_SPAN_LATEXMATH || type == MD_SPAN_LATEXMATH_DISPLAY))
		check_math(b, n, type == MD_SPAN_LATEXMATH_DISPLAY);
	return 0;
}

static bool is_in_text(const struct builder *b, const char *s)
{
	return s >= b->text && s < b->end;
}

/* Is there a backslash before s that is not text itself? */
static bool is_escaped(const struct builder *b, const char *s)
{
	return s > b->text && s[-1] == '\\' && b->read != s;
}

static void add_mark(struct builder *b, const char *s, size_t len)
{
	unsigned sides = spoiler_mark_sides(b->text, s, len, b->end);
	struct markdown_node *n;

	if (sides == 0) {
		buf_add(&b->pending, s, len);
		return;
	}
	flush(b);
	n = add(b, MARKDOWN_TEXT);
	n->text = markdown_copy(b->doc, s, len);
	n->len = len;
	n->number = sides;
}

/* Length of "<br>" in one of its forms, 0 if there is none. */
static size_t break_length(const char *s, const char *end)
{
	static const char *const forms[] = {"<br>", "<br/>", "<br />"};

	for (size_t i = 0; i < ARRAY_LEN(forms); i++) {
		size_t len = strlen(forms[i]);

		if ((size_t)(end - s) >= len && strncasecmp(s, forms[i], len) == 0)
			return len;
	}
	return 0;
}

static void add_break(struct builder *b)
{
	flush(b);
	add(b, MARKDOWN_BREAK);
}

/* Returns how many bytes at the start begin no joiner, no mark of a spoiler and no break. */
static size_t plain_length(const char *s, const char *end)
{
	const char *at = s;

	while (at < end && *at != REPAIR_JOINER[0] && *at != '|' && *at != '<')
		at++;
	return (size_t)(at - s);
}

static void add_normal(struct builder *b, const char *s, size_t len)
{
	const char *end = s + len;
	size_t n;

	if (!is_in_text(b, s)) {
		buf_add(&b->pending, s, len);
		return;
	}
	if (is_escaped(b, s)) {
		/* "\(x\)" is how models write mathematics; "\(" for a mere bracket is rare. */
		if (memchr("()[]", s[0], 4))
			buf_addch(&b->pending, '\\');
		buf_addch(&b->pending, *s++);
	}
	while (s < end) {
		if ((n = joiner_length(s, end)) > 0) {
			s += n;
			continue;
		}
		if ((n = plain_length(s, end)) > 0) {
			buf_add(&b->pending, s, n);
		} else if ((n = spoiler_mark_length(s, end)) > 0) {
			add_mark(b, s, n);
		} else if (*s == '<' && (n = break_length(s, end)) > 0) {
			add_break(b);
		} else {
			n = 1;
			buf_addch(&b->pending, *s);
		}
		s += n;
	}
}

/* Lines of a code block are nodes, those without text too. */
static void add_code(struct builder *b, const char *s, size_t len)
{
	if (b->at->type != MARKDOWN_CODE_BLOCK || len == 0 || s[len - 1] != '\n') {
		add_unrepaired(&b->pending, s, len);
		return;
	}
	buf_add(&b->pending, s, len - 1);
	if (b->pending.len > 0)
		flush(b);
	else
		add(b, MARKDOWN_TEXT);
}

static int add_text(MD_TEXTTYPE type, const MD_CHAR *s, MD_SIZE len, void *arg)
{
	struct builder *b = arg;

	need_inline(b);
	switch (type) {
	case MD_TEXT_BR:
	case MD_TEXT_SOFTBR:
		add_break(b);
		break;
	case MD_TEXT_NULLCHAR:
		buf_addstr(&b->pending, "\xef\xbf\xbd");
		break;
	case MD_TEXT_ENTITY:
		markdown_entity(&b->pending, s, len);
		break;
	case MD_TEXT_CODE:
	case MD_TEXT_LATEXMATH:
		add_code(b, s, len);
		break;
	default:
		if (len > 0)
			add_normal(b, s, len);
		break;
	}
	b->read = is_in_text(b, s) ? s + len : b->read;
	return b->nodes > b->nodes_max ? TOO_MANY : 0;
}

int markdown_build(struct markdown *doc, const char *text, size_t len)
{
	static const MD_PARSER parser = {
	    .flags = FLAGS,
	    .enter_block = enter_block,
	    .leave_block = leave_block,
	    .enter_span = enter_span,
	    .leave_span = leave_span,
	    .text = add_text,
	};
	struct builder b = {.doc = doc,
	    .text = text,
	    .end = text + len,
	    .at = doc->root,
	    .read = text,
	    .nodes_max = NODES_MAX(len)};
	struct markdown_node *last = doc->root->last;
	int rc;

	buf_init(&b.pending);
	buf_init(&b.blocks);
	buf_init(&b.spans);
	rc = md_parse(text, (MD_SIZE)len, &parser, &b);
	if (rc == 0) {
		end_implied(&b);
	} else {
		doc->root->last = last;
		*(last ? &last->next : &doc->root->first) = NULL;
	}
	buf_clear(&b.pending);
	buf_clear(&b.blocks);
	buf_clear(&b.spans);
	return rc == 0 ? 0 : -1;
}
