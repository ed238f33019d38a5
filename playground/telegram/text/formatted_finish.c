#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "playground/telegram/text/formatted.h"

#define ENTITIES_MAX 100 /* further ones are ignored. Undocumented: what bots have observed */

static void drop_entity(struct formatted *f, size_t i)
{
	free(f->entities[i].text);
	memmove(&f->entities[i], &f->entities[i + 1], (--f->count - i) * sizeof(*f->entities));
}

static int compare(const void *a, const void *b)
{
	const struct entity *x = a, *y = b;

	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	if (x->length != y->length)
		return x->length > y->length ? -1 : 1;
	return (int)x->type - (int)y->type;
}

static void sort_entities(struct formatted *f)
{
	if (f->count > 1)
		qsort(f->entities, f->count, sizeof(*f->entities), compare);
}

/* Removes the UTF-16 unit at that offset from the entities. */
static void remove_unit(struct formatted *f, int32_t at)
{
	for (size_t i = 0; i < f->count; i++) {
		if (f->entities[i].offset > at)
			f->entities[i].offset--;
		else if (f->entities[i].offset + f->entities[i].length > at)
			f->entities[i].length--;
	}
}

/* Removes carriage returns; other control characters except newlines become blanks. */
static void clean_controls(struct formatted *f)
{
	unsigned char *s = (unsigned char *)f->text.data;
	size_t to = 0;
	int32_t units = 0;

	for (size_t i = 0; i < f->text.len; i++) {
		if (s[i] == '\r') {
			remove_unit(f, units);
			continue;
		}
		if ((s[i] & 0xc0) != 0x80)
			units += 1 + (s[i] >= 0xf0);
		s[to++] = s[i] < 32 && s[i] != '\n' ? ' ' : s[i];
	}
	buf_truncate(&f->text, to);
	for (size_t i = f->count; i-- > 0;)
		if (f->entities[i].length <= 0)
			drop_entity(f, i);
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\n';
}

static void trim_front(struct formatted *f)
{
	size_t n = 0, first = f->count > 0 ? (size_t)f->entities[0].offset : f->text.len;

	while (n < first && n < f->text.len && is_blank(f->text.data[n]))
		n++;
	if (n == 0)
		return;
	buf_consume(&f->text, n);
	for (size_t i = 0; i < f->count; i++)
		f->entities[i].offset -= (int32_t)n;
}

static void trim_back(struct formatted *f)
{
	size_t len = f->text.len;
	int32_t units;

	while (len > 0 && is_blank(f->text.data[len - 1]))
		len--;
	if (len == f->text.len)
		return;
	buf_truncate(&f->text, len);
	units = (int32_t)formatted_units(f);
	for (size_t i = f->count; i-- > 0;) {
		struct entity *e = &f->entities[i];

		if (e->offset + e->length > units)
			e->length = units - e->offset;
		if (e->length <= 0)
			drop_entity(f, i);
	}
}

static int32_t end_of(const struct entity *e)
{
	return e->offset + e->length;
}

static bool is_quote(enum entity_type type)
{
	return type == ENTITY_BLOCKQUOTE || type == ENTITY_EXPANDABLE_BLOCKQUOTE;
}

static bool is_code(enum entity_type type)
{
	return type == ENTITY_CODE || type == ENTITY_PRE;
}

/* May inner be inside outer? Code holds nothing, quotes do not nest, nothing nests in itself. */
static bool may_nest(const struct entity *outer, const struct entity *inner)
{
	if (is_code(outer->type) || outer->type == inner->type ||
	    (is_quote(outer->type) && is_quote(inner->type)))
		return false;
	return !(outer->type == ENTITY_TEXT_LINK && inner->type == ENTITY_TEXT_MENTION);
}

/* Splits the entity where outer ends; the rest becomes an entity of its own. */
static void split_entity(struct formatted *f, size_t i, int32_t at)
{
	struct entity e = f->entities[i];

	f->entities[i].length = at - e.offset;
	formatted_add(f, e.type, (size_t)at, (size_t)(end_of(&e) - at), xstrdup(e.text));
	f->entities[f->count - 1].number = e.number;
}

/* One pass over sorted entities; returns true when something was split and another pass is needed. */
static bool nest_entities(struct formatted *f)
{
	for (size_t i = 1; i < f->count; i++) {
		for (size_t j = 0; j < i; j++) {
			struct entity *outer = &f->entities[j], *inner = &f->entities[i];

			if (inner->offset >= end_of(outer))
				continue;
			if (!may_nest(outer, inner)) {
				drop_entity(f, i--);
				break;
			}
			if (end_of(inner) > end_of(outer)) {
				split_entity(f, i, end_of(outer));
				return true;
			}
		}
	}
	return false;
}

void formatted_finish(struct formatted *f)
{
	clean_controls(f);
	sort_entities(f);
	while (f->count > ENTITIES_MAX)
		drop_entity(f, f->count - 1);
	trim_front(f);
	trim_back(f);
	while (nest_entities(f))
		sort_entities(f);
	entities_find(f);
	sort_entities(f);
}
