#include "base/secret/source.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/read_error.h"

/* The user in the systemd unit and in sysusers.d. */
#define SERVICE_GROUP "myna"

/* Our own group; for root, who checks the files that the service will use, the service's group. */
static bool is_our_group(gid_t gid)
{
	struct group entry, *found = NULL;
	char space[4096];

	if (geteuid() != 0)
		return gid == getegid();
	return gid != 0 &&
	    (gid == getegid() ||
		(getgrnam_r(SERVICE_GROUP, &entry, space, sizeof(space), &found) == 0 && found &&
		    found->gr_gid == gid));
}

bool secret_source_is_private(const struct stat *st)
{
	mode_t open = st->st_mode & 077;

	/* Only root can have given it to our group, and the mode shows that this was intended. */
	return open == 0 || (open == 040 && st->st_uid == 0 && st->st_gid != 0 && is_our_group(st->st_gid));
}

/* systemd.exec(5): credentials belong to root with mode 0400; for a service user an ACL is added, which
 * shows as the group's read bit. */
static bool is_credential(const struct stat *st)
{
	return (st->st_mode & 037) == 0;
}

/* Checks that nobody but us or root could have written or read it. */
static int check_file(int fd, const char *path, bool (*is_private)(const struct stat *st), struct error *err)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return error_set(
		    err, ERROR_OURS, "cannot look at the secret file %s: %s", path, strerror(errno));
	if (!S_ISREG(st.st_mode))
		return error_set(err, ERROR_OURS, "the secret %s is not a regular file", path);
	if (st.st_uid != geteuid() && st.st_uid != 0)
		return error_set(err, ERROR_OURS,
		    "user %ju owns the secret file %s; it must be ours (%ju) or root's", (uintmax_t)st.st_uid,
		    path, (uintmax_t)geteuid());
	if (!is_private(&st))
		return error_set(err, ERROR_OURS,
		    "others can reach the secret file %s (%04o); run chmod 600 on it", path,
		    (unsigned)st.st_mode & 07777);
	return 0;
}

/* Reads to the end of fd or to size bytes. */
static ssize_t read_all(int fd, char *data, size_t size)
{
	size_t len = 0;
	ssize_t n;

	while (len < size) {
		n = read(fd, data + len, size - len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		if (n == 0)
			break;
		len += (size_t)n;
	}
	return (ssize_t)len;
}

static int read_file(
    const char *path, bool (*is_private)(const struct stat *st), char *value, struct error *err)
{
	/* O_NONBLOCK: a FIFO under that name must not block us. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	ssize_t len;
	int rc = -1;

	if (fd < 0) {
		read_error_note(errno);
		return error_set(
		    err, ERROR_OURS, "cannot open the secret file %s: %s", path, strerror(errno));
	}
	if (check_file(fd, path, is_private, err) < 0)
		goto close_file;
	len = read_all(fd, value, SECRET_SOURCE_MAX + 1);
	if (len < 0) {
		read_error_note(errno);
		error_set(err, ERROR_OURS, "cannot read the secret file %s: %s", path, strerror(errno));
		goto close_file;
	}
	if (len > 0 && len <= SECRET_SOURCE_MAX && value[len - 1] == '\n')
		len--;
	if (len > SECRET_SOURCE_MAX) {
		error_set(
		    err, ERROR_OURS, "the secret file %s holds more than %d bytes", path, SECRET_SOURCE_MAX);
		goto close_file;
	}
	value[len] = '\0';
	if (strlen(value) != (size_t)len) {
		error_set(err, ERROR_OURS, "the secret file %s holds a NUL byte; it must be one line of text",
		    path);
		goto close_file;
	}
	rc = 0;
close_file:
	close(fd);
	return rc;
}

static int from_file(const char *path, char *value, struct error *err)
{
	return read_file(path, secret_source_is_private, value, err);
}

static int from_credential(const char *name, char *value, struct error *err)
{
	const char *dir = getenv("CREDENTIALS_DIRECTORY");
	char *path;
	int rc;

	if (name[0] == '\0' || name[0] == '.' || strchr(name, '/'))
		return error_set(err, ERROR_OURS, "\"%s\" is not the name of a credential", name);
	if (!dir || dir[0] != '/')
		return error_set(err, ERROR_OURS,
		    "cred:%s needs LoadCredential=%s:… in the unit: CREDENTIALS_DIRECTORY is not set", name,
		    name);
	path = xasprintf("%s/%s", dir, name);
	rc = read_file(path, is_credential, value, err);
	free(path);
	return rc;
}

static int from_environment(const char *name, char *value, struct error *err)
{
	(void)value;
	return error_set(
	    err, ERROR_OURS, "env:%s: tools could read it in /proc; use file:PATH or cred:NAME", name);
}

static int from_literal(const char *text, char *value, struct error *err)
{
	if (str_copy(value, SECRET_SOURCE_MAX + 1, text) < 0)
		return error_set(err, ERROR_OURS, "the secret has more than %d bytes", SECRET_SOURCE_MAX);
	return 0;
}

static const struct source {
	const char *prefix;
	int (*read)(const char *rest, char *value, struct error *err);
} sources[] = {
    {"cred:", from_credential}, {"env:", from_environment}, {"file:", from_file},
    {"", from_literal}, /* last: it matches everything */
};

/* A line end in the value would end an HTTP header early. */
static int check_value(const char *value, struct error *err)
{
	if (value[0] == '\0')
		return error_set(err, ERROR_OURS, "the secret is empty");
	for (; *value != '\0'; value++)
		if ((unsigned char)*value < 0x20 || *value == 0x7f)
			return error_set(
			    err, ERROR_OURS, "the secret holds a line end or another control character");
	return 0;
}

int secret_source_read(const char *setting, char value[SECRET_SOURCE_MAX + 1], struct error *err)
{
	const struct source *source = sources;
	size_t len;

	if (!setting)
		return error_set(err, ERROR_OURS, "the secret is not set");
	while (strncmp(setting, source->prefix, strlen(source->prefix)) != 0)
		source++;
	len = strlen(source->prefix);
	if (source->read(setting + len, value, err) < 0)
		goto wipe;
	if (check_value(value, err) < 0) {
		if (len != 0)
			error_prefix(err, "%s", setting);
		goto wipe;
	}
	return 0;
wipe:
	explicit_bzero(value, SECRET_SOURCE_MAX + 1);
	return -1;
}
