#include "base/log_tail.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/text/utf8.h"

/* Maximum bytes kept of a line; few are longer. */
#define LINE_LEN_MAX 1024

struct kept {
	char *text; /* NULL: none yet */
	enum log_level level;
};

static struct {
	pthread_mutex_t lock;
	struct kept all[LOG_TAIL_MAX], grave[LOG_TAIL_WARNINGS];
	size_t all_next, grave_next; /* where the next line goes; the oldest one is there */
} tail = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void keep(
    struct kept *ring, size_t size, size_t *next, enum log_level level, const char *line, size_t len)
{
	free(ring[*next].text);
	ring[*next] = (struct kept){xstrndup(line, len), level};
	*next = (*next + 1) % size;
}

void log_tail_note(enum log_level level, const char *line, size_t len)
{
	len = utf8_cut(line, len, LINE_LEN_MAX, UTF8_BYTES);
	pthread_mutex_lock(&tail.lock);
	keep(tail.all, LOG_TAIL_MAX, &tail.all_next, level, line, len);
	if (level <= LOG_LEVEL_WARN)
		keep(tail.grave, LOG_TAIL_WARNINGS, &tail.grave_next, level, line, len);
	pthread_mutex_unlock(&tail.lock);
}

static bool is_shown(const struct kept *k, enum log_level level)
{
	return k->text && k->level <= level;
}

static void show(
    const struct kept *ring, size_t size, size_t next, enum log_level level, size_t count, struct buf *out)
{
	size_t found = 0;

	for (size_t i = 0; i < size; i++)
		found += is_shown(&ring[i], level);
	for (size_t i = 0; i < size; i++) {
		const struct kept *k = &ring[(next + i) % size];

		if (is_shown(k, level) && found-- <= count)
			buf_addf(out, "%s\n", k->text);
	}
}

void log_tail(enum log_level level, size_t count, struct buf *out)
{
	pthread_mutex_lock(&tail.lock);
	if (level <= LOG_LEVEL_WARN)
		show(tail.grave, LOG_TAIL_WARNINGS, tail.grave_next, level, count, out);
	else
		show(tail.all, LOG_TAIL_MAX, tail.all_next, level, count, out);
	pthread_mutex_unlock(&tail.lock);
}
