#include "helpers/sandbox/landlock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* From linux/landlock.h of a newer kernel than the oldest that we build on. The numbers are the same on
 * every architecture. */
#define NR_CREATE_RULESET 444
#define NR_ADD_RULE       445
#define NR_RESTRICT_SELF  446
#define CREATE_VERSION    1
#define RULE_PATH_BENEATH 1
/* A newer one is used as this one. */
#ifndef LANDLOCK_NEWEST
#define LANDLOCK_NEWEST LANDLOCK_SCOPES
#endif

#define FS_EXECUTE    (1ULL << 0)
#define FS_WRITE_FILE (1ULL << 1)
#define FS_READ_FILE  (1ULL << 2)
#define FS_READ_DIR   (1ULL << 3)
#define FS_MAKE_CHAR  (1ULL << 6)
#define FS_MAKE_BLOCK (1ULL << 11)
#define FS_MAKE_ANY   (127ULL << 6)
#define FS_TRUNCATE   (1ULL << 14)
#define FS_IOCTL_DEV  (1ULL << 15)
#define SCOPE_BOTH    3ULL /* abstract sockets, signals */

struct ruleset {
	uint64_t fs, net, scoped;
};

struct path_beneath {
	uint64_t allowed;
	int32_t fd;
} __attribute__((packed));

/* The rights that each ABI version supports, and the size of its struct ruleset. */
static const struct version {
	int version;
	uint64_t fs, scoped;
	size_t size;
} versions[] = {
    {6, (1ULL << 16) - 1, SCOPE_BOTH, 24},
    {5, (1ULL << 16) - 1, 0, 16},
    {4, (1ULL << 15) - 1, 0, 16},
    {3, (1ULL << 15) - 1, 0, 8},
    {2, (1ULL << 14) - 1, 0, 8},
    {1, (1ULL << 13) - 1, 0, 8},
};

int landlock_version(void)
{
	long version = syscall(NR_CREATE_RULESET, NULL, 0, CREATE_VERSION);

	if (version > LANDLOCK_NEWEST)
		return LANDLOCK_NEWEST;
	return version > 0 ? (int)version : 0;
}

static const struct version *find_version(void)
{
	int have = landlock_version();

	for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++) {
		if (versions[i].version <= have)
			return &versions[i];
	}
	errno = ENOSYS;
	return NULL;
}

static uint64_t rights(const struct grant *g, bool is_dir, uint64_t known)
{
	const uint64_t of_files = FS_EXECUTE | FS_WRITE_FILE | FS_READ_FILE | FS_TRUNCATE | FS_IOCTL_DEV;
	uint64_t all =
	    g->writable ? known & ~(FS_MAKE_CHAR | FS_MAKE_BLOCK) : FS_EXECUTE | FS_READ_FILE | FS_READ_DIR;

	if (g->no_names)
		all &= ~FS_MAKE_ANY;
	return is_dir ? all : all & of_files;
}

static int allow(int ruleset, const struct grant *g, uint64_t known)
{
	struct path_beneath rule = {.fd = open(g->path, O_PATH | O_CLOEXEC)};
	struct stat st;
	int rc;

	if (rule.fd < 0)
		return 0;
	rc = fstat(rule.fd, &st);
	if (rc == 0) {
		rule.allowed = rights(g, S_ISDIR(st.st_mode), known) & known;
		rc = (int)syscall(NR_ADD_RULE, ruleset, RULE_PATH_BENEATH, &rule, 0);
	}
	close(rule.fd);
	return rc;
}

int landlock_confine(const struct grant *grants, size_t count)
{
	const struct version *v = find_version();
	struct ruleset what = {0};
	int fd, rc = 0;

	if (!v)
		return -1;
	/* Landlock does not restrict TCP here: seccomp removes the network as a whole. */
	what = (struct ruleset){.fs = v->fs, .scoped = v->scoped};
	fd = (int)syscall(NR_CREATE_RULESET, &what, v->size, 0);
	if (fd < 0)
		return -1;
	for (size_t i = 0; i < count && rc == 0; i++)
		rc = allow(fd, &grants[i], v->fs);
	if (rc == 0)
		rc = (int)syscall(NR_RESTRICT_SELF, fd, 0);
	close(fd);
	return rc;
}
