#ifndef PLAYGROUND_WORLD_MAP_H
#define PLAYGROUND_WORLD_MAP_H
/* A hash table from pairs of integers to pointers. It owns only its slots. */
#include <stddef.h>
#include <stdint.h>

struct map { /* zero-initialised */
	struct map_slot *slots;
	size_t count, cap;
};

void *map_get(const struct map *m, int64_t a, int64_t b);       /* NULL when absent */
void map_put(struct map *m, int64_t a, int64_t b, void *value); /* value is not NULL; replaces */
/* Returns all values in key order; the caller frees the array. */
void **map_values(const struct map *m, size_t *count);
void map_clear(struct map *m);

#endif
