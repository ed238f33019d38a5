/* Which paths a server in the sandbox gets: those that its settings name, and no chat's files. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tools/mcp/settings.h"
#include "tools/scope.h"
#include "tools/tools_internal.h"

struct grant_context {
	const struct mcp_settings *all;
	struct mcp_server_settings *server;
	struct config *cfg;
	const struct tools *ts;
	const char *control;
};

static void add(char ***list, const char *path)
{
	size_t n = 0;

	while (*list && (*list)[n])
		n++;
	*list = xrealloc(*list, (n + 2) * sizeof(**list));
	(*list)[n] = xstrdup(path);
	(*list)[n + 1] = NULL;
}

static bool is_shared(const struct grant_context *g)
{
	return g->server->files && g->ts->settings.workspace_scope == WORKSPACE_SHARED;
}

/* Returns the server's home, malloc'd, where all its processes have it; NULL when each has its own. */
static char *find_home(const struct grant_context *g)
{
	if (!g->ts->state || (g->server->files && !is_shared(g)))
		return NULL;
	return xasprintf("%s/mcp/%s", g->ts->state, g->server->name);
}

static bool is_in_state(const struct grant_context *g, const char *path)
{
	char *home = find_home(g);
	bool within =
	    g->ts->state && tools_path_within(path, g->ts->state) && !(home && tools_path_within(path, home));

	free(home);
	return within;
}

static bool has_chats(const struct grant_context *g, const char *path)
{
	char *workspace = tools_find_workspace(g->ts);
	bool has = workspace && (tools_path_within(path, workspace) || tools_path_within(workspace, path));

	free(workspace);
	return has;
}

static bool is_inside(const char *path, const char *folder)
{
	return folder && tools_path_within(path, folder) && !tools_path_within(folder, path);
}

/* Does it get that anyway, with a folder that it may write? A path in there must not be granted again: what
 * the server puts in its place, such as a link to the workspace, would be granted at the next start. */
static bool is_granted_already(const struct grant_context *g, const char *path)
{
	const struct mcp_server_settings *s = g->server;
	const struct config_strings *roots = &g->ts->settings.roots;
	char *workspace = is_shared(g) ? tools_find_workspace(g->ts) : NULL, *home = find_home(g);
	bool is = (workspace && tools_path_within(path, workspace)) || is_inside(path, home);

	for (size_t i = 0; i < roots->count; i++)
		is = is || is_inside(path, roots->items[i]);
	for (size_t i = 0; i < s->write.count; i++)
		is = is || is_inside(path, s->write.items[i]);
	for (char **folder = s->writable; folder && *folder; folder++)
		is = is || is_inside(path, *folder);
	free(workspace);
	free(home);
	return is;
}

/* Returns true when the other server may write above the path, and so put a link in its place. */
static bool may_replace(const struct mcp_server_settings *other, const char *path)
{
	bool may = is_inside(path, other->files ? NULL : other->directory);

	for (size_t i = 0; i < other->write.count; i++)
		may = may || is_inside(path, other->write.items[i]);
	return may;
}

/* Returns the root that a server which may write there could replace by a link; NULL for none. */
static const char *find_root_inside(const struct grant_context *g, const char *path)
{
	const struct config_strings *roots = &g->ts->settings.roots;

	for (size_t i = 0; i < roots->count; i++)
		if (tools_path_passes(roots->items[i], path))
			return roots->items[i];
	return NULL;
}

/* Returns what the server must not see there, malloc'd; NULL for nothing. */
static char *find_forbidden(const struct grant_context *g, const char *path, bool writes)
{
	char *what = has_chats(g, path) ? xstrdup("files of all chats") :
					  tools_find_exposed(g->ts, g->cfg, g->control, path);

	if (!what && is_in_state(g, path))
		what = xstrdup("the state");
	if (!what && writes && find_root_inside(g, path))
		what = xasprintf(
		    "%s, which all tools may use and it could replace by a link,", find_root_inside(g, path));
	for (size_t i = 0; i < g->all->count && !what; i++) {
		const struct mcp_server_settings *other = g->all->servers[i];
		if (other != g->server && other->command.count > 0 && may_replace(other, path))
			what = xasprintf("whatever a link of the MCP server %s leads to", other->name);
	}
	return what;
}

/* A key that has always been there is no error: the server works as far as it can without the path. */
static void grant(struct grant_context *g, const char *key, const char *path, char ***list, bool is_old)
{
	char *place = xasprintf("tools.mcp_servers.%s.%s", g->server->name, key), *what = NULL;

	if (*path == '/' && is_granted_already(g, path)) {
		free(place);
		return;
	}
	if (*path == '/')
		what = find_forbidden(g, path, list == &g->server->writable);
	if (*path != '/')
		config_error(g->cfg, place, "%s must be an absolute path.", place);
	else if (what && is_old)
		config_warning(g->cfg, place,
		    "%s names %s, where the server would see %s: in the sandbox it does not get that.", place,
		    path, what);
	else if (what)
		config_error(g->cfg, place,
		    "%s: the server would see %s in %s. Name a folder beside it, or move it out.", place,
		    what, path);
	else
		add(list, path);
	free(what);
	free(place);
}

static void grant_each(struct grant_context *g, const char *key, const struct config_strings *paths,
    char ***list, bool is_command)
{
	for (size_t i = 0; i < paths->count; i++) {
		char *place = xasprintf("%s[%zu]", key, i);
		if (!is_command || *paths->items[i] == '/')
			grant(g, place, paths->items[i], list, is_command);
		free(place);
	}
}

void mcp_grants_read(
    const struct mcp_settings *all, size_t i, struct config *cfg, const struct tools *ts, const char *control)
{
	struct mcp_server_settings *s = all->servers[i];
	struct grant_context g = {all, s, cfg, ts, control};

	if (s->command.count == 0 || !s->sandbox)
		return;
	/* Everybody may be in the root folder, and sees nothing in it. */
	if (s->directory && *s->directory == '/' && strcmp(s->directory, "/") != 0)
		grant(&g, "directory", s->directory, s->files ? &s->readable : &s->writable, true);
	grant_each(&g, "write", &s->write, &s->writable, false);
	grant_each(&g, "command", &s->command, &s->readable, true);
	grant_each(&g, "read", &s->read, &s->readable, false);
}

static void clear(char **list)
{
	for (char **path = list; path && *path; path++)
		free(*path);
	free(list);
}

void mcp_grants_clear(struct mcp_server_settings *s)
{
	clear(s->readable);
	clear(s->writable);
}
