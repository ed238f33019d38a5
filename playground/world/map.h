#ifndef PLAYGROUND_WORLD_MAP_H
#define PLAYGROUND_WORLD_MAP_H
/* A hash table from a pair of integers to a pointer. It owns only its own slots. */
#include <stddef.h>
#include <stdint.h>

struct map { /* zeroed before first use */
	struct map_slot *slots;
	size_t count, cap;
};

void *map_get(const struct map *m, int64_t a, int64_t b);       /* NULL when absent */
void map_put(struct map *m, int64_t a, int64_t b, void *value); /* value is not NULL; replaces */
/* All values, in the order of their keys; the array is the caller's to free. */
void **map_values(const struct map *m, size_t *count);
void map_clear(struct map *m);

#endif
