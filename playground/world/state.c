#include "playground/world/state.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/time/clock.h"
#include "base/time/clock_skip.h"
#include "playground/world/file.h"
#include "playground/platform.h"
#include "playground/playground.h"

/* The year 2100; in 2154 the times in Discord's ids end. */
#define TIME_MAX_MS INT64_C(4102444800000)

static char *state_path(const struct playground *pg, const char *suffix)
{
	return xasprintf("%s/playground.json%s", pg->data, suffix);
}

static int write_file(const char *path, const struct buf *text, struct error *err)
{
	FILE *f = fopen(path, "we");
	int failed;

	if (!f)
		return error_set(err, ERROR_OURS, "cannot write %s: %s", path, strerror(errno));
	failed = fwrite(text->data, 1, text->len, f) != text->len || fflush(f) != 0 || fsync(fileno(f)) != 0;
	if (fclose(f) != 0 || failed)
		return error_set(err, ERROR_OURS, "cannot write %s: %s", path, strerror(errno));
	return 0;
}

struct json_object *state_write(const struct playground *pg)
{
	struct json_object *state = json_object_new_object();

	json_set_int(state, "time_ms", clock_wall());
	for (const struct platform_instance *s = pg->platform_instances; s->platform; s++)
		json_set(state, s->platform->name, s->platform->save(s->self));
	return state;
}

static int make_folder(const struct playground *pg, struct error *err)
{
	if (mkdir(pg->data, 0700) != 0 && errno != EEXIST)
		return error_set(err, ERROR_OURS, "cannot make %s: %s", pg->data, strerror(errno));
	return 0;
}

int state_save(const struct playground *pg, struct error *err)
{
	char *path = state_path(pg, ""), *fresh = state_path(pg, ".new");
	struct json_object *state = state_write(pg);
	struct buf text = BUF_INIT;
	int ret = -1;

	json_write(&text, state);
	if (make_folder(pg, err) != 0)
		;
	else if (write_file(fresh, &text, err) != 0)
		;
	else if (rename(fresh, path) != 0)
		error_set(err, ERROR_OURS, "cannot replace %s: %s", path, strerror(errno));
	else
		ret = 0;
	buf_clear(&text);
	json_object_put(state);
	free(fresh);
	free(path);
	return ret;
}

int state_read(struct playground *pg, struct json_object *state, struct error *err)
{
	int64_t time = json_get_int(state, "time_ms", 0), now = clock_wall();

	if (time > TIME_MAX_MS)
		return error_set(err, ERROR_OURS, "time_ms is after the year 2099");
	if (time > now)
		clock_skip((uint64_t)(time - now));
	for (struct platform_instance *s = pg->platform_instances; s->platform; s++) {
		struct json_object *part = json_get_object(state, s->platform->name);

		if (part && s->platform->load(s->self, part, err) != 0)
			return error_prefix(err, "state of %s", s->platform->name);
	}
	return 0;
}

int state_load(struct playground *pg, struct error *err)
{
	char *path = state_path(pg, "");
	struct json_object *state = NULL;
	struct buf text = BUF_INIT;
	int ret = make_folder(pg, err); /* now, while nothing is lost if it fails */

	if (ret == 0 && access(path, F_OK) == 0) {
		ret = file_read(path, &text, err);
		if (ret == 0 && !(state = json_parse_object(text.data, text.len, err)))
			ret = error_prefix(err, "%s", path);
		if (ret == 0)
			ret = state_read(pg, state, err);
	}
	json_object_put(state);
	buf_clear(&text);
	free(path);
	return ret;
}
