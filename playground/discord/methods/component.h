#ifndef PLAYGROUND_DISCORD_METHODS_COMPONENT_H
#define PLAYGROUND_DISCORD_METHODS_COMPONENT_H
/* Buttons, select menus and embeds of messages. */
#include <stdint.h>

struct cord_errors;
struct json_object;

/* Checks the flags of the message and duplicate ids; the components are checked on their own already. */
void cord_components_check(struct json_object *array, int64_t flags, struct cord_errors *e);
/* Gives the components that have no id one, as the platform does. Returns array, which may be NULL. */
struct json_object *cord_components_finish(struct json_object *array);
/* Gives embeds of bots their type. Returns array, which may be NULL. */
struct json_object *cord_embeds_finish(struct json_object *array);
/* Returns the component with that custom_id or label, or NULL. */
struct json_object *cord_component_find(struct json_object *array, const char *name);

#endif
