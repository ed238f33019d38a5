#include "ops/doctor.h"

#include <errno.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/task.h"
#include "ops/diagnosis.h"
#include "config/gateway_config.h"
#include "ops/health.h"
#include "net/loop.h"
#include "net/server/server.h"
#include "store/offline.h"
#include "store/sqlite/upgrade.h"

static void add_copies(struct json_object *list, const char *dir)
{
	char **copies;
	size_t count = upgrade_copies(dir, &copies);

	for (size_t i = 0; i < count; i++) {
		char *text = xasprintf("%s/%s is the database from before an upgrade", dir, copies[i]);
		diagnosis_add(list, DIAGNOSIS_OK, "copy", text, NULL);
		free(text);
		free(copies[i]);
	}
	free(copies);
}

void doctor_add_state(struct json_object *list, const char *dir)
{
	struct stat st;
	char *text;

	if (stat(dir, &st) != 0) {
		text = xasprintf("%s: %s", dir, strerror(errno));
		diagnosis_add(list, errno == ENOENT ? DIAGNOSIS_WARNING : DIAGNOSIS_BAD, "state", text,
		    "The first start makes it.");
	} else if (st.st_mode & 066) {
		text = xasprintf("%s can be read by others (mode %04o)", dir, (unsigned)st.st_mode & 07777);
		diagnosis_add(list, DIAGNOSIS_BAD, "state", text, "chmod 700 it.");
	} else if (st.st_uid != geteuid() && geteuid() != 0) {
		text = xasprintf("%s belongs to the user %u", dir, (unsigned)st.st_uid);
		diagnosis_add(list, DIAGNOSIS_BAD, "state", text, "Run this as that user.");
	} else {
		text = xasprintf("%s, mode %04o", dir, (unsigned)st.st_mode & 07777);
		diagnosis_add(list, DIAGNOSIS_OK, "state", text, NULL);
	}
	add_copies(list, dir);
	free(text);
}

static void add_disk(struct json_object *list, const char *dir)
{
	struct statvfs fs;

	if (statvfs(dir, &fs) != 0)
		return;
	int64_t free_bytes = (int64_t)(fs.f_bavail * fs.f_frsize);
	char *text =
	    xasprintf("%lld MiB are free on the disk of the state directory", (long long)(free_bytes >> 20));
	if (free_bytes < HEALTH_DISK_MIN)
		diagnosis_add(list, DIAGNOSIS_BAD, "disk", text, "Free space there.");
	else
		diagnosis_add(list, DIAGNOSIS_OK, "disk", text, NULL);
	free(text);
}

static void add_dead(struct json_object *list, const struct offline_place *place)
{
	struct json_object *dead = NULL;

	if (offline_dead_turns(place, &dead, NULL) == 0 && json_object_array_length(dead) > 0) {
		char *text = xasprintf("%zu given up", json_object_array_length(dead));
		diagnosis_add(
		    list, DIAGNOSIS_WARNING, "dead letters", text, "Start the gateway, then `myna dead`.");
		free(text);
	}
	json_object_put(dead);
}

static void add_findings(struct json_object *list, const struct offline_findings *f, bool on_server)
{
	diagnosis_add(list, DIAGNOSIS_OK, "database",
	    on_server ? "it answers, and has the tables of this version" :
			"its check has found nothing wrong",
	    NULL);
	if (f->running && !on_server)
		diagnosis_add(list, DIAGNOSIS_WARNING, "stops",
		    "The last stop was not in good order (killed, crashed, power lost).",
		    "Nothing was lost by it; the next start goes on. Look into the log for why.");
	if (f->risk)
		doctor_add_risk(list, f->risk);
}

static const char *advice_on(const struct offline_place *place, const struct error *err)
{
	if (err->kind == ERROR_REFUSED)
		return "docs/postgresql.md says how a store moves.";
	if (place->settings->engine != STORE_POSTGRES)
		return "docs/troubleshooting.md says what to do with a database that cannot be read.";
	if (err->kind == ERROR_LIMITED)
		return "Start the server, or set store.url to where it is.";
	return "Set store.url to what the server takes; docs/postgresql.md says how.";
}

static void add_database(struct json_object *list, const struct offline_place *place)
{
	struct offline_findings f;
	struct error err = {0};

	if (offline_check(place, &f, &err) < 0) {
		diagnosis_add(list, DIAGNOSIS_BAD, "database", err.text, advice_on(place, &err));
	} else if (!f.exists) {
		diagnosis_add(list, DIAGNOSIS_OK, "database", "there is none yet", NULL);
	} else {
		add_findings(list, &f, place->settings->engine == STORE_POSTGRES);
		add_dead(list, place);
	}
	free(f.risk);
	doctor_add_clock(list, (long long)f.newest_ms);
}

static void refuse(struct task *t, struct server_request *req, void *arg)
{
	(void)t;
	(void)arg;
	server_respond(req, 503, "text/plain", NULL, "", 0);
}

struct port {
	struct json_object *list;
	const char *listen;
};

/* Checks whether the gateway could listen on the configured address. */
static void try_port(struct task *t, void *arg)
{
	const struct port *p = arg;
	struct server_options options = {.listen = p->listen, .handler = refuse};
	struct error err = {0};
	struct server *s = server_new(&options, &err);

	diagnosis_add(p->list, s ? DIAGNOSIS_OK : DIAGNOSIS_BAD, "http.listen", s ? p->listen : err.text,
	    s ? NULL : "Stop what listens there, or set another port.");
	server_free(t, s);
}

static void add_port(struct json_object *list, const struct gateway_config *gc)
{
	struct port p = {.list = list, .listen = gc->http.listen};

	if (!gc->http.listen)
		return;
	loop_init();
	task_run("port", try_port, &p);
}

void doctor_check_offline(struct json_object *list, const struct gateway_config *gc)
{
	doctor_add_state(list, gc->top.state);
	add_disk(list, gc->top.state);
	add_database(list, &(struct offline_place){gc->top.state, &gc->store});
	add_port(list, gc);
}
