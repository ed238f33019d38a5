#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "playground/model/script/script_internal.h"

#define NUMBERS_MAX 1000
#define STORY_MAX   100000

static bool add_whole(const char *a, char op, const char *b, struct buf *out)
{
	long long x = strtoll(a, NULL, 10), y = strtoll(b, NULL, 10), z;
	bool overflow = op == '+' ? __builtin_add_overflow(x, y, &z) :
	    op == '-'             ? __builtin_sub_overflow(x, y, &z) :
				    __builtin_mul_overflow(x, y, &z);

	if (overflow || op == '/' || strchr(a, '.') || strchr(b, '.') || strlen(a) > 18 || strlen(b) > 18)
		return false;
	buf_addf(out, "%lld", z);
	return true;
}

void generate_calculation(const char *a, char op, const char *b, struct buf *out)
{
	double x = strtod(a, NULL), y = strtod(b, NULL);

	if (op == 'x' || op == 'X')
		op = '*';
	buf_addf(out, "%s %c %s = ", a, op, b);
	if (op == '/' && !(y > 0 || y < 0)) {
		buf_addstr(out, "nothing that anybody could agree on");
		return;
	}
	if (!add_whole(a, op, b, out))
		buf_addf(out, "%.12g", op == '+' ? x + y : op == '-' ? x - y : op == '*' ? x * y : x / y);
}

void generate_numbers(unsigned long n, struct buf *out)
{
	for (unsigned long i = 1; i <= n && i <= NUMBERS_MAX; i++)
		buf_addf(out, "%s%lu", i > 1 ? ", " : "", i);
	buf_addstr(out, n > NUMBERS_MAX ? ", and so on." : ".");
}

void generate_story(unsigned long chars, struct buf *out)
{
	static const char *const sentences[] = {
	    "The tide had left the harbour to the gulls.",
	    "Nobody had asked the lighthouse keeper, and so he answered.",
	    "A letter came with the morning boat and lay unopened until noon.",
	    "Rain walked up the hill, looked round, and went back to sea.",
	    "The clock in the square was right, which surprised everyone.",
	    "Somebody sang two streets away, a song without an end.",
	    "By evening the bread was gone and the talk had just begun.",
	};
	size_t start = out->len;

	if (chars > STORY_MAX)
		chars = STORY_MAX;
	for (unsigned i = 1; out->len - start < chars; i++) {
		buf_addf(out, "%sPart %u.", i > 1 ? "\n\n" : "", i);
		for (unsigned j = 0; j < 4; j++)
			buf_addf(out, " %s", sentences[(i * 3 + j * 2) % ARRAY_LEN(sentences)]);
	}
}
