#ifndef PLAYGROUND_DISCORD_METHODS_COMPONENT_H
#define PLAYGROUND_DISCORD_METHODS_COMPONENT_H
/* Buttons and select menus of messages. */
#include <stdint.h>

struct cord_errors;
struct json_object;

/* Checks the flags of the message and duplicate ids; the components are checked on their own already. */
void cord_components_check(struct json_object *array, int64_t flags, struct cord_errors *e);
/* Returns the component with that custom_id or label, or NULL. */
struct json_object *cord_component_find(struct json_object *array, const char *name);

#endif
