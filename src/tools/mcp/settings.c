#include "tools/mcp/settings.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/secret/secret.h"
#include "base/sha256.h"
#include "net/http/http.h"

static const struct config_key keys[] = {
    {.name = "command",
	.type = CONFIG_STRINGS,
	.offset = offsetof(struct mcp_server_settings, command),
	.help = "The program and its arguments, run without a shell. The server uses its standard input and "
		"output."},
    {.name = "directory",
	.type = CONFIG_STRING,
	.offset = offsetof(struct mcp_server_settings, directory),
	.help =
	    "The folder that the program runs in, which it may then write; with files only read. Default: "
	    "mcp/NAME in state, created if missing; with files the chat's folder."},
    {.name = "env",
	.type = CONFIG_STRINGS,
	.offset = offsetof(struct mcp_server_settings, env_lines),
	.help =
	    "Variables for the program, \"NAME=VALUE\"; VALUE may be file:PATH or cred:NAME. It also "
	    "gets PATH, HOME and LANG, but nothing else of the gateway's environment. HOME is mcp/NAME in "
	    "state, or with sandbox = false the gateway's."},
    {.name = "files",
	.type = CONFIG_BOOL,
	.offset = offsetof(struct mcp_server_settings, files),
	.fallback = "false",
	.help = "Gives the program the files of the chat that calls it: it then runs in that folder, with a "
		"process for each (tools.workspace_scope says whose folder it is)."},
    {.name = "headers",
	.type = CONFIG_STRINGS,
	.offset = offsetof(struct mcp_server_settings, header_lines),
	.help = "Headers for each request to url, \"NAME: VALUE\"; VALUE may be file:PATH or cred:NAME."},
    {.name = "idle",
	.type = CONFIG_DURATION,
	.offset = offsetof(struct mcp_server_settings, idle_ms),
	.fallback = "10 min",
	.min = 1000,
	.max = 7 * 86400 * 1000,
	.help = "With files: a process that no call has used for so long is ended."},
    {.name = "network",
	.type = CONFIG_BOOL,
	.offset = offsetof(struct mcp_server_settings, network),
	.fallback = "true",
	.help = "Whether the program may use the network."},
    {.name = "processes",
	.type = CONFIG_INT,
	.offset = offsetof(struct mcp_server_settings, processes),
	.fallback = "8",
	.min = 1,
	.max = 1000,
	.help = "With files: maximum number of processes for folders that run at the same time. For one "
		"more, the process "
		"that has been idle for longest is ended; if all have calls, the call waits, no longer than "
		"start."},
    {.name = "read",
	.type = CONFIG_STRINGS,
	.offset = offsetof(struct mcp_server_settings, read),
	.help = "Folders and files that the program may read besides the system's programs, tools.roots and "
		"the paths that command names."},
    {.name = "sandbox",
	.type = CONFIG_BOOL,
	.offset = offsetof(struct mcp_server_settings, sandbox),
	.fallback = "true",
	.help = "Whether the program runs in the sandbox, like commands (docs/mcp.md). false gives it the "
		"gateway's rights: it can then reach the files of all chats, and the state."},
    {.name = "start",
	.type = CONFIG_DURATION,
	.offset = offsetof(struct mcp_server_settings, start_ms),
	.fallback = "60 s",
	.min = 1000,
	.max = 600000,
	.help = "Time limit of the server's first answer. The gateway itself starts without waiting for it."},
    {.name = "timeout",
	.type = CONFIG_DURATION,
	.offset = offsetof(struct mcp_server_settings, timeout_ms),
	.fallback = "60 s",
	.min = 1000,
	.max = 600000,
	.help = "Time limit of one call. Each progress report restarts it, up to 10 min in all."},
    {.name = "token",
	.type = CONFIG_SECRET,
	.offset = offsetof(struct mcp_server_settings, token),
	.help = "Sent to url in Authorization: Bearer TOKEN."},
    {.name = "url",
	.type = CONFIG_STRING,
	.offset = offsetof(struct mcp_server_settings, url),
	.help = "The endpoint of a server that uses Streamable HTTP. Plain http is accepted for loopback "
		"hosts only."},
    {.name = "write",
	.type = CONFIG_STRINGS,
	.offset = offsetof(struct mcp_server_settings, write),
	.help = "Folders that the program may write, too."},
};

const struct config_section mcp_section = {
    .path = "tools.mcp_servers.*",
    .keys = keys,
    .key_count = ARRAY_LEN(keys),
    .help = "An MCP server, whose tools the model gets under the name SERVER__TOOL. Give either command or "
	    "url. See docs/mcp.md.",
};

/* Applies to names of variables and headers. */
static bool is_secret_name(const char *name)
{
	static const char *const parts[] = {"auth", "cookie", "key", "pass", "secret", "token"};

	for (size_t i = 0; i < ARRAY_LEN(parts); i++)
		if (strcasestr(name, parts[i]))
			return true;
	return false;
}

static bool is_source(const char *value)
{
	return strncmp(value, "file:", 5) == 0 || strncmp(value, "cred:", 5) == 0;
}

static void add_pair(struct mcp_pairs *pairs, const char *line, size_t name_len, const char *value,
    struct config *cfg, const char *path)
{
	struct error err = {0};
	struct mcp_pair pair = {.name = xstrndup(line, name_len)};

	if (is_source(value)) {
		pair.value = secret_resolve(value, &err);
	} else {
		pair.value = pair.owned = xstrdup(value);
		if (is_secret_name(pair.name))
			secret_register(value);
	}
	if (!pair.value) {
		config_error(cfg, path, "%s: %s", path, err.text);
		free(pair.name);
		return;
	}
	pairs->items = xrealloc(pairs->items, (pairs->count + 1) * sizeof(*pairs->items));
	pairs->items[pairs->count++] = pair;
}

/* Reads lines of a name, the separator and a value. The value is never shown: it may be a secret. */
static void read_pairs(struct mcp_pairs *pairs, const struct config_strings *lines, char sign,
    const char *allowed, struct config *cfg, const char *path)
{
	for (size_t i = 0; i < lines->count; i++) {
		const char *line = lines->items[i], *at = strchr(line, sign);
		char *place = xasprintf("%s[%zu]", path, i);
		size_t len = at ? (size_t)(at - line) : 0;
		if (len == 0 || strspn(line, allowed) != len || strpbrk(at, "\r\n"))
			config_error(
			    cfg, place, "%s: write a name, '%c' and a value, on one line.", place, sign);
		else
			add_pair(pairs, line, len, at + 1 + strspn(at + 1, " "), cfg, place);
		free(place);
	}
}

static void clear_pairs(struct mcp_pairs *pairs)
{
	for (size_t i = 0; i < pairs->count; i++) {
		free(pairs->items[i].name);
		free(pairs->items[i].owned);
	}
	free(pairs->items);
}

static void fingerprint_text(struct buf *out, const char *s)
{
	buf_addf(out, "%zu:%s", s ? strlen(s) : 0, s ? s : "");
}

static void fingerprint_pairs(struct buf *out, const struct mcp_pairs *pairs)
{
	for (size_t i = 0; i < pairs->count; i++) {
		fingerprint_text(out, pairs->items[i].name);
		fingerprint_text(out, pairs->items[i].value);
	}
}

static void fingerprint_strings(struct buf *out, const struct config_strings *list)
{
	for (size_t i = 0; i < list->count; i++)
		fingerprint_text(out, list->items[i]);
	buf_addch(out, '\n');
}

/* A hash, because it covers secrets. */
static char *make_fingerprint(const struct mcp_server_settings *s)
{
	struct buf all = BUF_INIT;
	char hash[SHA256_TEXT_SIZE];

	fingerprint_strings(&all, &s->command);
	fingerprint_text(&all, s->url);
	fingerprint_text(&all, s->directory);
	fingerprint_text(&all, s->token);
	fingerprint_pairs(&all, &s->env);
	buf_addch(&all, '\n');
	fingerprint_pairs(&all, &s->headers);
	fingerprint_strings(&all, &s->read);
	fingerprint_strings(&all, &s->write);
	buf_addf(&all, "%lld %lld %lld %lld %d %d %d", (long long)s->timeout_ms, (long long)s->start_ms,
	    (long long)s->idle_ms, (long long)s->processes, s->files, s->sandbox, s->network);
	sha256_text(all.data, all.len, hash);
	buf_clear(&all);
	return xstrdup(hash);
}

static bool is_program(const char *path, const char *const *names, size_t count)
{
	const char *slash = strrchr(path, '/');

	for (size_t i = 0; i < count; i++)
		if (strcmp(slash ? slash + 1 : path, names[i]) == 0)
			return true;
	return false;
}

/* They load settings and programs from the folder that they start in, and a model can write the chat's. */
static bool loads_from_folder(const char *program)
{
	static const char *const launchers[] = {
	    "bun", "bunx", "deno", "npm", "npx", "pipx", "pnpm", "pnpx", "uv", "uvx", "yarn"};

	return is_program(program, launchers, ARRAY_LEN(launchers));
}

static void check_sandbox(const struct mcp_server_settings *s, struct config *cfg, const char *path)
{
	static const char *const engines[] = {"docker", "nerdctl", "podman"};

	if (s->command.count == 0)
		return;
	if (!s->sandbox)
		config_warning(cfg, path,
		    "The MCP server %s runs with the gateway's rights, outside of the sandbox: it can reach "
		    "the "
		    "files of all chats, and the state.",
		    s->name);
	else if (is_program(s->command.items[0], engines, ARRAY_LEN(engines)))
		config_warning(cfg, path,
		    "%s: %s does not work in the sandbox, which hides its socket. A container is a boundary "
		    "of "
		    "its own: set sandbox = false.",
		    path, s->command.items[0]);
}

static void check_files(const struct mcp_server_settings *s, struct config *cfg, const char *path)
{
	if (!s->files)
		return;
	if (s->command.count == 0)
		config_error(cfg, path,
		    "%s.files is for servers with command: Myna does not start this one. Remove files.",
		    path);
	else if (!s->sandbox)
		config_error(cfg, path,
		    "%s.files needs the sandbox: without it the server can reach the files of all chats. "
		    "Remove "
		    "files, or sandbox = false.",
		    path);
	else if (!s->directory && loads_from_folder(s->command.items[0]))
		config_warning(cfg, path,
		    "%s: %s loads programs from the folder that it starts in, where a model can write. Set "
		    "directory = \"/\" (docs/mcp.md).",
		    path, s->command.items[0]);
}

static void check(struct mcp_server_settings *s, struct config *cfg, const char *path)
{
	struct error err = {0};

	if (s->command.count > 0 && s->url)
		config_warning(cfg, path, "%s has command and url: the command is used.", path);
	if (s->command.count > 0 && !*s->command.items[0])
		config_error(cfg, path, "%s.command has no program.", path);
	if (s->url && !http_url_allowed(s->url, &err))
		config_error(cfg, path, "%s.url: %s", path, err.text);
	if (s->directory && *s->directory != '/')
		config_error(cfg, path, "%s.directory must be an absolute path.", path);
	check_files(s, cfg, path);
	check_sandbox(s, cfg, path);
}

static struct mcp_server_settings *read_server(struct config *cfg, const char *name)
{
	static const char header_name[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
	struct mcp_server_settings *s = xcalloc(1, sizeof(*s));
	char *path = xasprintf("tools.mcp_servers.%s", name), *env = xasprintf("%s.env", path),
	     *headers = xasprintf("%s.headers", path);

	s->refs = 1;
	s->name = xstrdup(name);
	config_read(cfg, path, &mcp_section, s);
	read_pairs(&s->env, &s->env_lines, '=', header_name, cfg, env);
	read_pairs(&s->headers, &s->header_lines, ':', header_name, cfg, headers);
	check(s, cfg, path);
	if (s->command.count == 0 && !s->url)
		config_warning(cfg, path, "The MCP server %s is left out: set command or url.", name);
	s->fingerprint = make_fingerprint(s);
	free(path);
	free(env);
	free(headers);
	return s;
}

void mcp_settings_read(
    struct mcp_settings *out, struct config *cfg, const struct tools *ts, const char *control)
{
	const char **names = NULL;
	size_t count = config_names(cfg, "tools.mcp_servers", &names);

	out->servers = xcalloc(count + 1, sizeof(*out->servers));
	for (size_t i = 0; i < count; i++) {
		struct mcp_server_settings *s = read_server(cfg, names[i]);
		if (s->command.count > 0 || s->url)
			out->servers[out->count++] = s;
		else
			mcp_server_settings_unref(s);
	}
	free(names);
	/* Now that the files of all their secrets are known. */
	for (size_t i = 0; i < out->count; i++)
		mcp_grants_read(out, i, cfg, ts, control);
}

void mcp_settings_clear(struct mcp_settings *s)
{
	for (size_t i = 0; i < s->count; i++)
		mcp_server_settings_unref(s->servers[i]);
	free(s->servers);
	*s = (struct mcp_settings){0};
}

struct mcp_server_settings *mcp_server_settings_ref(struct mcp_server_settings *s)
{
	s->refs++;
	return s;
}

void mcp_server_settings_unref(struct mcp_server_settings *s)
{
	if (!s || --s->refs > 0)
		return;
	clear_pairs(&s->env);
	clear_pairs(&s->headers);
	mcp_grants_clear(s);
	config_settings_clear(keys, ARRAY_LEN(keys), s);
	free(s->name);
	free(s->fingerprint);
	free(s);
}
