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
#include "store/sqlite/check.h"
#include "store/db.h"
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

struct numbers {
	int64_t newest_ms, running;
};

static int check_db(struct db *db, void *arg, struct error *err)
{
	struct numbers *n = arg;

	if (db_number(db, "SELECT received_ms FROM inbox ORDER BY id DESC LIMIT 1", DB_NO_ARGS, &n->newest_ms,
		err) < 0 ||
	    db_number(db, "SELECT value FROM meta WHERE name = 'running'", DB_NO_ARGS, &n->running, err) < 0)
		return -1;
	return check_everything(db, err);
}

static void add_dead(struct json_object *list, const char *dir)
{
	struct json_object *dead = NULL;

	if (offline_dead_turns(dir, &dead, NULL) == 0 && json_object_array_length(dead) > 0) {
		char *text = xasprintf("%zu given up", json_object_array_length(dead));
		diagnosis_add(
		    list, DIAGNOSIS_WARNING, "dead letters", text, "Start the gateway, then `myna dead`.");
		free(text);
	}
	json_object_put(dead);
}

static void add_database(struct json_object *list, const char *dir)
{
	char *path = xasprintf("%s/myna.db", dir);
	struct numbers n = {0};
	struct error err = {0};

	if (access(path, F_OK) != 0) {
		diagnosis_add(list, DIAGNOSIS_OK, "database", "there is none yet", NULL);
	} else if (offline_read(dir, check_db, &n, &err) < 0) {
		diagnosis_add(list, DIAGNOSIS_BAD, "database", err.text, NULL);
	} else {
		diagnosis_add(list, DIAGNOSIS_OK, "database", "its check has found nothing wrong", NULL);
		if (n.running)
			diagnosis_add(list, DIAGNOSIS_WARNING, "stops",
			    "The last stop was not in good order (killed, crashed, power lost).",
			    "Nothing was lost by it; the next start goes on. Look into the log for why.");
		add_dead(list, dir);
	}
	doctor_add_clock(list, (long long)n.newest_ms);
	free(path);
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
	add_database(list, gc->top.state);
	add_port(list, gc);
}
