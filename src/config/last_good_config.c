#include "config/last_good_config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/config/config.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/io_full.h"
#include "base/worker.h"
#include "config/gateway_config.h"
#include "tools/tools.h"

#define COPY "config.good"

typedef int load_fn(struct gateway_config *gc, const char *file, struct buf *report);

/* Returns the state directory, malloc'd; NULL: unknown. */
static char *find_state(const struct gateway_config *gc, const char *state)
{
	const char *env = getenv("STATE_DIRECTORY");
	char *found;

	if (!state)
		state = gc->top.state;
	if (state)
		return xstrdup(state);
	if ((found = config_peek(gc->path, "state")))
		return found;
	return env && *env ? xstrdup(env) : NULL;
}

static int load_copy(struct gateway_config *gc, const char *state, const struct buf *report, load_fn *load)
{
	char *dir = find_state(gc, state), *path = dir ? xasprintf("%s/" COPY, dir) : NULL;
	struct gateway_config good = {0};
	struct buf ignored = BUF_INIT;
	int rc = path && access(path, R_OK) == 0 ? load(&good, path, &ignored) : -1;

	if (rc == 0) {
		free(good.path);
		good.path = xstrdup(gc->path);
		good.broken = xstrdup(report->data);
		gateway_config_clear(gc);
		*gc = good;
	} else {
		gateway_config_clear(&good);
	}
	buf_clear(&ignored);
	free(path);
	free(dir);
	return rc;
}

int last_good_config_load(struct gateway_config *gc, const char *state, const struct buf *report)
{
	if (load_copy(gc, state, report, gateway_config_load) < 0)
		return -1;
	tools_set_targets(gc->tools, &gc->targets);
	tools_set_config_file(gc->tools, gc->path);
	return 0;
}

int last_good_config_load_top(struct gateway_config *gc, const struct buf *report)
{
	return load_copy(gc, NULL, report, gateway_config_load_top);
}

struct keeping {
	struct worker_job job;
	char *path, *made; /* the copy, and the new one that replaces it when complete */
	struct buf text;
	int failed; /* errno, or 0 */
};

static bool is_there(const struct keeping *k)
{
	FILE *in = fopen(k->path, "re");
	char *saved = in ? xmalloc(k->text.len + 1) : NULL;
	bool same = in && fread(saved, 1, k->text.len + 1, in) == k->text.len &&
	    memcmp(saved, k->text.data, k->text.len) == 0;

	if (in)
		fclose(in);
	free(saved);
	return same;
}

static void keeping_run(struct worker_job *job)
{
	struct keeping *k = (struct keeping *)job;

	if (is_there(k))
		return;
	unlink(k->made);
	int fd = open(k->made, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0 || io_write_full(fd, k->text.data, k->text.len) < 0 || fsync(fd) < 0 ||
	    rename(k->made, k->path) < 0)
		k->failed = errno;
	if (fd >= 0)
		close(fd);
}

static void keeping_free(struct worker_job *job)
{
	struct keeping *k = (struct keeping *)job;

	buf_clear(&k->text);
	free(k->path);
	free(k->made);
	free(k);
}

void last_good_config_keep(struct task *t, const struct gateway_config *gc)
{
	if (gc->broken)
		return;
	struct keeping *k = xcalloc(1, sizeof(*k));
	k->job = (struct worker_job){.run = keeping_run, .free = keeping_free};
	k->path = xasprintf("%s/" COPY, gc->top.state);
	k->made = xasprintf("%s/" COPY ".new", gc->top.state);
	buf_init(&k->text);
	config_text(gc->file, &k->text);
	if (worker_await(t, &k->job, NULL) < 0)
		return;
	if (k->failed)
		log_warn("config", "the last good configuration could not be kept: %s path=%s",
		    strerror(k->failed), k->path);
	keeping_free(&k->job);
}
