#ifndef PLAYGROUND_DISCORD_METHODS_COMPONENT_H
#define PLAYGROUND_DISCORD_METHODS_COMPONENT_H
/* Buttons and menus under messages. */
#include <stdint.h>

struct cord_errors;
struct json_object;

/* What a message's flags allow of them, and ids that are there twice; each alone is well made. */
void cord_components_check(struct json_object *array, int64_t flags, struct cord_errors *e);
/* The one with that custom_id or label; NULL if there is none. */
struct json_object *cord_component_find(struct json_object *array, const char *name);

#endif
