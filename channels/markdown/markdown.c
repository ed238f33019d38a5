#include "channels/markdown/markdown.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "channels/markdown/markdown_internal.h"

/* The first is enough for a short text, and small enough for the allocator to have one at hand. */
#define CHUNK_FIRST 960
#define CHUNK_BYTES 16384

struct markdown_chunk {
	struct markdown_chunk *next;
	size_t used, size;
	_Alignas(max_align_t) char bytes[];
};

static void *take(struct markdown *doc, size_t size)
{
	struct markdown_chunk *c = doc->chunks;

	size = (size + _Alignof(max_align_t) - 1) / _Alignof(max_align_t) * _Alignof(max_align_t);
	if (!c || c->size - c->used < size) {
		size_t usual = c ? CHUNK_BYTES : CHUNK_FIRST, room = size > usual ? size : usual;

		c = xmalloc(sizeof(*c) + room);
		*c = (struct markdown_chunk){.next = doc->chunks, .size = room};
		doc->chunks = c;
	}
	c->used += size;
	return c->bytes + c->used - size;
}

struct markdown_node *markdown_add(
    struct markdown *doc, struct markdown_node *parent, enum markdown_type type)
{
	struct markdown_node *n = take(doc, sizeof(*n));

	*n = (struct markdown_node){.type = type, .parent = parent, .text = ""};
	if (!parent)
		return n;
	if (parent->last)
		parent->last->next = n;
	else
		parent->first = n;
	parent->last = n;
	return n;
}

const char *markdown_copy(struct markdown *doc, const char *text, size_t len)
{
	char *copy = take(doc, len + 1);

	memcpy(copy, text, len);
	copy[len] = '\0';
	return copy;
}

const struct markdown_node *markdown_next(const struct markdown_node *top, const struct markdown_node *node)
{
	if (node->first)
		return node->first;
	while (node != top && !node->next)
		node = node->parent;
	return node == top ? NULL : node->next;
}

/* Paragraphs of lines, as they stand. */
static void add_plain(struct markdown *doc, const char *text, size_t len)
{
	struct markdown_node *paragraph = NULL, *n;
	const char *end = text + len, *eol;

	for (; text < end; text = eol + 1) {
		eol = memchr(text, '\n', (size_t)(end - text));
		if (!eol)
			eol = end;
		if (strspn(text, " \t\r") >= (size_t)(eol - text)) {
			paragraph = NULL;
			continue;
		}
		if (!paragraph)
			paragraph = markdown_add(doc, doc->root, MARKDOWN_PARAGRAPH);
		else
			markdown_add(doc, paragraph, MARKDOWN_BREAK);
		n = markdown_add(doc, paragraph, MARKDOWN_TEXT);
		n->len = (size_t)(eol - text);
		n->text = markdown_copy(doc, text, n->len);
	}
}

/* Byte order marks are invisible and would hide markup at the start of a line. */
static void drop_marks(struct buf *out, const char *text, size_t len)
{
	const char *end = text + len, *mark;

	while ((mark = memmem(text, (size_t)(end - text), "\xef\xbb\xbf", 3))) {
		buf_add(out, text, (size_t)(mark - text));
		text = mark + 3;
	}
	buf_add(out, text, (size_t)(end - text));
}

void markdown_parse(struct markdown *doc, const char *text, size_t len)
{
	struct buf clean = BUF_INIT, section = BUF_INIT;
	struct section_reader reader;

	drop_marks(&clean, text, len);
	reader = (struct section_reader){.at = clean.data, .end = clean.data + clean.len};
	*doc = (struct markdown){0};
	doc->root = markdown_add(doc, NULL, MARKDOWN_DOCUMENT);
	if (len > MARKDOWN_BYTES_MAX)
		add_plain(doc, clean.data, clean.len);
	while (len <= MARKDOWN_BYTES_MAX && section_read(&reader, &section)) {
		if (markdown_build(doc, section.data, section.len) != 0)
			add_plain(doc, section.data, section.len);
	}
	buf_clear(&section);
	buf_clear(&clean);
}

void markdown_clear(struct markdown *doc)
{
	struct markdown_chunk *c, *next;

	for (c = doc->chunks; c; c = next) {
		next = c->next;
		free(c);
	}
	*doc = (struct markdown){0};
}
