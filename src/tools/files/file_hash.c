#include "tools/files/file_hash.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "base/worker.h"
#include "tools/files/path_error.h"
#include "tools/tools_internal.h"
#include "tools/files/roots.h"

#define BLOCK (64 * 1024)

struct fingerprint_job {
	struct worker_job job;
	struct roots *roots;
	char *path;
	int64_t most, size;
	char hash[SHA256_TEXT_SIZE]; /* "" when it cannot be computed */
};

int file_hash_of(int fd, char *out)
{
	char *block = xmalloc(BLOCK);
	struct sha256 h;
	ssize_t n;

	sha256_begin(&h);
	while ((n = read(fd, block, BLOCK)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			break;
		sha256_add(&h, block, (size_t)n);
	}
	sha256_end(&h, out);
	free(block);
	return n < 0 ? -1 : 0;
}

static void job_run(struct worker_job *job)
{
	struct fingerprint_job *f = (struct fingerprint_job *)job;
	struct path_error why = {0};
	struct stat st;
	int fd = root_open_file(f->roots, f->path, &why);

	if (fd < 0)
		return;
	if (fstat(fd, &st) < 0 || st.st_size > f->most || file_hash_of(fd, f->hash) < 0)
		f->hash[0] = '\0';
	f->size = st.st_size;
	close(fd);
}

static void job_free(struct worker_job *job)
{
	struct fingerprint_job *f = (struct fingerprint_job *)job;

	roots_unref(f->roots);
	free(f->path);
	free(f);
}

void file_hash_add(
    struct task *t, const struct tool_call *call, const char *path, int64_t most, struct json_object *facts)
{
	struct fingerprint_job *f = xcalloc(1, sizeof(*f));

	f->job = (struct worker_job){.run = job_run, .free = job_free};
	f->roots = roots_ref(call->tools->roots);
	f->path = xstrdup(path);
	f->most = most;
	if (tool_worker_await(t, call, &f->job, NULL) < 0)
		return;
	if (*f->hash) {
		json_set_int(facts, "size", f->size);
		json_set_str(facts, FILE_HASH_MEMBER, f->hash);
	}
	job_free(&f->job);
}
