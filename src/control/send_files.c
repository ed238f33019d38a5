#include "control/control_internal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/secret/secret.h"
#include "base/io_full.h"
#include "base/worker.h"
#include "bus/bus.h"
#include "bus/outbox_file.h"
#include "bus/post.h"

struct copies_job {
	struct worker_job job;
	char *name, *dir, *data;
	size_t len;
	struct attachment *files;
	size_t count;
	struct error err;
	int rc;
};

/* The outbox copies its files from a descriptor. */
static int open_bytes(const struct copies_job *c, struct error *err)
{
	int fd = memfd_create("file", MFD_CLOEXEC);

	if (fd >= 0 && io_write_full(fd, c->data, c->len) < 0) {
		close(fd);
		fd = -1;
	}
	if (fd < 0)
		error_set(err, ERROR_OURS, "the file cannot be held in memory: %m");
	return fd;
}

static int copy_one(const struct copies_job *c, int fd, struct attachment *file, struct error *err)
{
	if (lseek(fd, 0, SEEK_SET) < 0 || outbox_file_copy(c->dir, fd, 0, 0, file, err) < 0)
		return -1;
	file->name = xstrdup(c->name);
	file->mime = xstrdup(attachment_guess_mime(c->name, c->data, c->len));
	file->kind = attachment_kind_of(file->mime);
	return 0;
}

static void job_run(struct worker_job *job)
{
	struct copies_job *c = (struct copies_job *)job;
	int fd;

	c->rc = -1;
	if (secret_in(c->data, c->len)) {
		error_set(&c->err, ERROR_REFUSED,
		    "the file holds a key or token of the gateway: send one without it");
		return;
	}
	fd = open_bytes(c, &c->err);
	if (fd < 0)
		return;
	c->rc = 0;
	for (size_t i = 0; i < c->count && c->rc == 0; i++)
		c->rc = copy_one(c, fd, &c->files[i], &c->err);
	close(fd);
	for (size_t i = 0; i < c->count && c->rc < 0; i++)
		if (c->files[i].path)
			outbox_file_remove(&c->files[i]);
}

static void job_free(struct worker_job *job)
{
	struct copies_job *c = (struct copies_job *)job;

	attachments_free(c->files, c->count);
	free(c->name);
	free(c->dir);
	free(c->data);
	free(c);
}

static int check_channels(const struct post *p, size_t len, struct error *err)
{
	if (!bus_files(p->bus))
		return error_set(err, ERROR_OURS, "files cannot be sent without a state directory");
	if (len == 0)
		return error_set(err, ERROR_OURS, "the file is empty: there is nothing to send");
	for (size_t i = 0; i < p->count; i++) {
		const char *name = p->items[i].to.channel;
		const struct channel *ch = bus_channel(p->bus, name);
		if (!ch || !(ch->ops->caps & CHANNEL_FILES))
			return error_set(
			    err, ERROR_OURS, "the channel %s cannot send files: send the text alone", name);
		if (ch->ops->file_max > 0 && len > (size_t)ch->ops->file_max)
			return error_set(err, ERROR_OURS,
			    "the file has %zu bytes, and %s takes at most %lld: send a part of it, or pack "
			    "it",
			    len, name, (long long)ch->ops->file_max);
	}
	return 0;
}

int send_copy_files(
    struct task *t, struct post *p, const char *name, const void *data, size_t len, struct error *err)
{
	struct copies_job *c;
	int rc;

	if (check_channels(p, len, err) < 0)
		return -1;
	c = xcalloc(1, sizeof(*c));
	c->job = (struct worker_job){.run = job_run, .free = job_free};
	c->name = xstrdup(name);
	c->dir = xstrdup(bus_files(p->bus));
	c->data = xmemdup(data, len);
	c->len = len;
	c->files = xcalloc(p->count, sizeof(*c->files));
	c->count = p->count;
	if (worker_await(t, &c->job, err) < 0)
		return -1;
	rc = c->rc;
	if (rc < 0)
		*err = c->err;
	for (size_t i = 0; i < p->count && rc == 0; i++) {
		p->items[i].file = c->files[i];
		c->files[i] = (struct attachment){0};
	}
	p->file_size = (int64_t)len;
	job_free(&c->job);
	return rc;
}
