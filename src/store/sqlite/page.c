#include "store/sqlite/page.h"

#include <fcntl.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

#define PAGE 4096
/* Offsets in page 1: a header of 100 bytes, then the root page of the table of tables. */
#define HEADER_PAGE_COUNT 28
#define HEADER_FREE_PAGES 32 /* first and number, 8 bytes */
#define ROOT              100
#define ROOT_CELL_COUNT   (ROOT + 3)
#define ROOT_RIGHT_CHILD  (ROOT + 8)
#define ROOT_CELLS        (ROOT + 12)
/* The first byte of a page of a table or an index, and of page 2 where pages have a map of pointers, which
 * begins with what page 3 is: a root. */
#define INDEX_INTERIOR 2
#define INTERIOR       5
#define INDEX_LEAF     10
#define LEAF           13
#define POINTER_MAP    1

static uint32_t read_u16(const unsigned char *p)
{
	return (uint32_t)p[0] << 8 | p[1];
}

static uint32_t read_u32(const unsigned char *p)
{
	return read_u16(p) << 16 | read_u16(p + 2);
}

static void write_u32(unsigned char *p, uint32_t n)
{
	for (int i = 0; i < 4; i++)
		p[i] = (unsigned char)(n >> (24 - 8 * i));
}

static int copy_page(int from, int to, uint32_t number)
{
	unsigned char page[PAGE];
	off_t at = ((off_t)number - 1) * PAGE;

	if (number < 2 || pread(from, page, PAGE, at) != PAGE)
		return -1;
	return pwrite(to, page, PAGE, at) == PAGE ? 0 : -1;
}

static int copy_children(int from, int to, const unsigned char *root)
{
	uint32_t cells = read_u16(root + ROOT_CELL_COUNT);

	if (root[ROOT] != INTERIOR)
		return 0;
	for (uint32_t i = 0; i < cells && ROOT_CELLS + 2 * i + 2 <= PAGE; i++) {
		uint32_t cell = read_u16(root + ROOT_CELLS + 2 * i);

		if (cell + 4 > PAGE || copy_page(from, to, read_u32(root + cell)) != 0)
			return -1;
	}
	return copy_page(from, to, read_u32(root + ROOT_RIGHT_CHILD));
}

static int write_first_pages(int from, int to)
{
	unsigned char page[PAGE];
	struct stat st;

	/* The copied pages may lie beyond the end of a truncated file: the count includes them. */
	if (pread(from, page, PAGE, 0) != PAGE || copy_children(from, to, page) != 0 || fstat(to, &st) != 0)
		return -1;
	write_u32(page + HEADER_PAGE_COUNT, st.st_size > PAGE ? (uint32_t)(st.st_size / PAGE) : 1);
	write_u32(page + HEADER_FREE_PAGES, 0);
	write_u32(page + HEADER_FREE_PAGES + 4, 0);
	return pwrite(to, page, PAGE, 0) == PAGE ? 0 : -1;
}

bool recover_is_index(unsigned char kind)
{
	return kind == INDEX_LEAF || kind == INDEX_INTERIOR;
}

bool recover_is_incremental(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	unsigned char kind = POINTER_MAP;

	if (fd >= 0 && pread(fd, &kind, 1, PAGE) != 1)
		kind = POINTER_MAP;
	if (fd >= 0)
		close(fd);
	return kind != LEAF && kind != INTERIOR && !recover_is_index(kind);
}

int recover_copy_pages(const char *from, const char *to, struct error *err)
{
	int in = open(from, O_RDONLY | O_CLOEXEC), out = open(to, O_RDWR | O_CLOEXEC), rc = -1;

	if (in >= 0 && out >= 0)
		rc = write_first_pages(in, out);
	if (rc != 0)
		error_set(err, ERROR_OURS, "cannot give %s the first pages of %s: %m", to, from);
	if (in >= 0)
		close(in);
	if (out >= 0)
		close(out);
	return rc;
}
