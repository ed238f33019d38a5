#include "tools/sandbox/sandbox_internal.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/time/clock.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/task.h"
#include "base/worker.h"

#define ENTRIES 4 /* secret, victim, listener, datagram */
#define PARENT  "/tmp"
#define PREFIX  "myna-canary-"
/* In the workspace, beside the folders of chats. */
#define CHATS_PREFIX ".myna-canary-"
/* The next process removes what a killed process left. Folders in use are locked, but for the first moment.
 */
#define STALE_S 60

/* Runs on a worker thread while its task waits in a shield, so it may be on the task's stack. */
struct targets_job {
	struct worker_job job;
	struct canary_targets *targets;
	const char *workspace;
	const char *touched;
	bool whole;
	int error;
};

static void job_free(struct worker_job *job)
{
	(void)job;
}

static void on_worker(struct task *t, struct targets_job *job, void (*run)(struct worker_job *job))
{
	job->job.run = run;
	job->job.free = job_free;
	task_shield(t);
	worker_await(t, &job->job, NULL);
	task_unshield(t);
}

static int write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	ssize_t len = (ssize_t)strlen(text);
	int rc;

	if (fd < 0)
		return -1;
	rc = write(fd, text, (size_t)len) == len && fchmod(fd, 0666) == 0 ? 0 : -1;
	close(fd);
	return rc;
}

static volatile sig_atomic_t signals;

static void count_signal(int signo)
{
	(void)signo;
	signals++;
}

static int listen_at(int type, const struct sockaddr_un *un, socklen_t len)
{
	int fd = socket(AF_UNIX, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (fd >= 0 && bind(fd, (const struct sockaddr *)un, len) == 0 &&
	    (type == SOCK_DGRAM || listen(fd, 4) == 0))
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

static int listen_named(int type, const char *path)
{
	struct sockaddr_un un = {.sun_family = AF_UNIX};
	int fd;

	if (str_copy(un.sun_path, sizeof(un.sun_path), path) < 0)
		return -1;
	fd = listen_at(type, &un, sizeof(un));
	if (fd >= 0)
		chmod(path, 0777);
	return fd;
}

static void remove_folder(const char *path)
{
	DIR *dir = opendir(path);
	const struct dirent *e;

	while (dir && (e = readdir(dir))) {
		if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0 &&
		    unlinkat(dirfd(dir), e->d_name, 0) < 0)
			unlinkat(dirfd(dir), e->d_name, AT_REMOVEDIR);
	}
	if (dir)
		closedir(dir);
	rmdir(path);
}

/* Removes both chats' folders, and the one that has them. */
static void remove_chats(const char *path)
{
	static const char *const names[] = {"own", "other"};
	char folder[PATH_MAX];

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		snprintf(folder, sizeof(folder), "%.3000s/%s", path, names[i]);
		remove_folder(folder);
	}
	rmdir(path);
}

/* Keeps others from removing the folder until the descriptor is closed: their clock may be another one. */
static int lock_folder(const char *path, int how)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd >= 0 && flock(fd, how | LOCK_NB) < 0) {
		close(fd);
		return -1;
	}
	return fd;
}

static void remove_unlocked(const char *path, void (*remove)(const char *path))
{
	int fd = lock_folder(path, LOCK_EX);

	if (fd < 0)
		return;
	remove(path);
	close(fd);
}

static void remove_stale(const char *parent, const char *prefix, void (*remove)(const char *path))
{
	DIR *dir = opendir(parent);
	const struct dirent *e;
	char path[PATH_MAX];
	struct stat st;

	while (dir && (e = readdir(dir))) {
		if (strncmp(e->d_name, prefix, strlen(prefix)) != 0)
			continue;
		snprintf(path, sizeof(path), "%.3000s/%.200s", parent, e->d_name);
		if (lstat(path, &st) == 0 && S_ISDIR(st.st_mode) && st.st_mtime + STALE_S < time(NULL) &&
		    (st.st_uid == geteuid() || geteuid() == 0))
			remove_unlocked(path, remove);
	}
	if (dir)
		closedir(dir);
}

/* For the user of commands as far as the workspace is. */
static int make_folder(const char *path, const struct stat *workspace)
{
	if (mkdir(path, 0755) < 0 || chmod(path, workspace->st_mode & 0777) < 0)
		return -1;
	return geteuid() == 0 ? chown(path, workspace->st_uid, workspace->st_gid) : 0;
}

/* The folders of two chats, and a file of the second one. Where none can be made in the workspace, the canary
 * gets the workspace, and finds that. */
static void make_chats(struct canary_targets *b, const char *workspace)
{
	struct stat st = {0};

	remove_stale(workspace, CHATS_PREFIX, remove_chats);
	b->chats = xasprintf("%s/" CHATS_PREFIX "%s", workspace, b->content);
	b->own = xasprintf("%s/own", b->chats);
	b->other = xasprintf("%s/other", b->chats);
	b->others_file = xasprintf("%s/secret", b->other);
	b->has_chats = stat(workspace, &st) == 0 && make_folder(b->chats, &st) == 0 &&
	    (b->chats_lock = lock_folder(b->chats, LOCK_SH)) >= 0 && make_folder(b->own, &st) == 0 &&
	    make_folder(b->other, &st) == 0 && write_file(b->others_file, b->content) == 0;
	if (b->has_chats)
		return;
	free(b->own);
	b->own = xstrdup(workspace);
}

/* Makes b->dir and locks it, once more when somebody removes it in between. */
static int make_dir(struct canary_targets *b)
{
	for (int tries = 0; tries < 3; tries++) {
		char dir[] = PARENT "/" PREFIX "XXXXXX";

		if (!mkdtemp(dir))
			return -1;
		b->dir_lock = lock_folder(dir, LOCK_SH);
		if (b->dir_lock >= 0 && access(dir, F_OK) == 0) {
			b->dir = xstrdup(dir);
			return 0;
		}
		if (b->dir_lock >= 0)
			close(b->dir_lock);
		b->dir_lock = -1;
	}
	return -1;
}

static void lay_files(struct worker_job *job)
{
	struct targets_job *j = (struct targets_job *)job;
	struct canary_targets *b = j->targets;

	make_chats(b, j->workspace);
	remove_stale(PARENT, PREFIX, remove_folder);
	if (make_dir(b) < 0) {
		j->error = errno;
		return;
	}
	const char *dir = b->dir;
	b->secret = xasprintf("%s/secret", dir);
	b->victim = xasprintf("%s/victim", dir);
	b->listener = xasprintf("%s/socket", dir);
	b->datagram = xasprintf("%s/datagram", dir);
	if (write_file(b->secret, b->content) < 0 || write_file(b->victim, "") < 0 ||
	    (b->named = listen_named(SOCK_STREAM, b->listener)) < 0 ||
	    (b->mailbox = listen_named(SOCK_DGRAM, b->datagram)) < 0 || chmod(dir, 0777) < 0)
		j->error = errno;
}

static int listen_inet(int type, int *port)
{
	struct sockaddr_in in = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t len = sizeof(in);
	int fd = socket(AF_INET, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (fd >= 0 && bind(fd, (const struct sockaddr *)&in, len) == 0 &&
	    (type == SOCK_DGRAM || listen(fd, 4) == 0) &&
	    getsockname(fd, (struct sockaddr *)&in, &len) == 0) {
		*port = ntohs(in.sin_port);
		return fd;
	}
	if (fd >= 0)
		close(fd);
	return -1;
}

static int listen_abstract(const char *name)
{
	struct sockaddr_un un = {.sun_family = AF_UNIX};

	str_copy(un.sun_path + 1, sizeof(un.sun_path) - 1, name);
	return listen_at(
	    SOCK_STREAM, &un, (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name)));
}

int canary_targets_create(struct task *t, struct canary_targets *b, const char *workspace, struct error *err)
{
	const struct sigaction count = {.sa_handler = count_signal, .sa_flags = SA_RESTART};
	struct targets_job job = {.targets = b, .workspace = workspace};

	*b = (struct canary_targets){.tcp = -1,
	    .udp = -1,
	    .named = -1,
	    .unnamed = -1,
	    .mailbox = -1,
	    .dir_lock = -1,
	    .chats_lock = -1};
	sigaction(SIGURG, &count, NULL);
	b->signals = signals;
	clock_random_hex(b->content, 16);
	b->abstract = xasprintf("myna-canary-%s", b->content);
	on_worker(t, &job, lay_files);
	if (job.error)
		return error_set(err, ERROR_OURS, "no canary can be sent out: /tmp: %s", strerror(job.error));
	b->tcp = listen_inet(SOCK_STREAM, &b->tcp_port);
	b->udp = listen_inet(SOCK_DGRAM, &b->udp_port);
	b->unnamed = listen_abstract(b->abstract);
	if (b->tcp < 0 || b->udp < 0 || b->unnamed < 0)
		return error_set(err, ERROR_OURS, "no canary can be sent out: sockets: %s", strerror(errno));
	return task_check(t, err);
}

static bool holds(const char *path, const char *text)
{
	char found[64];
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	struct stat st;
	ssize_t n;

	if (fd < 0)
		return false;
	n = read(fd, found, sizeof(found));
	if (fstat(fd, &st) < 0 || (st.st_mode & 07777) != 0666)
		n = -1;
	close(fd);
	return n == (ssize_t)strlen(text) && memcmp(found, text, (size_t)n) == 0;
}

static size_t count_entries(const char *path)
{
	DIR *dir = opendir(path);
	const struct dirent *e;
	size_t count = 0;

	while (dir && (e = readdir(dir)))
		count += e->d_name[0] != '.';
	if (dir)
		closedir(dir);
	return count;
}

static void look_at_files(struct worker_job *job)
{
	struct targets_job *j = (struct targets_job *)job;
	const struct canary_targets *b = j->targets;

	if (j->whole && !holds(b->secret, b->content))
		j->touched = "a file outside was changed";
	else if (!holds(b->victim, ""))
		j->touched = "a file outside is gone";
	else if (count_entries(b->dir) != ENTRIES)
		j->touched = "something was made outside";
	else if (b->has_chats &&
	    (!holds(b->others_file, b->content) || count_entries(b->other) != 1 ||
		count_entries(b->chats) != 2))
		j->touched = "another chat's files were changed";
}

const char *canary_targets_touched_files(struct task *t, const struct canary_targets *b, bool whole)
{
	struct targets_job job = {.targets = (struct canary_targets *)(uintptr_t)b, .whole = whole};

	on_worker(t, &job, look_at_files);
	return job.touched;
}

static bool was_reached(int listener)
{
	int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);

	if (fd < 0)
		return false;
	close(fd);
	return true;
}

const char *canary_targets_touched_network(const struct canary_targets *b)
{
	char byte;

	if (was_reached(b->tcp))
		return "a port of this machine was reached";
	if (recv(b->udp, &byte, 1, MSG_DONTWAIT) >= 0 || recv(b->mailbox, &byte, 1, MSG_DONTWAIT) >= 0)
		return "a datagram came out";
	if (was_reached(b->named) || was_reached(b->unnamed))
		return "a socket of this machine was reached";
	return NULL;
}

const char *canary_targets_touched_process(const struct canary_targets *b)
{
	return signals != b->signals ? "a signal came out" : NULL;
}

static void remove_files(struct worker_job *job)
{
	const struct canary_targets *b = ((struct targets_job *)job)->targets;

	if (b->dir)
		remove_folder(b->dir);
	if (b->chats)
		remove_chats(b->chats);
}

void canary_targets_clear(struct task *t, struct canary_targets *b)
{
	const int fds[] = {b->tcp, b->udp, b->named, b->unnamed, b->mailbox, b->dir_lock, b->chats_lock};
	struct targets_job job = {.targets = b};

	on_worker(t, &job, remove_files);
	for (size_t i = 0; i < ARRAY_LEN(fds); i++) {
		if (fds[i] >= 0)
			close(fds[i]);
	}
	free(b->dir);
	free(b->secret);
	free(b->victim);
	free(b->listener);
	free(b->datagram);
	free(b->abstract);
	free(b->chats);
	free(b->own);
	free(b->other);
	free(b->others_file);
}
