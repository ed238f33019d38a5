#include "helpers/sandbox/system_paths.h"

#include <string.h>
#include <unistd.h>

#include "helpers/sandbox/landlock.h"
#include "helpers/sandbox/options.h"

/* Not all of /usr: settings with secrets are in /usr/local/etc. */
static const char *const system_paths[] = {
    "/bin",
    "/gnu/store",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/nix/store",
    "/sbin",
    "/usr/bin",
    "/usr/games",
    "/usr/include",
    "/usr/lib",
    "/usr/lib32",
    "/usr/lib64",
    "/usr/libexec",
    "/usr/libx32",
    "/usr/local/bin",
    "/usr/local/games",
    "/usr/local/include",
    "/usr/local/lib",
    "/usr/local/lib64",
    "/usr/local/libexec",
    "/usr/local/sbin",
    "/usr/local/share",
    "/usr/sbin",
    "/usr/share",
    "/etc/alternatives",
    "/etc/bash.bashrc",
    "/etc/ca-certificates",
    "/etc/debian_version",
    "/etc/fonts",
    "/etc/gai.conf",
    "/etc/group",
    "/etc/host.conf",
    "/etc/hosts",
    "/etc/inputrc",
    "/etc/java-17-openjdk",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/localtime",
    "/etc/magic",
    "/etc/mime.types",
    "/etc/networks",
    "/etc/nsswitch.conf",
    "/etc/os-release",
    "/etc/passwd",
    "/etc/perl",
    "/etc/pki",
    "/etc/profile",
    "/etc/protocols",
    "/etc/python3",
    "/etc/python3.11",
    "/etc/python3.13",
    "/etc/resolv.conf",
    "/etc/rpc",
    "/etc/services",
    "/etc/shells",
    "/etc/ssl/certs",
    "/etc/ssl/openssl.cnf",
    "/etc/terminfo",
    "/etc/timezone",
};

static const char *const devices[] = {"/dev/full", "/dev/null", "/dev/random", "/dev/urandom"};
/* Who may write to it could share memory by it, which no limit counts. */
static const char *const read_devices[] = {"/dev/zero"};

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static size_t take(struct grant *out, const char *const *list, size_t count, bool writable)
{
	size_t n = 0;

	for (size_t i = 0; i < count; i++) {
		if (access(list[i], F_OK) == 0)
			out[n++] = (struct grant){.path = list[i], .writable = writable};
	}
	return n;
}

size_t system_paths_add(struct grant *out)
{
	return take(out, system_paths, COUNT(system_paths), false);
}

size_t system_paths_devices(struct grant *out)
{
	size_t n = take(out, devices, COUNT(devices), true);

	return n + take(out + n, read_devices, COUNT(read_devices), false);
}

static const char *find_above(const char *const *list, size_t count, const char *path)
{
	for (size_t i = 0; i < count; i++) {
		size_t len = strlen(list[i]);

		while (len > 1 && list[i][len - 1] == '/')
			len--;
		if (strncmp(list[i], path, len) == 0 && (path[len] == '/' || path[len] == '\0' || len == 1))
			return list[i];
	}
	return NULL;
}

const char *system_paths_exposing(const struct options *p, const char *path)
{
	const char *place = find_above(p->write, p->writes, path);

	if (!place)
		place = find_above(p->read, p->reads, path);
	return place ? place : find_above(system_paths, COUNT(system_paths), path);
}
