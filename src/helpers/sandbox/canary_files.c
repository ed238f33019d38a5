#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "helpers/sandbox/canary.h"

static int opens(const char *path, int flags)
{
	int fd = open(path, flags | O_CLOEXEC, 0666);

	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

static int said(int rc)
{
	return rc < 0 ? errno : 0;
}

static const char *inside(const char *dir, const char *name)
{
	static char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return path;
}

static int read_secret(const struct canary_facts *f)
{
	return opens(f->secret, O_RDONLY);
}

static int write_secret(const struct canary_facts *f)
{
	int fd = open(f->secret, O_WRONLY | O_APPEND | O_CLOEXEC), error = 0;

	if (fd < 0)
		return errno;
	if (write(fd, "x", 1) < 0)
		error = errno;
	close(fd);
	return error;
}

static int create_file(const struct canary_facts *f)
{
	return opens(inside(f->dir, "made"), O_WRONLY | O_CREAT | O_EXCL);
}

static int create_folder(const struct canary_facts *f)
{
	return said(mkdir(inside(f->dir, "made-folder"), 0777));
}

static int remove_file(const struct canary_facts *f)
{
	return said(unlink(f->victim));
}

static int move_file(const struct canary_facts *f)
{
	char here[PATH_MAX];

	snprintf(here, sizeof(here), "%s/.canary-moved", f->workspace);
	return said(rename(f->victim, here));
}

static int list_folder(const struct canary_facts *f)
{
	DIR *dir = opendir(f->dir);

	if (!dir)
		return errno;
	closedir(dir);
	return 0;
}

static int read_through_link(const struct canary_facts *f)
{
	const char *path = inside(f->workspace, ".canary-link");
	int error;

	if (symlink(f->secret, path) < 0)
		return errno;
	error = opens(path, O_RDONLY);
	unlink(path);
	return error;
}

static int read_hard_link(const struct canary_facts *f)
{
	const char *path = inside(f->workspace, ".canary-hard");
	int error;

	if (link(f->secret, path) < 0)
		return errno;
	error = opens(path, O_RDONLY);
	unlink(path);
	return error;
}

static int read_another_chat(const struct canary_facts *f)
{
	char from_here[PATH_MAX];

	snprintf(from_here, sizeof(from_here), "%s/../other/secret", f->workspace);
	return opens(inside(f->other, "secret"), O_RDONLY) ? opens(from_here, O_RDONLY) : 0;
}

static int write_into_another_chat(const struct canary_facts *f)
{
	return opens(inside(f->other, "made"), O_WRONLY | O_CREAT | O_EXCL);
}

static int list_chats(const struct canary_facts *f)
{
	DIR *dir = opendir(inside(f->workspace, ".."));
	size_t count = 0;

	if (!dir)
		return errno;
	while (readdir(dir))
		count++;
	closedir(dir);
	/* At S3 there is a folder on the way to ours, with nothing else in it. */
	return count > 3 ? 0 : ENOENT;
}

static int link_from_another_chat(const struct canary_facts *f)
{
	char secret[PATH_MAX];
	const char *path;
	int error;

	snprintf(secret, sizeof(secret), "%s/secret", f->other);
	path = inside(f->workspace, ".canary-theirs");
	error = said(link(secret, path)) && said(rename(secret, path)) ? errno : 0;
	unlink(path);
	return error;
}

static int swap_chats(const struct canary_facts *f)
{
	return said((int)syscall(SYS_renameat2, AT_FDCWD, f->workspace, AT_FDCWD, f->other, RENAME_EXCHANGE));
}

static int read_process(const struct canary_facts *f)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/environ", f->pid);
	return opens("/proc/self/environ", O_RDONLY) && opens("/proc/1/environ", O_RDONLY) ?
	    opens(path, O_RDONLY) :
	    0;
}

static int truncate_secret(const struct canary_facts *f)
{
	return said(truncate(f->secret, 0));
}

static int open_to_all(const struct canary_facts *f)
{
	return said(chmod(f->secret, 0777)) ? said(fchmodat(AT_FDCWD, f->secret, 0777, 0)) : 0;
}

static int see_file(const struct canary_facts *f)
{
	struct stat st;

	return said(stat(f->secret, &st));
}

static int enter_folder(const struct canary_facts *f)
{
	return said(chdir(f->dir));
}

static int see_processes(const struct canary_facts *f)
{
	DIR *dir = opendir("/proc");
	const struct dirent *e;
	int error = ENOENT;

	(void)f;
	if (!dir)
		return errno;
	while ((e = readdir(dir))) {
		if (e->d_name[0] != '.')
			error = 0;
	}
	closedir(dir);
	return error;
}

static int write_and_remove(const char *dir)
{
	const char *path = inside(dir, ".canary-own");
	int error = opens(path, O_WRONLY | O_CREAT | O_TRUNC);

	return error ? error : said(unlink(path));
}

static int use_workspace(const struct canary_facts *f)
{
	return write_and_remove(f->workspace);
}

static int use_temporary(const struct canary_facts *f)
{
	const char *dir = getenv("TMPDIR");

	(void)f;
	return dir ? write_and_remove(dir) : ENOENT;
}

static int use_devices(const struct canary_facts *f)
{
	(void)f;
	return opens("/dev/null", O_WRONLY) || opens("/dev/zero", O_RDONLY) || opens("/dev/full", O_WRONLY) ?
	    EACCES :
	    opens("/dev/urandom", O_RDONLY);
}

static int use_shell(const struct canary_facts *f)
{
	int status;
	pid_t pid = fork();

	(void)f;
	if (pid < 0)
		return errno;
	if (pid == 0) {
		execl("/bin/sh", "sh", "-c", "exit 7", (char *)NULL);
		_exit(1);
	}
	if (waitpid(pid, &status, 0) != pid)
		return errno;
	return WIFEXITED(status) && WEXITSTATUS(status) == 7 ? 0 : EACCES;
}

const struct canary_act canary_files[] = {
    {1, "read-another-chat", read_another_chat},
    {1, "write-into-another-chat", write_into_another_chat},
    {1, "list-chats", list_chats},
    {1, "link-from-another-chat", link_from_another_chat},
    {1, "swap-chats", swap_chats},
    {-1, "use-the-workspace", use_workspace},
    {-1, "use-a-temporary-folder", use_temporary},
    {-1, "use-devices", use_devices},
    {-1, "use-a-shell", use_shell},
    {1, "read-a-file", read_secret},
    {1, "write-a-file", write_secret},
    {1, "make-a-file", create_file},
    {1, "make-a-folder", create_folder},
    {1, "list-a-folder", list_folder},
    {1, "read-through-a-link", read_through_link},
    {1, "read-a-hard-link", read_hard_link},
    {1, "move-a-file-in", move_file},
    {1, "remove-a-file", remove_file},
    {1, "read-a-process", read_process},
    {2, "truncate-a-file", truncate_secret},
    {2, "open-a-file-to-all", open_to_all},
    {3, "see-a-file", see_file},
    {3, "enter-a-folder", enter_folder},
    {3, "see-processes", see_processes},
    {0, NULL, NULL},
};
