#include "base/text/suggest.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define SUGGEST_BYTES_MAX 64
#define SUGGEST_EDITS_MAX 3

static size_t min(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Case does not count. */
static bool is_same(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

size_t suggest_distance(const char *a, const char *b)
{
	size_t la = strlen(a), lb = strlen(b);
	/* Three rows of the table: row i holds the distances of the first i bytes of a to every beginning of
	 * b. */
	size_t rows[3][SUGGEST_BYTES_MAX + 1];
	if (la > SUGGEST_BYTES_MAX || lb > SUGGEST_BYTES_MAX)
		return SIZE_MAX;
	for (size_t j = 0; j <= lb; j++)
		rows[0][j] = j;
	for (size_t i = 1; i <= la; i++) {
		size_t *row = rows[i % 3], *up = rows[(i + 2) % 3], *up2 = rows[(i + 1) % 3];
		row[0] = i;
		for (size_t j = 1; j <= lb; j++) {
			row[j] = min(up[j] + 1, row[j - 1] + 1);
			row[j] = min(row[j], up[j - 1] + !is_same(a[i - 1], b[j - 1]));
			if (i > 1 && j > 1 && is_same(a[i - 1], b[j - 2]) && is_same(a[i - 2], b[j - 1]))
				row[j] = min(row[j], up2[j - 2] + 1);
		}
	}
	return rows[la % 3][lb];
}

const char *suggest_name(const char *word, const char *const *names, size_t count)
{
	const char *best = NULL;
	size_t best_distance = SUGGEST_EDITS_MAX + 1;
	for (size_t i = 0; i < count; i++) {
		size_t distance = suggest_distance(word, names[i]);
		if (distance < best_distance && distance * 2 < strlen(word)) {
			best = names[i];
			best_distance = distance;
		}
	}
	return best;
}
