#include "playground/world/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/worker.h"

int file_read(const char *path, struct buf *out, struct error *err)
{
	FILE *f = fopen(path, "re");
	char part[16384];
	size_t n;
	int failed;

	if (!f)
		return error_set(err, ERROR_OURS, "cannot read %s: %s", path, strerror(errno));
	while ((n = fread(part, 1, sizeof(part), f)) > 0)
		buf_add(out, part, n);
	failed = ferror(f);
	fclose(f);
	return failed ? error_set(err, ERROR_OURS, "cannot read %s to its end", path) : 0;
}

struct replacement {
	struct worker_job job;
	char *path, *text;
	int failed; /* errno */
};

static int write_fresh(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600), failed = 0;
	size_t len = strlen(text);

	if (fd < 0)
		return errno;
	if (fchmod(fd, 0600) != 0 || write(fd, text, len) != (ssize_t)len || fsync(fd) != 0)
		failed = errno != 0 ? errno : EIO;
	if (close(fd) != 0 && failed == 0)
		failed = errno;
	return failed;
}

static void replace_run(struct worker_job *job)
{
	struct replacement *r = (struct replacement *)job;
	char *fresh = xasprintf("%s.new", r->path);

	errno = 0;
	r->failed = write_fresh(fresh, r->text);
	if (r->failed == 0 && rename(fresh, r->path) != 0)
		r->failed = errno;
	free(fresh);
}

static void replace_free(struct worker_job *job)
{
	struct replacement *r = (struct replacement *)job;

	free(r->path);
	free(r->text);
	free(r);
}

int file_replace(struct task *t, const char *path, const char *text, struct error *err)
{
	struct replacement *r = xcalloc(1, sizeof(*r));
	int ret = 0;

	r->job = (struct worker_job){.run = replace_run, .free = replace_free};
	r->path = xstrdup(path);
	r->text = xstrdup(text);
	if (worker_await(t, &r->job, err) != 0)
		return -1;
	if (r->failed != 0)
		ret = error_set(err, ERROR_OURS, "cannot write %s: %s", path, strerror(r->failed));
	replace_free(&r->job);
	return ret;
}
