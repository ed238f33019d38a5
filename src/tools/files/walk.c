#include "tools/files/file_search.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "tools/files/glob_pattern.h"
#include "tools/files/path_error.h"
#include "tools/files/roots_internal.h"

#define ENDED_ENTRIES "The search ended early, after tools.walk_entries entries. Name a narrower directory."
#define ENDED_TIME    "The search ended early, after tools.walk_time. Name a narrower directory or pattern."
#define ENDED_CPU                                                                                           \
	"The search ended early, after tools.walk_cpu of processor time. Use a simpler pattern, or name a " \
	"narrower directory or file_pattern."
#define ENDED_DEPTH "Folders deeper than tools.walk_depth were not searched. Name one of them as directory."

#define CPU_CHECKS 16

/* The relevant entries of a folder; a folder's name ends with '/', which also sorts it correctly. */
struct entries {
	struct buf names;
	size_t *offsets;
	const char **sorted;
	size_t count, room;
};

void walk_init(struct walk *w)
{
	*w = (struct walk){.path = BUF_INIT, .real = BUF_INIT};
}

void walk_clear(struct walk *w)
{
	buf_clear(&w->path);
	buf_clear(&w->real);
}

static int64_t cpu_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Checks the processor time now and then: reading it is a system call. */
static void check_cpu(struct walk *w)
{
	if (w->done || w->checks++ % CPU_CHECKS != 0)
		return;
	if (w->checks == 1)
		w->cpu_end_ms = cpu_ms() + w->cpu_max_ms;
	w->done = cpu_ms() >= w->cpu_end_ms;
	if (w->done)
		w->end_reason = ENDED_CPU;
}

bool walk_stopped(struct walk *w)
{
	check_cpu(w);
	return atomic_load_explicit(w->unwanted, memory_order_relaxed) ||
	    atomic_load_explicit(w->timed_out, memory_order_relaxed) || w->done ||
	    w->entries > w->entries_max;
}

bool walk_may_read(struct walk *w)
{
	struct path_error why = {0};
	size_t len = w->real.len;
	const char *rest;
	const struct root *root = root_find(w->roots, w->real.data, &rest, &why);

	buf_addstr(&w->real, w->path.data + w->given);
	int rc = root ? root_check_rules(w->roots, root, w->real.data, "", &why) : 0;
	buf_truncate(&w->real, len);
	return rc == 0;
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Returns S_IFREG, S_IFDIR or 0; links and everything else are skipped. */
static mode_t kind_of(int folder, const struct dirent *e)
{
	struct stat st;

	if (e->d_type == DT_REG || e->d_type == DT_DIR)
		return e->d_type == DT_REG ? S_IFREG : S_IFDIR;
	if (e->d_type != DT_UNKNOWN ||
	    fstatat(folder, e->d_name, &st, AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT) < 0)
		return 0;
	return S_ISREG(st.st_mode) || S_ISDIR(st.st_mode) ? st.st_mode & S_IFMT : 0;
}

static void keep_entry(struct entries *e, const char *name, bool folder)
{
	if (e->count == e->room) {
		e->room = e->room ? 2 * e->room : 32;
		e->offsets = xrealloc(e->offsets, e->room * sizeof(*e->offsets));
	}
	e->offsets[e->count++] = e->names.len;
	buf_addstr(&e->names, name);
	if (folder)
		buf_addch(&e->names, '/');
	buf_addch(&e->names, '\0');
}

static void take_entry(struct walk *w, struct entries *e, int folder, const struct dirent *d,
    const struct glob_pattern_state *state)
{
	struct glob_pattern_state below;

	if (strcmp(d->d_name, ".") == 0 || strcmp(d->d_name, "..") == 0)
		return;
	w->entries++;
	unsigned fit = glob_pattern_step(w->pattern, state, d->d_name, &below);
	if (fit == 0)
		return;
	mode_t kind = kind_of(folder, d);
	if ((kind == S_IFREG && (fit & GLOB_PATTERN_FILE)) ||
	    (kind == S_IFDIR && (fit & (GLOB_PATTERN_FOLDER | GLOB_PATTERN_ENTER))))
		keep_entry(e, d->d_name, kind == S_IFDIR);
}

static void read_entries(struct walk *w, struct entries *e, DIR *dir, const struct glob_pattern_state *state)
{
	struct dirent *d;

	while (!walk_stopped(w) && (errno = 0, d = readdir(dir)))
		take_entry(w, e, dirfd(dir), d, state);
	if (!walk_stopped(w) && errno)
		w->skipped++;
	e->sorted = xcalloc(e->count + 1, sizeof(*e->sorted));
	for (size_t i = 0; i < e->count; i++)
		e->sorted[i] = e->names.data + e->offsets[i];
	qsort(e->sorted, e->count, sizeof(*e->sorted), compare);
}

static void walk_folder(struct walk *w, int folder, const struct glob_pattern_state *state);

/* Enters the folder whose path, with a '/' at the end, is w->path. */
static void enter(struct walk *w, int folder, const char *name, const struct glob_pattern_state *state)
{
	if (w->depth >= w->depth_max) {
		w->end_reason = ENDED_DEPTH;
		return;
	}
	int fd =
	    walk_may_read(w) ? openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
	if (fd < 0) {
		w->skipped++;
		return;
	}
	w->depth++;
	walk_folder(w, fd, state);
	w->depth--;
}

static void take(struct walk *w, int folder, const char *entry, const struct glob_pattern_state *state)
{
	char name[NAME_MAX + 1];
	size_t len = strlen(entry), before = w->path.len;
	bool is_folder = entry[len - 1] == '/';
	struct glob_pattern_state below;

	memcpy(name, entry, len - is_folder);
	name[len - is_folder] = '\0';
	unsigned fit = glob_pattern_step(w->pattern, state, name, &below);
	buf_addstr(&w->path, entry);
	if (fit & (is_folder ? GLOB_PATTERN_FOLDER : GLOB_PATTERN_FILE))
		w->visit(w, folder, name);
	if (is_folder && (fit & GLOB_PATTERN_ENTER))
		enter(w, folder, name, &below);
	buf_truncate(&w->path, before);
}

/* Takes folder. */
static void walk_folder(struct walk *w, int folder, const struct glob_pattern_state *state)
{
	struct entries e = {.names = BUF_INIT};
	DIR *dir = fdopendir(folder);

	if (!dir) {
		close(folder);
		w->skipped++;
		return;
	}
	read_entries(w, &e, dir, state);
	for (size_t i = 0; i < e.count && !walk_stopped(w); i++)
		take(w, folder, e.sorted[i], state);
	buf_clear(&e.names);
	free(e.offsets);
	free(e.sorted);
	closedir(dir);
}

/* Finds the real path of the folder, for the rules. Returns -1 when it is unknown. */
static int find_place(struct walk *w, int folder, const char *path)
{
	char real[2 * PATH_MAX];
	struct path_error why;

	if (root_real_path(folder, path, real, sizeof(real), &why) < 0)
		return -1;
	buf_addstr(&w->real, real);
	if (w->real.len == 0 || w->real.data[w->real.len - 1] != '/')
		buf_addch(&w->real, '/');
	return 0;
}

void walk_run(struct walk *w, int folder, const char *path)
{
	struct glob_pattern_state state;

	w->given = w->path.len;
	if (find_place(w, folder, path) < 0) {
		close(folder);
		w->skipped++;
		return;
	}
	glob_pattern_begin(w->pattern, &state);
	walk_folder(w, folder, &state);
	walk_set_end_reason(w);
}

void walk_set_end_reason(struct walk *w)
{
	if (w->entries > w->entries_max)
		w->end_reason = ENDED_ENTRIES;
	else if (atomic_load(w->timed_out))
		w->end_reason = ENDED_TIME;
}
