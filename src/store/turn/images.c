#include "store/turn/images.h"

#include <stdlib.h>

#include "llm/history.h"
#include "store/store_internal.h"

struct images_job {
	struct job job;
	int64_t id;
	char *images;
};

static void images_free(struct job *job)
{
	struct images_job *j = (struct images_job *)job;

	free(j->images);
	free(j);
}

static int images_run(struct job *job, struct db *db, struct error *err)
{
	static const char sql[] = "UPDATE transcript SET images = ?2 WHERE id = ?1";
	struct images_job *j = (struct images_job *)job;

	return db_run(db, sql, DB_ARGS(db_int(j->id), db_text(j->images)), err) < 0 ? -1 : 0;
}

int store_images_put(struct task *t, struct store *s, const struct llm_message *m, struct error *err)
{
	struct images_job *j = job_new(sizeof(*j), JOB_WRITE, images_run, images_free);

	j->id = m->id;
	j->images = llm_images_text(m->images, m->image_count);
	store_redact(&j->images);
	return job_queue_finish(t, &s->queue, &j->job, err);
}
