#ifndef PLAYGROUND_DISCORD_METHODS_METHODS_H
#define PLAYGROUND_DISCORD_METHODS_METHODS_H
/* What the endpoint functions share: checks, and the reading of bodies. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/json/json.h"
#include "playground/discord/control/control.h"
#include "playground/discord/gateway/event.h"
#include "playground/discord/http/call.h"
#include "playground/discord/http/errors.h"
#include "playground/discord/http/handlers.h"
#include "playground/discord/world/bot.h"
#include "playground/discord/world/channel.h"
#include "playground/discord/world/guild.h"
#include "playground/discord/world/message.h"
#include "playground/discord/world/world.h"
#include "playground/playground.h"

/* Checks what the tables cannot express about an object in a request body. The members of o have the right
 * types. */

typedef void cord_check_fn(struct json_object *o, struct cord_errors *e);

cord_check_fn cord_check_allowed_mentions, cord_check_button, cord_check_command, cord_check_embed,
    cord_check_option, cord_check_row, cord_check_select;

/* Buttons, select menus and embeds of messages. */

/* Checks the flags of the message and duplicate ids; the components are checked on their own already. */
void cord_components_check(struct json_object *array, int64_t flags, struct cord_errors *e);
/* Gives the components that have no id one, as the platform does. Returns array, which may be NULL. */
struct json_object *cord_components_finish(struct json_object *array);
/* Gives embeds of bots their type. Returns array, which may be NULL. */
struct json_object *cord_embeds_finish(struct json_object *array);
/* Returns the component with that custom_id or label, or NULL. */
struct json_object *cord_component_find(struct json_object *array, const char *name);

/* Builds a message from a request body: content, embeds, components, files, mentions. */

/* Fills the new message m; its channel, author and reply are set. body is checked already; flags are the
 * allowed ones. Returns -1 after a failure; the caller frees m. */
int cord_compose(struct cord_call *call, struct json_object *body, struct cord_message *m, int64_t flags);
/* Changes m by the given members. On failure m is unchanged. */
int cord_compose_edit(struct cord_call *call, struct json_object *body, struct cord_message *m);

/* A post of a forum: a thread that begins with m, a new message with its author, which it takes. Returns NULL
 * after a failure; the caller frees m then. applied: ids of tags; NULL: none. */
struct cord_channel *cord_post_new(struct cord_call *call, struct cord_channel *forum, const char *name,
    struct json_object *body, struct json_object *applied, struct cord_message *m);

/* Changes channels and threads by the members of a body. */

/* Takes what the body has. Returns -1 after a failure. */
int cord_channel_take(struct cord_call *call, struct cord_channel *c, struct json_object *body);
/* Modify Channel, for channels that are no threads. */
int cord_channel_update(struct cord_call *call, struct cord_channel *c);

/* Computes whom a message pings: the mentions in its content that allowed_mentions permits. */

/* Sets the mentions of m. allowed NULL permits everything, in interaction responses only users. */
void cord_mentions_find(
    struct cord_message *m, struct json_object *allowed, bool of_interaction, bool may_everyone);

/* A kind of object that the API lists, gets, creates, changes and deletes in one way: roles, emoji, stickers,
 * sounds, rules, scheduled events. The row of the operation names the kind. */

struct cord_resource {
	enum cord_record_kind kind;
	const char *schema;         /* NULL: validate fills it */
	const char *unknown, *full; /* errors; NULL: a 404 without a code */
	size_t max;
	bool (*counts)(struct json_object *o); /* to max; NULL: all do */
	/* Permissions to create (and to change one's own), to change any. */
	uint64_t create, manage;
	int action;         /* in the audit log; 0: none */
	const char *list;   /* the member that holds a list; NULL: the list is the answer */
	const char *id_key; /* NULL: "id" */
	/* Checks and completes o before it is stored; was: the stored object, NULL for a new one. Returns -1
	 * after a failure. */
	int (*validate)(
	    struct cord_call *call, struct cord_guild *g, struct json_object *was, struct json_object *o);
	/* Sends the event: what is "CREATE", "UPDATE" or "DELETE". NULL: there is none. */
	void (*announce)(struct cord_guild *g, const char *what, struct json_object *o);
};

extern const struct cord_resource cord_app_emojis, cord_emojis, cord_roles, cord_rules, cord_scheduled_events,
    cord_sounds, cord_stickers;

/* Polls, stickers and forwards of messages; bans and pins. */

/* Gives m the poll of a body, its stickers (NULL: none), or what it forwards. They return -1 after a failure.
 */
int cord_poll_read(struct cord_call *call, struct json_object *body, struct cord_message *m);
int cord_stickers_read(struct cord_call *call, struct json_object *ids, struct cord_message *m);
int cord_forward(struct cord_call *call, struct json_object *reference, struct cord_message *m);
/* Ban or unban somebody, who need not be a member, and send the events. */
void cord_ban(struct cord_guild *g, uint64_t id, const char *reason);
void cord_unban(struct cord_guild *g, uint64_t id);
/* Pins or unpins m and sends the events. cord_pin_notice returns the notice of a pin, whose author the caller
 * sets. */
void cord_pin_set(struct cord_message *m, bool pin);
struct cord_message *cord_pin_notice(const struct cord_message *m);
/* Returns the options of an entry in the audit log: the channel, and of count and message_id those that are
 * not 0. */
struct json_object *cord_audit_options(const struct cord_channel *c, size_t count, uint64_t message_id);

/* Voice states: who is in which voice channel. There is no sound. */

/* Puts somebody in the channel; NULL: out of it. self: self_mute and self_deaf; may be NULL. Sends the
 * events. */
void cord_voice_set(struct cord_guild *g, uint64_t id, struct cord_channel *c, struct json_object *self);
/* The channel_id of the body moves a member, or disconnects it. Returns -1 after a failure. */
int cord_voice_move(struct cord_call *call, struct cord_guild *g, uint64_t id);

/* The webhook of an interaction: the original response and follow-ups. */

#define CORD_WEBHOOK_FLAGS                                                                        \
	(CORD_FLAG_SUPPRESS_EMBEDS | CORD_FLAG_SUPPRESS_NOTIFICATIONS | CORD_FLAG_COMPONENTS_V2 | \
	    CORD_FLAG_VOICE)

/* Returns a new message of the bot that responds to i, not yet added to its channel. */
struct cord_message *cord_webhook_message(const struct cord_interaction *i);

#endif
