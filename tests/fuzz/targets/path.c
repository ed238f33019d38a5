/* Paths as a model names them, over a folder with links that lead everywhere: what is opened is a regular
 * file beneath the roots, and nothing else is opened, not even for a moment. */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/config/config.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "fuzz/fuzz.h"
#include "tools/files/write_target.h"
#include "tools/files/path_error.h"
#include "tools/files/roots.h"

#define INSIDE "inside"

/* What stands under the folder; a text in place of a target is a file, none a folder. */
static const struct {
	const char *path, *link, *text;
} things[] = {
    {"ws", NULL, NULL},
    {"ws/sub", NULL, NULL},
    {"ws/sub/deep", NULL, NULL},
    {"ws/.ssh", NULL, NULL},
    {"extra", NULL, NULL},
    {"outside", NULL, NULL},
    {"ws-beside", NULL, NULL},
    {"ws/file", NULL, INSIDE},
    {"ws/sub/file", NULL, INSIDE},
    {"ws/sub/deep/file", NULL, INSIDE},
    {"extra/file", NULL, INSIDE},
    {"ws/.ssh/file", NULL, "a key"},
    {"ws/own.conf", NULL, "settings"},
    {"outside/file", NULL, "outside"},
    {"ws-beside/file", NULL, "outside"},
    {"file", NULL, "outside"},
    {"ws/link_in", "sub/file", NULL},
    {"ws/link_dir", "sub", NULL},
    {"ws/sub/back", "../file", NULL},
    {"ws/up", "..", NULL},
    {"ws/out", "../outside/file", NULL},
    {"ws/sub/out", "../../outside", NULL},
    {"ws/loop", "loop", NULL},
    {"ws/root", "/", NULL},
    {"ws/proc", "/proc/self/root", NULL},
    {"extra/over", "../ws/file", NULL},
};
/* Folders and files that must not be opened. */
static const char *const watched[] = {"outside", "ws-beside", "file", "ws/.ssh", "ws/own.conf", "ws/fifo"};

static struct {
	char dir[64];
	int watch;                 /* inotify */
	struct roots *open, *walk; /* as the kernel can, and as on an older one */
} place;

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static void clean_up(void)
{
	roots_unref(place.open);
	roots_unref(place.walk);
	close(place.watch);
	nftw(place.dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static char *under(const char *path)
{
	return xasprintf("%s/%s", place.dir, path);
}

static void make_thing(const char *path, const char *link, const char *text)
{
	char *full = under(path);

	if (link) {
		HOLDS(symlink(link, full) == 0);
	} else if (text) {
		int fd = open(full, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

		HOLDS(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text) && close(fd) == 0);
	} else {
		HOLDS(mkdir(full, 0700) == 0);
	}
	free(full);
}

static struct roots *open_roots(void)
{
	char *workspace = under("ws"), *extra = under("extra"), *own = under("ws/own.conf");
	const struct config_strings extras = {.items = &extra, .count = 1};
	const struct roots_options options = {.workspace = workspace, .extra = &extras, .config_file = own};
	struct roots *r = roots_open(&options, NULL);

	HOLDS(r);
	free(workspace);
	free(extra);
	free(own);
	return r;
}

static void set_up(void)
{
	char *fifo;

	str_copy(place.dir, sizeof(place.dir), "/tmp/myna-fuzz-path-XXXXXX");
	HOLDS(mkdtemp(place.dir));
	for (size_t i = 0; i < ARRAY_LEN(things); i++)
		make_thing(things[i].path, things[i].link, things[i].text);
	fifo = under("ws/fifo");
	HOLDS(mkfifo(fifo, 0600) == 0);
	free(fifo);
	place.open = open_roots();
	place.walk = open_roots();
	roots_disable_openat2(place.walk);
	place.watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	for (size_t i = 0; i < ARRAY_LEN(watched); i++) {
		char *path = under(watched[i]);

		HOLDS(inotify_add_watch(place.watch, path, IN_OPEN) >= 0);
		free(path);
	}
	atexit(clean_up);
}

/* Small bytes stand for names that there are, so that paths lead somewhere; the others for themselves. */
static void add_part(struct buf *path, unsigned byte)
{
	static const char *const names[] = {
	    "..",
	    ".",
	    "",
	    "file",
	    "sub",
	    "deep",
	    "link_in",
	    "link_dir",
	    "back",
	    "up",
	    "out",
	    "loop",
	    "root",
	    "proc",
	    "made",
	    "fifo",
	    ".ssh",
	    "own.conf",
	    "outside",
	    "extra",
	    "over",
	    "ws",
	    "ws-beside",
	    "self",
	    "cwd",
	    "fd",
	};

	if (byte == 127) {
		buf_addstr(path, place.dir);
	} else if (byte < 2 * ARRAY_LEN(names)) {
		buf_addstr(path, names[byte % ARRAY_LEN(names)]);
		if (byte >= ARRAY_LEN(names))
			buf_addch(path, '/');
	} else {
		buf_addch(path, (char)byte);
	}
}

static char *read_path(struct fuzz_input *in, size_t parts)
{
	struct buf path = BUF_INIT;

	for (; parts > 0 && in->at < in->end; parts--)
		add_part(&path, fuzz_byte(in));
	return buf_take(&path);
}

static bool is_beneath(const char *path, const char *folder)
{
	size_t len = strlen(place.dir);

	return strncmp(path, place.dir, len) == 0 && path[len] == '/' &&
	    strncmp(path + len + 1, folder, strlen(folder)) == 0 && path[len + 1 + strlen(folder)] == '/';
}

static void check_opened(int fd)
{
	char link[32], path[PATH_MAX] = "", text[16] = "";
	struct stat st;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	HOLDS(readlink(link, path, sizeof(path) - 1) > 0);
	HOLDS(is_beneath(path, "ws") || is_beneath(path, "extra"));
	HOLDS(fstat(fd, &st) == 0 && S_ISREG(st.st_mode));
	HOLDS(read(fd, text, sizeof(text) - 1) == (ssize_t)strlen(INSIDE) && strcmp(text, INSIDE) == 0);
	close(fd);
}

static void check_refused(const struct path_error *why)
{
	HOLDS(why->code && why->text[0] != '\0');
	HOLDS(memchr(why->text, '\0', sizeof(why->text)));
}

/* Where it would be written: the same folders, and never a link. */
static void check_place(const struct roots *roots, const char *path)
{
	char link[32], folder[PATH_MAX] = "";
	struct path_error why;
	struct write_target p;

	if (write_target_open(roots, path, false, &p, &why) < 0) {
		check_refused(&why);
	} else {
		snprintf(link, sizeof(link), "/proc/self/fd/%d", p.folder);
		HOLDS(readlink(link, folder, sizeof(folder) - 2) > 0);
		folder[strlen(folder)] = '/';
		HOLDS(is_beneath(folder, "ws") || is_beneath(folder, "extra"));
		HOLDS(!strchr(p.name, '/') && strcmp(p.name, "..") != 0);
		HOLDS(!p.exists || (S_ISREG(p.st.st_mode) && p.st.st_nlink == 1));
	}
	write_target_clear(&p);
}

static void open_path(const struct roots *roots, const char *path)
{
	char event[sizeof(struct inotify_event) + NAME_MAX + 1];
	struct path_error why;
	int fd = root_open_file(roots, path, &why);

	if (fd >= 0)
		check_opened(fd);
	else
		check_refused(&why);
	check_place(roots, path);
	HOLDS(read(place.watch, event, sizeof(event)) < 0 && errno == EAGAIN);
}

void fuzz_path(const uint8_t *data, size_t size)
{
	struct fuzz_input in = fuzz_open(data, size);
	char *target, *path, *made;

	if (!place.open)
		set_up();
	target = read_path(&in, fuzz_below(&in, 6));
	path = read_path(&in, SIZE_MAX);
	made = under("ws/made");
	/* A link as somebody who may write there could make it. */
	if (target[0] != '\0' && symlink(target, made) != 0)
		HOLDS(errno == ENAMETOOLONG);
	open_path(place.open, path);
	open_path(place.walk, path);
	unlink(made);
	free(made);
	free(path);
	free(target);
}

FUZZ_PROGRAM(fuzz_path)
