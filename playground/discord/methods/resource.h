#ifndef PLAYGROUND_DISCORD_METHODS_RESOURCE_H
#define PLAYGROUND_DISCORD_METHODS_RESOURCE_H
/* What a guild or application has many of, and the API lists, gets, creates, changes and deletes in one way:
 * roles, emoji, stickers, sounds, rules, scheduled events. The kind stands in the row of the endpoint. */
#include <stdint.h>

#include "playground/discord/http/call.h"

struct cord_guild;
struct json_object;

struct cord_resource {
	enum cord_record_kind kind;
	const char *schema;           /* NULL: fit fills it */
	enum cord_code unknown, full; /* 0: a 404 without a code */
	size_t max;
	/* Permissions to see, to create (and to change one's own), to change any. */
	uint64_t see, create, manage;
	int action;         /* in the audit log; 0: none */
	const char *list;   /* the member that holds a list; NULL: the list is the answer */
	const char *id_key; /* NULL: "id" */
	/* Checks and completes o, before it is kept; was: as it is kept now, NULL: it is new. Returns -1
	 * after a failure. */
	int (*fit)(
	    struct cord_call *call, struct cord_guild *g, struct json_object *was, struct json_object *o);
	/* Sends the event: what is "CREATE", "UPDATE" or "DELETE". NULL: there is none. */
	void (*tell)(struct cord_guild *g, const char *what, struct json_object *o);
};

extern const struct cord_resource cord_app_emojis, cord_emojis, cord_roles, cord_rules, cord_scheduled_events,
    cord_sounds, cord_stickers;

#endif
