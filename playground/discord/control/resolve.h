#ifndef PLAYGROUND_DISCORD_CONTROL_RESOLVE_H
#define PLAYGROUND_DISCORD_CONTROL_RESOLVE_H
/* Values that people give to options and menus: names become ids, and what they stand for is added. */
#include <stdint.h>

struct cord_context;
struct cord_guild;
struct cord_record;
struct error;
struct json_object;

/* By its name or id; NULL: none. */
struct cord_record *cord_role_named(const struct cord_guild *g, const char *name);

enum cord_resolved { CORD_RESOLVE_USER = 1, CORD_RESOLVE_ROLE = 2, CORD_RESOLVE_CHANNEL = 4 };

/* Finds the person, role or channel by its name or id, of one of the kinds. Adds it to resolved, the object
 * of that name in the data of an interaction. Returns its id, or 0 with err set. */
uint64_t cord_resolve(const struct cord_context *s, struct json_object *resolved, unsigned kinds,
    const char *name, struct error *err);

/* Returns an array of the options of a command for its interaction; NULL with err set. in: the request, with
 * "text", "options" and "autocomplete". path: the words after the name of the command: a subcommand. */
struct json_object *cord_options_read(const struct cord_context *s, struct json_object *rows,
    const char *path, struct json_object *in, struct json_object *resolved, struct error *err);

#endif
