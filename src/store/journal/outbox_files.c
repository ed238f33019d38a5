#include "store/journal/outbox_files.h"

#include "base/mem.h"
#include "bus/message.h"
#include "store/store_internal.h"

struct list_job {
	struct job job;
	int64_t after_id;
	char **paths;
	size_t count;
};

/* Reads the path from what attachments_encode wrote; NULL with err set. */
static char *path_of(struct db *db, struct db_row *row, struct error *err)
{
	char *text = db_column_text(row, 1), *path = NULL;
	struct attachment *file;
	size_t count;

	if (attachments_decode(text, &file, &count) == 0 && count == 1)
		path = xstrdup(file->path);
	else
		db_damaged(db, err, "the file of the outbound message %lld cannot be read",
		    (long long)db_column_int(row, 0));
	attachments_free(file, count);
	free(text);
	return path;
}

static int list_run(struct job *job, struct db *db, struct error *err)
{
	static const char sql[] = "SELECT id, file FROM outbox WHERE state < 2 AND file IS NOT NULL AND id > "
				  "?1 ORDER BY id LIMIT ?2";
	struct list_job *j = (struct list_job *)job;
	struct db_row *row = db_select(db, sql, DB_ARGS(db_int(j->after_id), db_int(STORE_SLICE)), err);
	size_t before = j->count;
	int rc;

	if (!row)
		return -1;
	while ((rc = db_next(db, row, err)) > 0) {
		char *path = path_of(db, row, err);

		if (!path)
			return -1;
		j->after_id = db_column_int(row, 0);
		j->paths = xrealloc(j->paths, (j->count + 1) * sizeof(*j->paths));
		j->paths[j->count++] = path;
	}
	return rc < 0 ? -1 : j->count - before == STORE_SLICE;
}

static void list_free(struct job *job)
{
	struct list_job *j = (struct list_job *)job;

	for (size_t i = 0; i < j->count; i++)
		free(j->paths[i]);
	free(j->paths);
	free(j);
}

int outbox_files_list(struct task *t, void *self, char ***out, struct error *err)
{
	struct store *s = self;
	struct list_job *j = job_new(sizeof(*j), JOB_READ, list_run, list_free);
	int count;

	*out = NULL;
	if (job_queue_run(t, &s->queue, &j->job, err) != 0)
		return -1;
	count = (int)j->count;
	*out = j->paths;
	j->paths = NULL;
	j->count = 0;
	job_free(&j->job);
	return count;
}
