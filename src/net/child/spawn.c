#include "net/child/child_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"

/* Our descriptors are above those of the child, so that no dup2 overwrites one that is still needed. */
#define LOWEST    10
#define CHILD_FDS 4

/* What each descriptor of the child becomes; -1: /dev/null for 0 to 2, closed for 3. */
struct plan {
	int fds[CHILD_FDS];
};

static int failed(struct error *err, int number, const char *what, const char *name)
{
	error_set(err, ERROR_OURS, "%s %s: %s.", what, name, strerror(number));
	if (err)
		err->code = number;
	return -1;
}

/* Opens a pipe with both ends at LOWEST or above. */
static int open_pipe(int ends[2], struct error *err)
{
	if (pipe2(ends, O_CLOEXEC) < 0)
		return failed(err, errno, "cannot make a pipe for", "a program");
	for (int i = 0; i < 2; i++) {
		int moved = ends[i] < LOWEST ? fcntl(ends[i], F_DUPFD_CLOEXEC, LOWEST) : ends[i];
		int number = errno;

		if (moved < 0) {
			close(ends[0]);
			close(ends[1]);
			return failed(err, number, "cannot make a pipe for", "a program");
		}
		if (moved != ends[i])
			close(ends[i]);
		ends[i] = moved;
	}
	return 0;
}

static int open_stream(int *ours, int *theirs, bool ours_writes, struct error *err)
{
	int ends[2];

	if (open_pipe(ends, err) < 0)
		return -1;
	*ours = ends[ours_writes ? 1 : 0];
	*theirs = ends[ours_writes ? 0 : 1];
	fcntl(*ours, F_SETFL, O_NONBLOCK);
	return 0;
}

static int open_streams(
    const struct child_options *o, struct plan *plan, struct child_ends *ends, struct error *err)
{
	if (o->input && open_stream(&ends->input, &plan->fds[0], true, err) < 0)
		return -1;
	if (open_stream(&ends->output[CHILD_STDOUT], &plan->fds[1], false, err) < 0)
		return -1;
	if (!o->merge && open_stream(&ends->output[CHILD_STDERR], &plan->fds[2], false, err) < 0)
		return -1;
	if (o->report && open_stream(&ends->output[CHILD_REPORT], &plan->fds[3], false, err) < 0)
		return -1;
	return 0;
}

static void close_all(const int *fds, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (fds[i] >= 0)
			close(fds[i]);
	}
}

static const char *env_get(const char *const *env, const char *name)
{
	size_t len = strlen(name);

	for (; *env; env++) {
		if (strncmp(*env, name, len) == 0 && (*env)[len] == '=')
			return *env + len + 1;
	}
	return NULL;
}

static bool is_program(const char *path)
{
	struct stat st;

	return access(path, X_OK) == 0 && stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* Returns the program's path, malloc'd; NULL when no folder of the PATH has it. */
static char *find_program(const char *name, const char *const *env)
{
	const char *path = env_get(env, "PATH");

	if (strchr(name, '/'))
		return xstrdup(name);
	while (path && *path) {
		size_t len = strcspn(path, ":");
		char *full = xasprintf("%.*s/%s", (int)len, path, name);

		if (len > 0 && is_program(full))
			return full;
		free(full);
		path += len + (path[len] == ':');
	}
	return NULL;
}

static void plan_files(
    posix_spawn_file_actions_t *files, const struct plan *plan, const struct child_options *o)
{
	posix_spawn_file_actions_init(files);
	for (int i = 0; i < CHILD_FDS; i++) {
		if (plan->fds[i] >= 0)
			posix_spawn_file_actions_adddup2(files, plan->fds[i], i);
		else if (i == 0)
			posix_spawn_file_actions_addopen(files, i, "/dev/null", O_RDONLY, 0);
	}
	if (o->merge)
		posix_spawn_file_actions_adddup2(files, 1, 2);
	/* Libraries open descriptors that outlive an exec. */
	posix_spawn_file_actions_addclosefrom_np(files, plan->fds[3] >= 0 ? 4 : 3);
	if (o->dir)
		posix_spawn_file_actions_addchdir_np(files, o->dir);
}

static int spawn(const char *path, const struct child_options *o, const char *const *env,
    const struct plan *plan, pid_t *pid)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	sigset_t all, none;
	int number;

	plan_files(&files, plan, o);
	sigfillset(&all);
	sigemptyset(&none);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
	posix_spawnattr_setsigdefault(&attr, &all);
	posix_spawnattr_setsigmask(&attr, &none);
	number = posix_spawn(
	    pid, path, &files, &attr, (char *const *)(uintptr_t)o->argv, (char *const *)(uintptr_t)env);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&files);
	return number;
}

static int check_dir(const char *dir, struct error *err)
{
	struct stat st;

	if (!dir || (stat(dir, &st) == 0 && S_ISDIR(st.st_mode)))
		return 0;
	return failed(err, ENOTDIR, "cannot run a program in", dir);
}

static int spawn_in(const struct child_options *o, const char *const *env, pid_t *pid,
    struct child_ends *ends, struct error *err)
{
	struct plan plan = {{-1, -1, -1, -1}};
	char *path = find_program(o->argv[0], env);
	int number, rc = -1;

	*ends = (struct child_ends){-1, {-1, -1, -1}};
	if (!path)
		failed(err, ENOENT, "cannot start", o->argv[0]);
	else if (check_dir(o->dir, err) == 0 && open_streams(o, &plan, ends, err) == 0) {
		number = spawn(path, o, env, &plan, pid);
		rc = number == 0 ? 0 : failed(err, number, "cannot start", o->argv[0]);
	}
	close_all(plan.fds, CHILD_FDS);
	if (rc < 0) {
		close_all(&ends->input, 1);
		close_all(ends->output, CHILD_STREAMS);
	}
	free(path);
	return rc;
}

int child_spawn(const struct child_options *o, pid_t *pid, struct child_ends *ends, struct error *err)
{
	const char **clean = o->env ? NULL : child_environment(NULL);
	int rc = spawn_in(o, clean ? clean : o->env, pid, ends, err);

	free(clean);
	return rc;
}

static bool is_named(const char *entry, const char *const *list)
{
	size_t len = strcspn(entry, "=");

	for (; list && *list; list++) {
		if (strncmp(*list, entry, len + 1) == 0)
			return true;
	}
	return false;
}

static void env_add(struct buf *text, size_t *count, const char *entry)
{
	buf_add(text, entry, strlen(entry) + 1);
	++*count;
}

const char **child_environment(const char *const *extra)
{
	char *zone = getenv("TZ") ? xasprintf("TZ=%s", getenv("TZ")) : NULL;
	const char *const ours[] = {
	    "PATH=/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin", "LANG=C.UTF-8", zone};
	struct buf text = BUF_INIT;
	size_t count = 0, at = 0;
	const char **env;

	for (size_t i = 0; i < ARRAY_LEN(ours); i++) {
		if (ours[i] && !is_named(ours[i], extra))
			env_add(&text, &count, ours[i]);
	}
	for (; extra && *extra; extra++)
		env_add(&text, &count, *extra);
	env = xmalloc((count + 1) * sizeof(*env) + text.len + 1);
	memcpy(env + count + 1, text.data, text.len);
	for (size_t i = 0; i < count; i++) {
		env[i] = (const char *)(env + count + 1) + at;
		at += strlen(env[i]) + 1;
	}
	env[count] = NULL;
	buf_clear(&text);
	free(zone);
	return env;
}
