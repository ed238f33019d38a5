#include "crash/shim.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

/* The next definition of a function, that of the C library or of a sanitizer before it. */
#define REAL(name)                                                         \
	({                                                                 \
		static __typeof__(&name) real;                             \
		if (!real)                                                 \
			real = (__typeof__(&name))dlsym(RTLD_NEXT, #name); \
		real;                                                      \
	})

static struct {
	bool on;
	char state[PATH_MAX];
	size_t state_len;
	int events; /* a descriptor */
	uint64_t point, die_at;
	enum shim_mode mode;
	pthread_mutex_t lock; /* held over a whole call that is a point, so that there is one order */
} shim = {.events = -1, .lock = PTHREAD_MUTEX_INITIALIZER};

struct event {
	enum shim_op op;
	const char *path;
	int64_t at;
	const char *data;
	size_t len;
};

static void fail(const char *what)
{
	fprintf(stderr, "crash shim: %s: %s\n", what, strerror(errno));
	abort();
}

static enum shim_mode read_mode(const char *name)
{
	static const char *const names[] = SHIM_MODE_NAMES;

	for (unsigned i = 0; name && i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(names[i], name) == 0)
			return (enum shim_mode)i;
	errno = EINVAL;
	fail(SHIM_MODE);
	return SHIM_BEFORE;
}

__attribute__((constructor)) static void shim_begin(void)
{
	const char *state = getenv(SHIM_STATE), *side = getenv(SHIM_SIDE), *at = getenv(SHIM_AT);
	char path[PATH_MAX];

	/* Programs that the gateway starts are not under the shim. */
	unsetenv("LD_PRELOAD");
	if (!state || !side)
		return;
	snprintf(shim.state, sizeof(shim.state), "%s", state);
	shim.state_len = strlen(shim.state);
	snprintf(path, sizeof(path), "%s/events", side);
	shim.events = REAL(open)(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	if (shim.events < 0)
		fail(path);
	if (at) {
		shim.die_at = strtoull(at, NULL, 10);
		shim.mode = read_mode(getenv(SHIM_MODE));
	}
	shim.on = true;
}

/* With the lock. */
static void note(const struct event *e, enum shim_op op, uint64_t point)
{
	struct shim_event head = {
	    .op = op,
	    .path_len = (uint32_t)strlen(e->path),
	    .point = point,
	    .at = op == SHIM_DIED ? (int64_t)e->op : e->at,
	    .data_len = e->len,
	};
	struct iovec parts[] = {
	    {&head, sizeof(head)},
	    {(void *)(uintptr_t)e->path, head.path_len},
	    {(void *)(uintptr_t)e->data, e->len},
	};
	ssize_t whole = (ssize_t)(sizeof(head) + head.path_len + e->len);
	int saved = errno;

	if (REAL(writev)(shim.events, parts, 3) != whole)
		fail("events");
	errno = saved;
}

static void note_alone(const struct event *e)
{
	pthread_mutex_lock(&shim.lock);
	note(e, e->op, 0);
	pthread_mutex_unlock(&shim.lock);
}

__attribute__((noreturn)) static void die(const struct event *e)
{
	note(e, SHIM_DIED, shim.point);
	kill(getpid(), SIGKILL);
	for (;;)
		pause();
}

/* Takes the lock. The result says whether the process goes on after the call (SHIM_BEFORE), or how it
 * ends. */
static enum shim_mode point_begin(const struct event *e)
{
	bool last, has_bytes = e->op == SHIM_WRITE || e->op == SHIM_SEND;

	pthread_mutex_lock(&shim.lock);
	last = ++shim.point == shim.die_at;
	if (last && (shim.mode == SHIM_BEFORE || (shim.mode == SHIM_HALF && !has_bytes)))
		die(e);
	return last ? shim.mode : SHIM_BEFORE;
}

static void point_end(const struct event *e, enum shim_mode end)
{
	note(e, e->op, shim.point);
	if (end != SHIM_BEFORE)
		die(e);
	pthread_mutex_unlock(&shim.lock);
}

/* What of an absolute path lies behind the state directory; NULL: it lies elsewhere. */
static const char *below_state(const char *path)
{
	if (!shim.on || strncmp(path, shim.state, shim.state_len) != 0)
		return NULL;
	path += shim.state_len;
	return *path == '/' ? path + 1 : *path == '\0' ? path : NULL;
}

/* The path of an open file: relative to the state directory, or NULL. A deleted one can leave nothing
 * behind. */
static const char *path_of(int fd, char link[PATH_MAX])
{
	static const char deleted[] = " (deleted)";
	char name[32];
	ssize_t len;

	if (!shim.on)
		return NULL;
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	len = readlink(name, link, PATH_MAX - 1);
	link[len > 0 ? len : 0] = '\0';
	if (len > (ssize_t)sizeof(deleted) && strcmp(link + len + 1 - sizeof(deleted), deleted) == 0)
		return NULL;
	return below_state(link);
}

static const char *path_at(int dir, const char *path, char whole[PATH_MAX])
{
	char base[PATH_MAX], name[32];
	ssize_t len;

	if (!shim.on || !path)
		return NULL;
	if (path[0] == '/')
		return below_state(path);
	snprintf(name, sizeof(name), dir == AT_FDCWD ? "/proc/self/cwd" : "/proc/self/fd/%d", dir);
	len = readlink(name, base, sizeof(base) - 1);
	base[len > 0 ? len : 0] = '\0';
	if (snprintf(whole, PATH_MAX, "%s/%s", base, path) >= PATH_MAX)
		return NULL;
	return below_state(whole);
}

static bool is_peer_socket(int fd)
{
	struct sockaddr_storage peer;
	socklen_t len = sizeof(peer);
	int saved = errno;
	bool inet = shim.on && getpeername(fd, (struct sockaddr *)&peer, &len) == 0 &&
	    (peer.ss_family == AF_INET || peer.ss_family == AF_INET6);

	errno = saved;
	return inet;
}

/* Bytes on their way, whatever function they came through. */
struct transfer {
	int fd;
	enum { BY_WRITE, BY_PWRITE, BY_SEND } how;
	int flags;
	off64_t at;
	const char *data;
	size_t len;
};

static ssize_t move(const struct transfer *x, size_t len)
{
	if (x->how == BY_PWRITE)
		return REAL(pwrite64)(x->fd, x->data, len, x->at);
	if (x->how == BY_SEND)
		return REAL(send)(x->fd, x->data, len, x->flags);
	return REAL(write)(x->fd, x->data, len);
}

static ssize_t transfer(const struct transfer *x)
{
	char link[PATH_MAX];
	const char *path = x->how == BY_SEND ? NULL : path_of(x->fd, link);
	struct event e = {path ? SHIM_WRITE : SHIM_SEND, path ? path : "", x->at, x->data, x->len};
	enum shim_mode end;
	ssize_t n;

	if (!path && (x->how == BY_PWRITE || !is_peer_socket(x->fd)))
		return move(x, x->len);
	end = point_begin(&e);
	n = move(x, end == SHIM_HALF ? x->len / 2 : x->len);
	e.len = n > 0 ? (size_t)n : 0;
	if (path && x->how == BY_WRITE)
		e.at = lseek64(x->fd, 0, SEEK_CUR) - (off64_t)e.len;
	point_end(&e, end);
	return n;
}

static ssize_t transfer_parts(struct transfer *x, const struct iovec *parts, size_t count)
{
	size_t total = 0, at = 0;
	char *whole;
	ssize_t n;

	for (size_t i = 0; i < count; i++)
		total += parts[i].iov_len;
	whole = malloc(total + 1);
	if (!whole)
		fail("malloc");
	for (size_t i = 0; i < count; at += parts[i++].iov_len)
		memcpy(whole + at, parts[i].iov_base, parts[i].iov_len);
	x->data = whole;
	x->len = total;
	n = transfer(x);
	free(whole);
	return n;
}

ssize_t write(int fd, const void *data, size_t len)
{
	return transfer(&(struct transfer){.fd = fd, .how = BY_WRITE, .data = data, .len = len});
}

ssize_t pwrite64(int fd, const void *data, size_t len, off64_t at)
{
	return transfer(&(struct transfer){.fd = fd, .how = BY_PWRITE, .at = at, .data = data, .len = len});
}

ssize_t pwrite(int fd, const void *data, size_t len, off_t at)
{
	return pwrite64(fd, data, len, at);
}

ssize_t writev(int fd, const struct iovec *parts, int count)
{
	char link[PATH_MAX];

	if (!path_of(fd, link) && !is_peer_socket(fd))
		return REAL(writev)(fd, parts, count);
	return transfer_parts(&(struct transfer){.fd = fd, .how = BY_WRITE}, parts, (size_t)count);
}

ssize_t pwritev64(int fd, const struct iovec *parts, int count, off64_t at)
{
	char link[PATH_MAX];

	if (!path_of(fd, link))
		return REAL(pwritev64)(fd, parts, count, at);
	return transfer_parts(&(struct transfer){.fd = fd, .how = BY_PWRITE, .at = at}, parts, (size_t)count);
}

ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t at)
{
	return pwritev64(fd, parts, count, at);
}

ssize_t send(int fd, const void *data, size_t len, int flags)
{
	return transfer(
	    &(struct transfer){.fd = fd, .how = BY_SEND, .flags = flags, .data = data, .len = len});
}

ssize_t sendto(int fd, const void *data, size_t len, int flags, const struct sockaddr *to, socklen_t to_len)
{
	return !to ? send(fd, data, len, flags) : REAL(sendto)(fd, data, len, flags, to, to_len);
}

ssize_t sendmsg(int fd, const struct msghdr *m, int flags)
{
	if (!is_peer_socket(fd) || m->msg_controllen > 0)
		return REAL(sendmsg)(fd, m, flags);
	return transfer_parts(
	    &(struct transfer){.fd = fd, .how = BY_SEND, .flags = flags}, m->msg_iov, m->msg_iovlen);
}

/* fsync and fdatasync: a file is never read back with less than its data, so that both count the same. */
static int sync_file(int fd, int (*real)(int))
{
	char link[PATH_MAX];
	const char *path = path_of(fd, link);
	struct event e = {SHIM_SYNC, path, 0, NULL, 0};

	if (!path)
		return real(fd);
	point_end(&e, point_begin(&e));
	return 0;
}

int fsync(int fd)
{
	return sync_file(fd, REAL(fsync));
}

int fdatasync(int fd)
{
	return sync_file(fd, REAL(fdatasync));
}

int ftruncate64(int fd, off64_t size)
{
	char link[PATH_MAX];
	const char *path = path_of(fd, link);
	struct event e = {SHIM_TRUNCATE, path, size, NULL, 0};
	enum shim_mode end;
	int rc;

	if (!path)
		return REAL(ftruncate64)(fd, size);
	end = point_begin(&e);
	rc = REAL(ftruncate64)(fd, size);
	point_end(&e, end);
	return rc;
}

int ftruncate(int fd, off_t size)
{
	return ftruncate64(fd, size);
}

int unlinkat(int dir, const char *name, int flags)
{
	char whole[PATH_MAX];
	const char *path = path_at(dir, name, whole);
	struct event e = {SHIM_UNLINK, path, 0, NULL, 0};
	enum shim_mode end;
	int rc;

	if (!path)
		return REAL(unlinkat)(dir, name, flags);
	end = point_begin(&e);
	rc = REAL(unlinkat)(dir, name, flags);
	point_end(&e, end);
	return rc;
}

int unlink(const char *name)
{
	return unlinkat(AT_FDCWD, name, 0);
}

int renameat(int from_dir, const char *from, int to_dir, const char *to)
{
	char whole[2][PATH_MAX];
	const char *path = path_at(from_dir, from, whole[0]), *target = path_at(to_dir, to, whole[1]);
	struct event e = {SHIM_RENAME, path, 0, target, target ? strlen(target) : 0};
	enum shim_mode end;
	int rc;

	if (!path || !target)
		return REAL(renameat)(from_dir, from, to_dir, to);
	end = point_begin(&e);
	rc = REAL(renameat)(from_dir, from, to_dir, to);
	point_end(&e, end);
	return rc;
}

/* An exchange is not among what is told. */
int renameat2(int from_dir, const char *from, int to_dir, const char *to, unsigned flags)
{
	if (flags == RENAME_NOREPLACE && faccessat(to_dir, to, F_OK, AT_SYMLINK_NOFOLLOW) != 0)
		return renameat(from_dir, from, to_dir, to);
	return REAL(renameat2)(from_dir, from, to_dir, to, flags);
}

int rename(const char *from, const char *to)
{
	return renameat(AT_FDCWD, from, AT_FDCWD, to);
}

int mkdirat(int dir, const char *name, mode_t mode)
{
	char whole[PATH_MAX];
	const char *path = path_at(dir, name, whole);
	int rc = REAL(mkdirat)(dir, name, mode);

	if (rc == 0 && path)
		note_alone(&(struct event){SHIM_MKDIR, path, 0, NULL, 0});
	return rc;
}

int mkdir(const char *name, mode_t mode)
{
	return mkdirat(AT_FDCWD, name, mode);
}

static int open_file(int dir, const char *name, int flags, mode_t mode)
{
	char whole[PATH_MAX];
	const char *path = flags & (O_CREAT | O_TRUNC) ? path_at(dir, name, whole) : NULL;
	bool is_new = path && faccessat(dir, name, F_OK, AT_SYMLINK_NOFOLLOW) != 0;
	int fd = REAL(openat64)(dir, name, flags, mode);

	if (fd >= 0 && is_new)
		note_alone(&(struct event){SHIM_CREATE, path, 0, NULL, 0});
	else if (fd >= 0 && path && flags & O_TRUNC)
		note_alone(&(struct event){SHIM_TRUNCATE, path, 0, NULL, 0});
	return fd;
}

/* The mode that follows the flags, where there is one. */
#define OPEN_MODE(flags)                               \
	({                                             \
		mode_t mode = 0;                       \
		if ((flags) & (O_CREAT | O_TMPFILE)) { \
			va_list ap;                    \
			va_start(ap, flags);           \
			mode = va_arg(ap, mode_t);     \
			va_end(ap);                    \
		}                                      \
		mode;                                  \
	})

int open(const char *name, int flags, ...)
{
	return open_file(AT_FDCWD, name, flags, OPEN_MODE(flags));
}

int open64(const char *name, int flags, ...)
{
	return open_file(AT_FDCWD, name, flags, OPEN_MODE(flags));
}

int openat(int dir, const char *name, int flags, ...)
{
	return open_file(dir, name, flags, OPEN_MODE(flags));
}

int openat64(int dir, const char *name, int flags, ...)
{
	return open_file(dir, name, flags, OPEN_MODE(flags));
}

static void note_read(int fd, const struct open_how *how)
{
	char link[PATH_MAX];
	const char *path = how->flags & (O_PATH | O_DIRECTORY) ? NULL : path_of(fd, link);

	if (path)
		note_alone(&(struct event){SHIM_READ, path, 0, NULL, 0});
}

/* openat2 has no function of its own in this C library. */
long syscall(long number, ...)
{
	long a[6], rc;
	va_list ap;

	va_start(ap, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(ap, long);
	va_end(ap);
	rc = REAL(syscall)(number, a[0], a[1], a[2], a[3], a[4], a[5]);
	if (number == SYS_openat2 && rc >= 0 && shim.on)
		note_read((int)rc, (const struct open_how *)a[2]);
	return rc;
}
