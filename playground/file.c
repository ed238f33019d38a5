#include "playground/file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"

int file_read(const char *path, struct buf *out, struct error *err)
{
	FILE *f = fopen(path, "re");
	char part[16384];
	size_t n;
	int failed;

	if (f == NULL)
		return error_set(err, ERROR_OURS, "cannot read %s: %s", path, strerror(errno));
	while ((n = fread(part, 1, sizeof(part), f)) > 0)
		buf_add(out, part, n);
	failed = ferror(f);
	fclose(f);
	return failed ? error_set(err, ERROR_OURS, "cannot read %s to its end", path) : 0;
}
