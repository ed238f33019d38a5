#include "playground/control/side_world.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/time/clock_skip.h"
#include "net/server/server.h"
#include "playground/platform.h"
#include "playground/playground.h"
#include "playground/world/json_members.h"
#include "playground/world/json_format.h"

struct side_world {
	struct list link;
	char *name, *url, *tls_url; /* tls_url: NULL without TLS */
	struct clock_world clock;
	struct playground *pg;
	struct server *server, *tls_server;
};

static struct side_world *find(struct playground *pg, const char *name)
{
	list_each_entry(&pg->worlds, struct side_world, entry, link)
		if (strcmp(entry->name, name) == 0)
			return entry;
	return NULL;
}

/* Moves the violations of an ended world to the first playground, which reports them. */
static void keep_violations(struct playground *pg, const struct playground *ended)
{
	json_each(ended->strict.violations, item) {
		if (!pg->strict.violations)
			pg->strict.violations = json_object_new_array();
		json_object_array_add(pg->strict.violations, json_object_get(item));
	}
}

static void end(struct task *t, struct playground *pg, struct side_world *w)
{
	list_remove(&w->link);
	task_shield(t);
	server_free(t, w->server);
	server_free(t, w->tls_server);
	playground_stop(t, w->pg);
	task_unshield(t);
	keep_violations(pg, w->pg);
	playground_free(w->pg);
	free(w->name);
	free(w->url);
	free(w->tls_url);
	free(w);
}

unsigned worlds_end(struct task *t, struct playground *pg, const char *name)
{
	struct side_world *w;
	unsigned n = 0;

	/* Others may end some meanwhile. */
	while (!list_is_empty(&pg->worlds)) {
		w = name ? find(pg, name) : list_entry(list_first(&pg->worlds), struct side_world, link);
		if (!w)
			break;
		end(t, pg, w);
		n++;
	}
	return n;
}

/* Takes over from pg whether it judges strictly, and whether its platforms limit rates. */
static void take_over(struct playground *fresh, struct playground *pg)
{
	fresh->strict.on = pg->strict.on;
	for (size_t i = 0; pg->platform_instances[i].platform; i++) {
		const struct platform *p = pg->platform_instances[i].platform;
		struct json_object *all = json_object_new_object(), *limits = json_object_new_object();

		p->settings(pg->platform_instances[i].self, all);
		json_set_bool(limits, "limits", json_get_bool(all, "limits", true));
		p->set(fresh->platform_instances[i].self, limits, NULL);
		json_object_put(all);
		json_object_put(limits);
	}
}

/* Serves the world at ports that the system chooses. */
static int serve(struct side_world *w, const struct playground *pg, struct error *err)
{
	const char *host = pg->host ? pg->host : "127.0.0.1";
	char *listen = xasprintf("%s:0", host);

	w->server = playground_listen(w->pg, listen, NULL, err);
	if (w->server && pg->certificate)
		w->tls_server = playground_listen(w->pg, listen, pg->certificate, err);
	free(listen);
	if (!w->server || (pg->certificate && !w->tls_server))
		return -1;
	w->url = xasprintf("http://%s:%u", host, server_port(w->server));
	if (w->tls_server)
		w->tls_url = xasprintf("https://%s:%u", host, server_port(w->tls_server));
	return 0;
}

static struct side_world *begin(struct task *t, struct playground *pg, const char *name, struct error *err)
{
	struct side_world *w = xcalloc(1, sizeof(*w));
	struct clock_world *was = clock_enter(&w->clock); /* the platforms begin in its time */
	int rc = -1;

	w->pg = playground_new(pg->script, NULL, err);
	if (w->pg) {
		w->pg->clock = &w->clock;
		take_over(w->pg, pg);
		rc = serve(w, pg, err);
	}
	clock_enter(was);
	if (!w->pg) {
		free(w);
		return NULL;
	}
	w->name = xstrdup(name);
	list_append(&pg->worlds, &w->link);
	if (rc == 0)
		return w;
	end(t, pg, w);
	return NULL;
}

static struct json_object *show(const struct side_world *w)
{
	struct json_object *world = json_newf("{name: %s, url: %s}", w->name, w->url);

	if (w->tls_url)
		json_setf(world, "tls_url: %s", w->tls_url);
	return world;
}

int control_world(
    struct task *t, struct playground *pg, struct json_object *in, struct buf *out, struct error *err)
{
	const char *name = members_string(in, "name");
	struct json_object *answer;
	struct side_world *w;
	size_t count = 0;

	if (members_check(in, "end name", err) != 0)
		return -1;
	if (!name)
		return error_set(err, ERROR_OURS, "say which world: \"name\"");
	if (pg->clock)
		return error_set(err, ERROR_OURS, "worlds are made at the address of the first one");
	w = find(pg, name);
	if (json_get_bool(in, "end", false)) {
		if (worlds_end(t, pg, name) == 0)
			return error_set(err, ERROR_OURS, "there is no world \"%.60s\"", name);
		buf_addstr(out, "{\"ok\":true}");
		return 0;
	}
	list_each(&pg->worlds, it, tmp)
		count++;
	if (!w && count >= SIDE_WORLDS_MAX)
		return error_set(err, ERROR_OURS, "there are %d worlds: end one", SIDE_WORLDS_MAX);
	if (!w && !(w = begin(t, pg, name, err)))
		return -1;
	answer = show(w);
	json_set_bool(answer, "ok", true);
	json_write(out, answer);
	json_object_put(answer);
	return 0;
}

int control_worlds(
    struct task *t, struct playground *pg, struct json_object *in, struct buf *out, struct error *err)
{
	struct json_object *answer = json_object_new_object(), *array = json_object_new_array();

	(void)t;
	(void)in;
	(void)err;
	list_each_entry(&pg->worlds, struct side_world, entry, link)
		json_object_array_add(array, show(entry));
	json_setf(answer, "ok: true, worlds: %p", array);
	json_write(out, answer);
	json_object_put(answer);
	return 0;
}
