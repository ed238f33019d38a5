#ifndef STORE_SETTINGS_H
#define STORE_SETTINGS_H
/* Where the store is: store: { … } in the configuration. */
#include <stdbool.h>
#include <stdint.h>

struct cluster_settings;
struct config;
struct config_section;
struct error;

enum store_engine_name { STORE_SQLITE, STORE_POSTGRES };

struct store_settings {
	int engine;           /* enum store_engine_name */
	char *url;            /* of the database; NULL for SQLite */
	char *password_file;  /* may be NULL */
	const char *password; /* what is in it; the table of secrets owns it */
};

extern const struct config_section store_section;

void store_settings_read(struct store_settings *out, struct config *cfg);
/* Reads the URL of a command as that of the configuration. password_file may be NULL. Returns -1 with err set
 * when it is no URL, or has a password, or the file cannot be read; clear out in any case. */
int store_settings_of_url(
    struct store_settings *out, const char *url, const char *password_file, struct error *err);
void store_settings_clear(struct store_settings *s);

/* cluster: { … } */
#define NODE_NAME_MAX 20
extern const struct config_section cluster_section;

/* It becomes a part of SQL, and of the name of a channel. */
bool cluster_is_node_name(const char *name);

void cluster_settings_read(
    struct cluster_settings *out, const struct store_settings *store, struct config *cfg);
void cluster_settings_clear(struct cluster_settings *s);

#endif
