#include "playground/playground.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/time/clock_skip.h"
#include "net/server/server.h"
#include "playground/control/control.h"
#include "playground/control/side_world.h"
#include "playground/gateway/daemon.h"
#include "playground/gateway/model_choice.h"
#include "playground/model/model.h"
#include "playground/platform.h"
#include "playground/server/fault.h"
#include "playground/server/origin.h"
#include "playground/server/page.h"
#include "playground/world/state.h"

#define MAX_BODY (64 * 1024 * 1024) /* model requests contain whole histories, say contains files */

struct playground *playground_new(const char *script, const char *data, struct error *err)
{
	struct playground *pg = xcalloc(1, sizeof(*pg));

	faults_init(&pg->faults);
	feed_init(&pg->feed);
	list_init(&pg->exchanges);
	task_cond_init(&pg->changed);
	task_group_init(&pg->tasks);
	list_init(&pg->worlds);
	pg->data = xstrdup(data);
	pg->script = xstrdup(script);
	pg->daemon = daemon_new(&(struct daemon_options){NULL, NULL}, &pg->feed);
	pg->model = model_new(pg, script, err);
	if (!pg->model) {
		playground_free(pg);
		return NULL;
	}
	for (size_t i = 0; platforms[i]; i++) {
		pg->platform_instances[i].platform = platforms[i];
		pg->platform_instances[i].self = platforms[i]->create(pg, &pg->platform_instances[i].log);
	}
	if (data && state_load(pg, err) != 0) {
		playground_free(pg);
		return NULL;
	}
	return pg;
}

void playground_stop(struct task *t, struct playground *pg)
{
	worlds_end(t, pg, NULL);
	daemon_stop(t, pg->daemon);
	for (struct platform_instance *s = pg->platform_instances; s->platform; s++)
		if (s->platform->stop)
			s->platform->stop(s->self);
	task_group_finish(t, &pg->tasks);
}

void playground_free(struct playground *pg)
{
	if (!pg)
		return;
	for (struct platform_instance *s = pg->platform_instances; s->platform; s++) {
		s->platform->destroy(s->self);
		record_log_clear(&s->log);
	}
	faults_drop(&pg->faults, 0, NULL, NULL);
	feed_clear(&pg->feed);
	strict_clear(&pg->strict);
	model_free(pg->model);
	daemon_free(pg->daemon);
	model_choice_free(pg->model_choice);
	free(pg->data);
	free(pg->script);
	free(pg->host);
	task_cond_clear(&pg->changed);
	free(pg);
}

struct server *playground_listen(
    struct playground *pg, const char *listen, const char *certificate, struct error *err)
{
	const struct server_options o = {
	    .listen = listen,
	    .max_body = MAX_BODY,
	    .max_requests = PLAYGROUND_REQUESTS_MAX,
	    .max_connections = PLAYGROUND_REQUESTS_MAX,
	    .handler = playground_serve,
	    .arg = pg,
	    .certificate = certificate,
	    .key = certificate,
	};

	free(pg->host);
	pg->host = xstrndup(listen, strlen(listen) - strlen(strrchr(listen, ':')));
	return server_new(&o, err);
}

void playground_set_gateway(
    struct playground *pg, const struct daemon_options *options, const char *model_file)
{
	daemon_free(pg->daemon);
	pg->daemon = daemon_new(options, &pg->feed);
	pg->model_choice = model_file ? model_choice_new(model_file) : NULL;
}

int playground_save(const struct playground *pg, struct error *err)
{
	return pg->data ? state_save(pg, err) : 0;
}

void playground_reset(struct playground *pg)
{
	for (struct platform_instance *s = pg->platform_instances; s->platform; s++) {
		s->platform->reset(s->self);
		record_log_clear(&s->log);
	}
	faults_drop(&pg->faults, 0, NULL, NULL);
	model_reset(pg->model);
	feed_add(&pg->feed, FEED_RESET, NULL, NULL);
	playground_changed(pg);
}

struct platform_instance *playground_platform(struct playground *pg, const char *name)
{
	for (struct platform_instance *s = pg->platform_instances; name && s->platform; s++)
		if (strcmp(s->platform->name, name) == 0)
			return s;
	return NULL;
}

void playground_changed(struct playground *pg)
{
	task_cond_broadcast(&pg->changed);
}

static bool starts_with(const char *s, const char *prefix)
{
	return strncmp(s, prefix, strlen(prefix)) == 0;
}

/* Each platform has a prefix; a library that resolves its path against the address loses it. */
static struct platform_instance *platform_of(struct playground *pg, const char *path)
{
	for (struct platform_instance *s = pg->platform_instances; s->platform; s++)
		if (starts_with(path, s->platform->prefix) ||
		    (s->platform->at_root && s->platform->at_root(path)))
			return s;
	return NULL;
}

void playground_serve(struct task *t, struct server_request *req, void *arg)
{
	struct playground *pg = arg;
	const char *path = server_path(req);
	struct platform_instance *s = platform_of(pg, path);

	clock_enter(pg->clock);
	if (s)
		s->platform->serve(t, s->self, req);
	else if (starts_with(path, "/v1/"))
		model_serve(t, pg->model, req);
	else if (ollama_serves(path))
		ollama_serve(pg->model, req);
	else if (origin_check(req) != 0)
		return;
	else if (starts_with(path, "/control/"))
		control_serve(t, pg, req);
	else
		page_serve(req);
}
