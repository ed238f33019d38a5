#include "playground/world/map.h"

#include <stdlib.h>

#include "base/mem.h"

#define MAP_FIRST 64

struct map_slot {
	int64_t a, b;
	void *value; /* NULL when free */
};

static uint64_t hash_pair(int64_t a, int64_t b)
{
	uint64_t h = (uint64_t)a * 0x9e3779b97f4a7c15u ^ (uint64_t)b * 0xc2b2ae3d27d4eb4fu;

	h ^= h >> 29;
	h *= 0xbf58476d1ce4e5b9u;
	return h ^ h >> 32;
}

/* Returns the slot of the key, or the free one for it. */
static struct map_slot *find_slot(const struct map *m, int64_t a, int64_t b)
{
	size_t i = hash_pair(a, b) & (m->cap - 1);

	while (m->slots[i].value && (m->slots[i].a != a || m->slots[i].b != b))
		i = (i + 1) & (m->cap - 1);
	return &m->slots[i];
}

static void grow(struct map *m)
{
	struct map old = *m;

	m->cap = old.cap != 0 ? old.cap * 2 : MAP_FIRST;
	m->slots = xcalloc(m->cap, sizeof(*m->slots));
	for (size_t i = 0; i < old.cap; i++)
		if (old.slots[i].value)
			*find_slot(m, old.slots[i].a, old.slots[i].b) = old.slots[i];
	free(old.slots);
}

void *map_get(const struct map *m, int64_t a, int64_t b)
{
	return m->cap != 0 ? find_slot(m, a, b)->value : NULL;
}

void map_put(struct map *m, int64_t a, int64_t b, void *value)
{
	struct map_slot *slot;

	if ((m->count + 1) * 4 > m->cap * 3)
		grow(m);
	slot = find_slot(m, a, b);
	if (!slot->value)
		m->count++;
	*slot = (struct map_slot){a, b, value};
}

static int compare_slots(const void *a, const void *b)
{
	const struct map_slot *x = a, *y = b;

	if (x->a != y->a)
		return x->a < y->a ? -1 : 1;
	return x->b < y->b ? -1 : x->b > y->b;
}

void **map_values(const struct map *m, size_t *count)
{
	struct map_slot *taken = xcalloc(m->count + 1, sizeof(*taken));
	void **values = xcalloc(m->count + 1, sizeof(*values));

	*count = 0;
	for (size_t i = 0; i < m->cap; i++)
		if (m->slots[i].value)
			taken[(*count)++] = m->slots[i];
	qsort(taken, *count, sizeof(*taken), compare_slots);
	for (size_t i = 0; i < *count; i++)
		values[i] = taken[i].value;
	free(taken);
	return values;
}

void map_clear(struct map *m)
{
	free(m->slots);
	*m = (struct map){0};
}
