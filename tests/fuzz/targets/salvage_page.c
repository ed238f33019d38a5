/* store/salvage_page: pages of any content. What is borrowed comes from the same place of the other file, the
 * header counts what is there, and no other page changes. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "fuzz/fuzz.h"
#include "store/sqlite/page.h"

#define PAGE      4096
#define PAGES_MAX 12
#define COUNT_AT  28 /* of the pages, then of the free ones: https://www.sqlite.org/fileformat2.html, 1.3 */
#define COUNT_END 40

/* A file in which every page is told by its bytes. */
static char *make_file(size_t pages, unsigned char seed)
{
	char *data = xmalloc(pages * PAGE + 1);

	for (size_t i = 0; i < pages; i++)
		memset(data + i * PAGE, (int)(seed + i), PAGE);
	return data;
}

static size_t read_big(const char *data)
{
	const unsigned char *p = (const unsigned char *)data;

	return (size_t)p[0] << 24 | (size_t)p[1] << 16 | (size_t)p[2] << 8 | p[3];
}

static bool same_page(const char *a, const char *b, size_t page)
{
	return memcmp(a + page * PAGE, b + page * PAGE, PAGE) == 0;
}

/* The first page is the template's, but for the counts. */
static void check_first(const char *now, const char *from)
{
	HOLDS(memcmp(now, from, COUNT_AT) == 0);
	HOLDS(memcmp(now + COUNT_END, from + COUNT_END, PAGE - COUNT_END) == 0);
}

static void check_borrowed(const char *from, size_t from_pages, const char *to, size_t to_pages, int rc)
{
	size_t len;
	char *now = fuzz_file_read(1, &len);

	HOLDS(len % PAGE == 0 && len >= to_pages * PAGE);
	HOLDS(len / PAGE <= (from_pages > to_pages ? from_pages : to_pages));
	for (size_t page = 1; page < len / PAGE; page++) {
		bool own = page < to_pages && same_page(now, to, page);
		bool lent = page < from_pages && same_page(now, from, page);

		/* A hole between the end of a short file and a page that it was lent. */
		HOLDS(own || lent || page >= to_pages);
	}
	if (rc == 0) {
		check_first(now, from);
		HOLDS(read_big(now + COUNT_AT) == len / PAGE);
		HOLDS(read_big(now + COUNT_AT + 4) == 0 && read_big(now + COUNT_AT + 8) == 0);
	} else if (to_pages > 0) {
		HOLDS(same_page(now, to, 0));
	}
	free(now);
}

void fuzz_salvage_page(const uint8_t *data, size_t size)
{
	struct fuzz_input in = fuzz_open(data, size);
	size_t from_pages = fuzz_below(&in, PAGES_MAX), to_pages = fuzz_below(&in, PAGES_MAX), len;
	char *from = make_file(from_pages, 1), *to = make_file(to_pages, 101);
	struct error err = {0};
	const char *from_path, *to_path;
	char *text = fuzz_rest(&in, &len);
	int rc;

	/* The bytes are the root of the table of tables, which stands behind the header. */
	if (from_pages > 0)
		memcpy(from + 100, text, len < PAGE - 100 ? len : PAGE - 100);
	from_path = fuzz_file(0, from, from_pages * PAGE);
	to_path = fuzz_file(1, to, to_pages * PAGE);
	rc = recover_copy_pages(from_path, to_path, &err);
	if (rc != 0)
		fuzz_hold_sentence(err.text);
	HOLDS(rc == 0 || rc < 0);
	check_borrowed(from, from_pages, to, to_pages, rc);
	free(from);
	free(to);
	free(text);
}

FUZZ_PROGRAM(fuzz_salvage_page)
