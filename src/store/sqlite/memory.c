#include "store/sqlite/memory.h"

#include <malloc.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/mem.h"

#define STEP    16
#define LARGEST 1024    /* larger ones are rare */
#define ROOM    0x10000 /* for all that is kept */

struct block {
	struct block *next;
};

static struct block *kept[LARGEST / STEP + 1]; /* by size */
static size_t used;                            /* by these */
static atomic_flag in_use = ATOMIC_FLAG_INIT;

/* Nearly always one thread works with the database. Another one does without. */
static bool enter(void)
{
	return !atomic_flag_test_and_set_explicit(&in_use, memory_order_acquire);
}

static void leave(void)
{
	atomic_flag_clear_explicit(&in_use, memory_order_release);
}

static void *take(int size)
{
	size_t of = ((size_t)size + STEP - 1) / STEP;
	struct block *block = NULL;

	if (of <= LARGEST / STEP && enter()) {
		block = kept[of];
		if (block) {
			kept[of] = block->next;
			used -= of * STEP;
		}
		leave();
	}
	return block ? block : malloc(of * STEP);
}

static void give_back(void *p)
{
	/* glibc gives 8 bytes more than was asked for, or a rest that was too small to be kept. */
	size_t of = malloc_usable_size(p) / STEP;

	if (of <= LARGEST / STEP && enter()) {
		bool keep = used + of * STEP <= ROOM;

		if (keep) {
			struct block *block = p;

			block->next = kept[of];
			kept[of] = block;
			used += of * STEP;
		}
		leave();
		if (keep)
			return;
	}
	free(p);
}

void sqlite_memory_shrink(void)
{
	if (!enter())
		return;
	for (size_t i = 0; i < ARRAY_LEN(kept); i++)
		for (struct block *block; (block = kept[i]);) {
			kept[i] = block->next;
			free(block);
		}
	used = 0;
	leave();
}

static void *resize(void *p, int size)
{
	return realloc(p, (size_t)size);
}

static int size_of(void *p)
{
	return p ? (int)malloc_usable_size(p) : 0;
}

static int round_up(int size)
{
	return (size + STEP - 1) / STEP * STEP;
}

static int begin(void *arg)
{
	(void)arg;
	return SQLITE_OK;
}

static void end(void *arg)
{
	(void)arg;
}

const struct sqlite3_mem_methods sqlite_memory = {
    take, give_back, resize, size_of, round_up, begin, end, NULL};

void sqlite_memory_configure(void)
{
#ifndef __SANITIZE_ADDRESS__
	sqlite3_config(SQLITE_CONFIG_MALLOC, &sqlite_memory);
#endif
	/* Nobody asks how much memory SQLite has, for which it would take a lock in each allocation. */
	sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
