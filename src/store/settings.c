#include "store/settings.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/config/config.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/secret/secret.h"
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
		"parameters of libpq, such as ?sslmode=verify-full. It belongs to this gateway alone, and "
		"has the encoding UTF8."},
};

const struct config_section store_section = {
    .path = "store",
    .keys = keys,
    .key_count = ARRAY_LEN(keys),
    .help = "The database. docs/postgresql.md says what PostgreSQL is for, and what is different with it.",
    .restart = true,
};

static bool begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

/* In USER:PASSWORD@HOST, or as a parameter. */
static bool has_password(const char *url)
{
	const char *user = strstr(url, "://") + 3, *at = strchr(user, '@');
	const char *colon = strchr(user, ':'), *slash = strchr(user, '/');

	if (strstr(user, "?password=") || strstr(user, "&password="))
		return true;
	return at && colon && colon < at && (!slash || at < slash);
}

static void check_url(const struct store_settings *s, struct config *cfg)
{
	if (!s->url)
		config_error(cfg, "store", "store.engine \"postgres\" needs store.url.");
	else if (!begins(s->url, "postgresql://") && !begins(s->url, "postgres://"))
		config_error(cfg, "store.url",
		    "store.url is not a URL such as \"postgresql://myna@db.example.org/myna\".");
	else if (has_password(s->url))
		config_error(cfg, "store.url",
		    "store.url has a password, which would be in the log: put it into a file, and name that "
		    "in store.password_file.");
}

static void read_password(struct store_settings *s, struct config *cfg)
{
	struct error err = {0};
	char *setting;

	if (!s->password_file)
		return;
	setting = begins(s->password_file, "cred:") ? xstrdup(s->password_file) :
						      xasprintf("file:%s", s->password_file);
	s->password = secret_resolve(setting, &err);
	if (!s->password)
		config_error(cfg, "store.password_file", "store.password_file: %s", err.text);
	free(setting);
}

void store_settings_read(struct store_settings *out, struct config *cfg)
{
	config_read(cfg, "store", &store_section, out);
	if (out->engine == STORE_POSTGRES) {
		if (!store_engine_postgres)
			config_error(cfg, "store.engine", "This Myna was built without PostgreSQL.");
		check_url(out, cfg);
		read_password(out, cfg);
	} else if (out->url || out->password_file) {
		config_error(cfg, out->url ? "store.url" : "store.password_file",
		    "store.%s is for engine \"postgres\".", out->url ? "url" : "password_file");
	}
}

void store_settings_clear(struct store_settings *s)
{
	config_settings_clear(keys, ARRAY_LEN(keys), s);
}
