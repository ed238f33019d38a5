#include "config.h"

#include "lib/postgres.h"

#include <fcntl.h>
#include <setjmp.h>
#include <spawn.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/error.h"
#include "base/mem.h"
#include "store/db.h"
#include "store/postgres/db_postgres.h"
#include "store/settings.h"
#include "store/store_internal.h"

#define SCRIPT SOURCE_DIR "/tests/lib/postgres-cluster.sh"
/* Of the script: there is no server to start. */
#define NOT_INSTALLED 77

extern char **environ;

/* What a fast server has: its data is worth nothing after a crash of the machine. */
static const char *const fast[] = {"fsync=off", "full_page_writes=off", NULL};
static const char *const durable[] = {NULL};

static pid_t start_script(const char *command, const char *dir, const char *const *more)
{
	const char *argv[8] = {SCRIPT, command, dir};
	pid_t pid;

	for (size_t i = 0; more && more[i]; i++)
		argv[3 + i] = more[i];
	if (posix_spawn(&pid, SCRIPT, NULL, NULL, (char *const *)(uintptr_t)argv, environ) != 0)
		fail_msg("cannot run %s", SCRIPT);
	return pid;
}

static int run_script(const char *command, const char *dir, const char *const *more)
{
	int status = 0;
	pid_t pid = start_script(command, dir, more);

	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		fail_msg("cannot run %s", SCRIPT);
	return WEXITSTATUS(status);
}

/* Opens the lock, which a server that ends removes. */
static int lock_start(const char *dir)
{
	char *path = xasprintf("%s.start", dir);
	struct stat held, there;
	int fd = -1;

	do {
		if (fd >= 0)
			close(fd);
		fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
		assert_true(fd >= 0);
		assert_int_equal(flock(fd, LOCK_EX), 0);
	} while (fstat(fd, &held) != 0 || stat(path, &there) != 0 || held.st_ino != there.st_ino);
	free(path);
	return fd;
}

static struct server {
	char dir[64];
	int users; /* the lock is held as long as this is open: until the program ends */
	int status;
	bool started;
} servers[2];

static void fail_with_reason(const char *dir, int status)
{
	char *path = xasprintf("%s/why", dir), why[300] = "";
	FILE *f = fopen(path, "re");

	if (f) {
		why[fread(why, 1, sizeof(why) - 1, f)] = '\0';
		fclose(f);
	}
	fail_msg("PostgreSQL's server does not start: exit status %d. %s", status, why);
}

static struct server *server_of(enum postgres_kind kind)
{
	struct server *s = &servers[kind];
	char *path;
	int start;

	if (s->started)
		return s;
	s->started = true;
	snprintf(s->dir, sizeof(s->dir), "/tmp/myna-postgres-%u-%s", (unsigned)getuid(),
	    kind == POSTGRES_FAST ? "fast" : "durable");
	start = lock_start(s->dir);
	s->status = run_script("share", s->dir, kind == POSTGRES_FAST ? fast : durable);
	if (s->status == 0) {
		path = xasprintf("%s/users", s->dir);
		s->users = open(path, O_RDWR | O_CLOEXEC);
		assert_true(s->users >= 0);
		assert_int_equal(flock(s->users, LOCK_SH), 0);
		free(path);
	}
	close(start);
	if (s->status != 0 && s->status != NOT_INSTALLED)
		fail_with_reason(s->dir, s->status);
	return s;
}

bool postgres_is_there(void)
{
	return store_engine_postgres && server_of(POSTGRES_FAST)->status == 0;
}

const char *postgres_server(enum postgres_kind kind)
{
	struct server *s = server_of(kind);

	assert_int_equal(s->status, 0);
	return s->dir;
}

char *postgres_url(const char *dir, const char *database)
{
	return xasprintf("postgresql:///%s?host=%s&user=myna", database, dir);
}

char *postgres_database_of(const char *url)
{
	const char *name = strstr(url, ":///") + 4;

	return xstrndup(name, strcspn(name, "?"));
}

static void make_database(const char *dir, const char *name)
{
	struct store_settings settings = {.engine = STORE_POSTGRES, .url = postgres_url(dir, "postgres")};
	char *sql = xasprintf("CREATE DATABASE %s TEMPLATE template0", name);
	struct db db = {0};
	struct error err;

	if (db_postgres_open(&db, dir, &settings, false, &err) != 0 || db_script(&db, sql, &err) != 0)
		fail_msg("%s: %s", sql, err.text);
	db_close(&db);
	free(settings.url);
	free(sql);
}

char *postgres_new_database(enum postgres_kind kind)
{
	static unsigned count;
	const char *dir = postgres_server(kind);
	struct timespec now;
	char *name, *url;

	/* The server may have served so many programs that a process has the number of an earlier one. */
	clock_gettime(CLOCK_REALTIME, &now);
	name = xasprintf("m%lx_%llx_%u", (long)getpid(), (long long)now.tv_sec & 0xfffff, count++);
	make_database(dir, name);
	url = postgres_url(dir, name);
	free(name);
	return url;
}

void postgres_start_own(const char *dir)
{
	assert_int_equal(run_script("start", dir, durable), 0);
}

pid_t postgres_start_receiver(const char *dir, const char *to)
{
	return start_script("receive", dir, (const char *[]){to, NULL});
}

void postgres_crash_own(const char *dir)
{
	assert_int_equal(run_script("crash", dir, NULL), 0);
}

void postgres_start_standby(const char *dir, const char *primary)
{
	const char *const more[] = {primary, NULL};

	assert_int_equal(run_script("standby", dir, more), 0);
}

void postgres_promote(const char *dir)
{
	assert_int_equal(run_script("promote", dir, NULL), 0);
}

void postgres_kill_own(const char *dir)
{
	assert_int_equal(run_script("kill", dir, NULL), 0);
}

void postgres_pause_own(const char *dir, bool pause)
{
	assert_int_equal(run_script(pause ? "pause" : "resume", dir, NULL), 0);
}

void postgres_remove_own(const char *dir)
{
	assert_int_equal(run_script("remove", dir, NULL), 0);
}
