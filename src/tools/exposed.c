/* What tools must never see. Folders that they may use must not hold it: hiding it by its path is undone by a
 * rename of a folder above it. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/secret/secret.h"
#include "tools/files/protected_files.h"
#include "tools/sandbox/sandbox.h"
#include "tools/scope.h"
#include "tools/tools_internal.h"

/* The parts that exist, without links; the rest as it stands. NULL for what is no path. */
static char *real_path(const char *path)
{
	char real[PATH_MAX], *start, *slash;

	if (!path || !*path)
		return NULL;
	if (realpath(path, real))
		return xstrdup(real);
	start = xstrdup(path);
	while ((slash = strrchr(start, '/')) && slash > start) {
		*slash = '\0';
		if (realpath(start, real)) {
			char *whole =
			    xasprintf("%s%s", strcmp(real, "/") == 0 ? "" : real, path + (slash - start));
			free(start);
			return whole;
		}
	}
	free(start);
	return xstrdup(path);
}

struct exposure_check {
	const char *folder; /* real */
	char *what;         /* the first that was found; NULL: nothing */
};

static void check_path(struct exposure_check *l, const char *name, const char *path)
{
	char *real = l->what ? NULL : real_path(path);

	if (real && (strcmp(l->folder, "/") == 0 || protected_files_within(real, l->folder)))
		l->what = xasprintf("%s (%s)", name, path);
	free(real);
}

static void check_secret(void *arg, const char *path)
{
	check_path(arg, "a secret", path);
}

bool tools_path_within(const char *path, const char *folder)
{
	char *real = real_path(path), *real_folder = real_path(folder);
	bool within = real && real_folder &&
	    (strcmp(real_folder, "/") == 0 || protected_files_within(real, real_folder));

	free(real);
	free(real_folder);
	return within;
}

bool tools_path_passes(const char *path, const char *folder)
{
	char *above = xstrdup(path), *slash;
	size_t len = strlen(above);
	bool passes = false;

	while (len > 1 && above[len - 1] == '/')
		above[--len] = '\0';
	while (!passes && (slash = strrchr(above, '/')) && slash > above) {
		*slash = '\0';
		passes = tools_path_within(above, folder);
	}
	free(above);
	return passes;
}

char *tools_find_exposed(
    const struct tools *ts, const struct config *cfg, const char *control, const char *folder)
{
	char *real = real_path(folder);
	struct exposure_check l = {.folder = real};

	check_path(&l, "the state", ts->state);
	check_path(&l, "cluster.shared", ts->shared);
	check_path(&l, "the configuration", ts->config_file);
	for (size_t i = 0; config_file(cfg, i); i++)
		check_path(&l, "the configuration", config_file(cfg, i));
	check_path(&l, "the control socket", control);
	secret_each_file(check_secret, &l);
	free(real);
	return l.what;
}

#define EXPOSED                                                                                            \
	"tools may use %s, which holds %s: they must never see that. Name a folder beside it, or move it " \
	"out."

/* The system folders that commands see, those of /etc left out: helpers/sandbox/system_paths.c. */
static const char *const system_folders[] = {"/bin", "/gnu/store", "/lib", "/lib32", "/lib64", "/libx32",
    "/nix/store", "/sbin", "/usr/bin", "/usr/games", "/usr/include", "/usr/lib", "/usr/lib32", "/usr/lib64",
    "/usr/libexec", "/usr/libx32", "/usr/local/bin", "/usr/local/games", "/usr/local/include",
    "/usr/local/lib", "/usr/local/lib64", "/usr/local/libexec", "/usr/local/sbin", "/usr/local/share",
    "/usr/sbin", "/usr/share"};

static bool is_below(const char *path, const char *folder)
{
	char *given = xstrndup(folder, strlen(folder) - (str_ends_with(folder, "/") ? 1 : 0)),
	     *real = real_path(given);
	bool below = protected_files_within(path, given) || (real && protected_files_within(path, real));

	free(given);
	free(real);
	return below;
}

static bool commands_see(const struct tools_settings *s, const char *folder)
{
	for (size_t i = 0; i < ARRAY_LEN(system_folders); i++)
		if (protected_files_within(folder, system_folders[i]))
			return true;
	for (size_t i = 0; i < s->roots.count; i++)
		if (is_below(folder, s->roots.items[i]))
			return true;
	/* Else a chat sees its own part of it. */
	return s->workspace_scope == WORKSPACE_SHARED && s->workspace && is_below(folder, s->workspace);
}

static void check_commands_path(const struct tools_settings *s, struct config *cfg)
{
	for (const char *at = s->commands_path; at && *at; at += *at == ':') {
		size_t len = strcspn(at, ":");
		char *folder = xstrndup(at, len);

		if (*folder == '/' && !commands_see(s, folder))
			config_warning(cfg, "tools.commands_path",
			    "Commands find nothing in %s: the sandbox does not show it. Put the programs "
			    "into "
			    "/usr/local/bin, or remove it. In tools.roots it would be shown, but tools may "
			    "write there, too.",
			    folder);
		free(folder);
		at += len;
	}
}

/* What a command may rename can be a link when the next one starts, which would get what it leads to. */
static void check_within(struct config *cfg, const char *path, const char *folder, const char *root)
{
	if (folder && tools_path_passes(folder, root))
		config_error(cfg, path,
		    "%s is inside of %s, where tools write: a command could put a link in its place, and "
		    "what "
		    "that leads to would be granted. Remove it, or name a folder beside the other.",
		    folder, root);
}

char *tools_find_workspace(const struct tools *ts)
{
	if (ts->settings.workspace)
		return xstrdup(ts->settings.workspace);
	return tools_data(ts) ? xasprintf("%s/workspace", tools_data(ts)) : NULL;
}

/* Else each chat would reach the files of others. */
static void check_scope(const struct tools *ts, struct config *cfg, const char *path, const char *root)
{
	static const char *const kinds[] = {"chat", "person"};
	char *workspace = tools_find_workspace(ts);
	bool bad = workspace && tools_path_within(root, workspace) && tools_path_within(workspace, root);

	for (size_t i = 0; i < ARRAY_LEN(kinds) && workspace; i++) {
		char *folder = xasprintf("%s/%s", workspace, kinds[i]);

		bad = bad || tools_path_within(root, folder);
		free(folder);
	}
	if (bad)
		config_error(cfg, path,
		    "%s holds files of a chat or a person, which all chats would see. Remove it, name a "
		    "folder "
		    "beside the workspace, or set tools.workspace_scope to \"shared\".",
		    root);
	free(workspace);
}

static void check_nested(const struct tools *ts, struct config *cfg)
{
	const struct tools_settings *s = &ts->settings;

	for (size_t i = 0; i < s->roots.count; i++) {
		char *path = xasprintf("tools.roots[%zu]", i);

		for (size_t k = 0; k < s->roots.count; k++)
			if (k != i)
				check_within(cfg, path, s->roots.items[i], s->roots.items[k]);
		check_within(cfg, "tools.workspace", s->workspace, s->roots.items[i]);
		if (s->workspace_scope != WORKSPACE_SHARED)
			check_scope(ts, cfg, path, s->roots.items[i]);
		else if (s->workspace)
			check_within(cfg, path, s->roots.items[i], s->workspace);
		free(path);
	}
}

void tools_check_folders(const struct tools *ts, struct config *cfg, const char *control)
{
	const struct tools_settings *s = &ts->settings;

	check_commands_path(s, cfg);
	check_nested(ts, cfg);

	for (size_t i = 0; i <= s->roots.count; i++) {
		const char *folder = i < s->roots.count ? s->roots.items[i] : s->workspace;
		char *what = folder ? tools_find_exposed(ts, cfg, control, folder) : NULL,
		     *path =
			 i < s->roots.count ? xasprintf("tools.roots[%zu]", i) : xstrdup("tools.workspace");

		if (what)
			config_error(cfg, path, EXPOSED, folder, what);
		free(what);
		free(path);
	}
}

struct hidden {
	const char **items;
	size_t count;
};

static void hide(void *arg, const char *path)
{
	struct hidden *h = arg;

	if (!path)
		return;
	h->items = xrealloc(h->items, (h->count + 2) * sizeof(*h->items));
	h->items[h->count++] = path;
	h->items[h->count] = NULL;
}

struct sandbox *tools_open_sandbox(const struct tools *ts)
{
	const struct tools_settings *settings = &ts->settings;
	struct hidden hidden = {0};

	hide(&hidden, ts->config_file);
	hide(&hidden, ts->state);
	hide(&hidden, ts->shared);
	secret_each_file(hide, &hidden);
	const struct sandbox_options options = {
	    .workspace = settings->workspace,
	    .roots = &settings->roots,
	    .hidden = hidden.items,
	    .required = (enum sandbox_level)settings->sandbox,
	    .run_as = settings->run_as,
	    .memory_bytes = settings->process_bytes,
	    .memory_all_bytes = settings->processes_bytes,
	    .file_bytes = settings->process_file_bytes,
	    .processes = settings->process_count,
	    .open_files = settings->process_files,
	    .cpu_s = (settings->process_cpu_ms + 999) / 1000,
	    .disk_reserve = settings->disk_reserve,
	};

	struct sandbox *sandbox = sandbox_new(&options);
	free(hidden.items);
	return sandbox;
}
