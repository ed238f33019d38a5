#include "store/settings.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/config/config.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/secret/secret.h"
#include "store/cluster.h"
#include "store/store_internal.h"

static const char *const engines[] = {"sqlite", "postgres", NULL};

static const struct config_key keys[] = {
    {.name = "engine",
	.type = CONFIG_ENUM,
	.offset = offsetof(struct store_settings, engine),
	.fallback = "sqlite",
	.choices = engines,
	.help = "Where everything that must survive a restart is stored: in a file of state, or in a "
		"database of a PostgreSQL server, which needs its client library (Debian: libpq5)."},
    {.name = "password_file",
	.type = CONFIG_STRING,
	.offset = offsetof(struct store_settings, password_file),
	.help = "The file with the password for url, or cred:NAME for a systemd credential. Nobody else may "
		"read it. Absent: the server asks for none, or libpq finds it (~/.pgpass)."},
    {.name = "url",
	.type = CONFIG_STRING,
	.offset = offsetof(struct store_settings, url),
	.help = "The database of engine \"postgres\": postgresql://USER@HOST:PORT/DATABASE, with the "
		"parameters of libpq, such as ?sslmode=verify-full. It belongs to this gateway alone, or to "
		"the nodes of a cluster, and has the encoding UTF8."},
};

const struct config_section store_section = {
    .path = "store",
    .keys = keys,
    .key_count = ARRAY_LEN(keys),
    .help = "The database. docs/postgresql.md says what PostgreSQL is for, and what is different with it.",
    .restart = true,
};

static const struct config_key cluster_keys[] = {
    {.name = "lease",
	.type = CONFIG_DURATION,
	.offset = offsetof(struct cluster_settings, lease_ms),
	.fallback = "6 s",
	.min = 2000,
	.max = 600000,
	.help =
	    "A node that the database has not heard of for so long has lost its channels to the others. It "
	    "ends by itself, and starts again, after half of that."},
    {.name = "most_units",
	.type = CONFIG_INT,
	.offset = offsetof(struct cluster_settings, max_units),
	.fallback = "200",
	.min = 1,
	.max = 100000,
	.help = "Maximum number of channels that this node serves."},
    {.name = "node",
	.type = CONFIG_STRING,
	.offset = offsetof(struct cluster_settings, node),
	.help = "The name of this node, which no other one has: at most 20 letters, digits, - and _."},
    {.name = "shared",
	.type = CONFIG_STRING,
	.offset = offsetof(struct cluster_settings, shared),
	.help =
	    "A folder of a file system that all nodes share, at the same path on each: it holds the memory, "
	    "files that wait to be sent and, unless tools.workspace is set, the workspace. Absent: these "
	    "stay on the node, and do not move with a channel."},
};

const struct config_section cluster_section = {
    .path = "cluster",
    .keys = cluster_keys,
    .key_count = ARRAY_LEN(cluster_keys),
    .help =
	"Several gateways, called nodes, that share one database of PostgreSQL: each channel is served by "
	"one of them, and by another when that fails. Without this section a gateway has its database for "
	"itself. docs/cluster.md says how to set it up.",
    .restart = true,
};

static bool begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

/* Finds a password in USER:PASSWORD@HOST, or as a parameter: password, sslpassword. */
static bool has_password(const char *url)
{
	const char *user = strstr(url, "://") + 3, *at = strchr(user, '@');
	const char *colon = strchr(user, ':'), *slash = strchr(user, '/');

	const char *parameters = strchr(user, '?');

	if (parameters && strstr(parameters, "password="))
		return true;
	return at && colon && colon < at && (!slash || at < slash);
}

/* Returns a sentence about what is wrong with the URL, malloc'd; NULL: nothing. */
static char *mistake_in(const char *url, const char *name, const char *password_file)
{
	if (!begins(url, "postgresql://") && !begins(url, "postgres://"))
		return xasprintf("%s is not a URL such as \"postgresql://myna@db.example.org/myna\"", name);
	if (has_password(url))
		return xasprintf("%s has a password, which would be in the log: put it into a file, and name "
				 "that in %s",
		    name, password_file);
	return NULL;
}

static void check_url(const struct store_settings *s, struct config *cfg)
{
	char *mistake = s->url ? mistake_in(s->url, "store.url", "store.password_file") :
				 xstrdup("store.engine \"postgres\" needs store.url");

	if (mistake)
		config_error(cfg, s->url ? "store.url" : "store", "%s.", mistake);
	free(mistake);
}

static int read_password(struct store_settings *s, struct error *err)
{
	char *setting;

	if (!s->password_file)
		return 0;
	setting = begins(s->password_file, "cred:") ? xstrdup(s->password_file) :
						      xasprintf("file:%s", s->password_file);
	s->password = secret_resolve(setting, err);
	free(setting);
	return s->password ? 0 : -1;
}

int store_settings_of_url(
    struct store_settings *out, const char *url, const char *password_file, struct error *err)
{
	char *mistake = mistake_in(url, "the URL", "--password-file");
	int rc = -1;

	*out = (struct store_settings){
	    .engine = STORE_POSTGRES, .url = xstrdup(url), .password_file = xstrdup(password_file)};
	if (mistake)
		error_set(err, ERROR_OURS, "%s", mistake);
	else
		rc = read_password(out, err);
	free(mistake);
	return rc;
}

void store_settings_read(struct store_settings *out, struct config *cfg)
{
	struct error err;

	config_read(cfg, "store", &store_section, out);
	if (out->engine == STORE_POSTGRES) {
		if (!store_engine_postgres)
			config_error(cfg, "store.engine", "This Myna was built without PostgreSQL.");
		check_url(out, cfg);
		if (read_password(out, &err) != 0)
			config_error(cfg, "store.password_file", "store.password_file: %s", err.text);
	} else if (out->url || out->password_file) {
		config_error(cfg, out->url ? "store.url" : "store.password_file",
		    "store.%s is for engine \"postgres\".", out->url ? "url" : "password_file");
	}
}

bool cluster_is_node_name(const char *name)
{
	size_t len = strlen(name);

	return len > 0 && len <= NODE_NAME_MAX &&
	    strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") == len;
}

void cluster_settings_read(
    struct cluster_settings *out, const struct store_settings *store, struct config *cfg)
{
	config_read(cfg, "cluster", &cluster_section, out);
	if (!config_has(cfg, "cluster"))
		return;
	if (!out->node)
		config_error(
		    cfg, "cluster", "cluster needs cluster.node, a name that no other node of it has.");
	else if (!cluster_is_node_name(out->node))
		config_error(cfg, "cluster.node",
		    "cluster.node \"%.40s\" is not a name of at most %d letters, digits, - and _.", out->node,
		    NODE_NAME_MAX);
	if (out->shared && (*out->shared != '/' || out->shared[strspn(out->shared, "/")] == '\0'))
		config_error(cfg, "cluster.shared",
		    "cluster.shared \"%s\" is not the whole path of a folder, such as \"/srv/myna\".",
		    out->shared);
	if (store->engine != STORE_POSTGRES)
		config_error(cfg, "cluster",
		    "cluster needs a database that the nodes share: set store.engine to \"postgres\".");
}

void cluster_settings_clear(struct cluster_settings *s)
{
	config_settings_clear(cluster_keys, ARRAY_LEN(cluster_keys), s);
}

void store_settings_clear(struct store_settings *s)
{
	config_settings_clear(keys, ARRAY_LEN(keys), s);
}
