#include "tools/files/outside_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"

const char *const outside_files_hostile[] = {
    "..",
    "../",
    "../new",
    "../outside",
    "../outside/new",
    "../outside/secret.txt",
    "../outside/new/er/file",
    "../ws/../outside/secret.txt",
    "../state/myna.db",
    "../state/new",
    "sub/../../outside/new",
    "sub/../../../etc/new",
    "./../outside/new",
    ".//..//outside//new",
    "nothing/../../outside/new",
    "nothing/../../../../../../tmp/myna-new",
    "nothing/./../../outside/secret.txt",
    "out",
    "out/",
    "out/x",
    "./out",
    "sub/../out",
    "outdir",
    "outdir/new",
    "outdir/secret.txt",
    "outdir/folder/file",
    "outdir/new/er",
    "outdir/../outside/new",
    "sub/outdir/file",
    "sub/outdir/new",
    "root",
    "root/etc/passwd",
    "root/tmp/myna-new",
    "root/../tmp/myna-new",
    "magic/tmp/myna-new",
    "magic",
    "parent",
    "parent/outside/new",
    "parent/outside/secret.txt",
    "parent/new",
    "loop",
    "loop/x",
    "danglingout",
    "danglingout/x",
    "fifo",
    "fifo/x",
    "@",
    "@/new",
    "@/outside/new",
    "@/outside/secret.txt",
    "@/state/myna.db",
    "@/ws/../outside/new",
    "@/ws/out",
    "@/ws/outdir/new",
    "@/wsx/new",
    "@/ws/..",
    "/",
    "//",
    "/etc/passwd",
    "/etc/myna-new",
    "/tmp/myna-new",
    "/dev/null",
    "/dev/shm/myna-new",
    "/proc/self/mem",
    "/proc/self/cwd/new",
    "/proc/sys/kernel/core_pattern",
    "/nothing/new",
    ".ssh/id_rsa",
    ".ssh/authorized_keys",
    ".//.ssh//new",
    "sub/../.ssh/new",
    "keys/id_rsa",
    "keys/new",
    "sub/new/.ssh/id_rsa",
    "new/.gnupg/x",
    ".netrc",
    "sub/.git-credentials",
    ".aws/credentials",
    "",
    ".",
    "sub",
    "sub/",
    "sub/.",
    "sub/..",
    "file/",
    "file/x",
    "file/.",
};
const size_t outside_files_hostile_count = ARRAY_LEN(outside_files_hostile);

void outside_files_link(const struct tools_fixture *w, const char *target, const char *path)
{
	char *whole = tools_fixture_path(w, path);

	assert_int_equal(symlink(target, whole), 0);
	free(whole);
}

void outside_files_init(struct tools_fixture *w)
{
	tools_fixture_init(w);
	struct statvfs v;

	if (access("/dev/shm", W_OK) == 0 && statvfs("/dev/shm", &v) == 0 &&
	    (uint64_t)v.f_bavail * v.f_frsize >= (uint64_t)16 << 20) {
		rmdir(w->dir);
		str_copy(w->dir, sizeof(w->dir), "/dev/shm/myna-tools-XXXXXX");
		assert_non_null(mkdtemp(w->dir));
	}
	tools_fixture_put_text(w, "outside/secret.txt", "hidden");
	tools_fixture_put_text(w, "outside/folder/file", "hidden");
	tools_fixture_put_text(w, "state/myna.db", "hidden");
	tools_fixture_put_text(w, "ws/file", "in");
	tools_fixture_put_text(w, "ws/sub/file", "in");
	tools_fixture_put_text(w, "ws/.ssh/id_rsa", "hidden");
	outside_files_link(w, "../outside/secret.txt", "ws/out");
	outside_files_link(w, "../outside", "ws/outdir");
	outside_files_link(w, "../../outside/folder", "ws/sub/outdir");
	outside_files_link(w, "/", "ws/root");
	outside_files_link(w, "/proc/self/root", "ws/magic");
	outside_files_link(w, "..", "ws/parent");
	outside_files_link(w, "loop", "ws/loop");
	outside_files_link(w, "nothing", "ws/dangling");
	outside_files_link(w, "../outside/new", "ws/danglingout");
	outside_files_link(w, ".ssh", "ws/keys");
	char *fifo = tools_fixture_path(w, "ws/fifo");
	assert_int_equal(mkfifo(fifo, 0600), 0);
	free(fifo);
	tools_fixture_open(w, "", "", NULL);
}

char *outside_files_list(const struct tools_fixture *w)
{
	char *command =
	    xasprintf("cd '%s' && find . -path ./ws -prune -o -printf '%%p %%y %%s\\n' | sort && cat "
		      "outside/secret.txt outside/folder/file state/myna.db ws/.ssh/id_rsa && ls ws/.ssh",
		w->dir);
	FILE *in = popen(command, "r");
	struct buf out = BUF_INIT;
	char line[512];

	while (fgets(line, sizeof(line), in))
		buf_addstr(&out, line);
	assert_int_equal(pclose(in), 0);
	free(command);
	return buf_take(&out);
}

char *outside_files_path(const struct tools_fixture *w, const char *path)
{
	return *path == '@' ? xasprintf("%s%s", w->dir, path + 1) : xstrdup(path);
}
