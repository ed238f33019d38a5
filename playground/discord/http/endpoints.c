#include <stddef.h>

#include "base/mem.h"
#include "playground/discord/http/endpoint.h"
#include "playground/discord/http/handlers.h"
#include "playground/discord/http/shapes.h"

static const struct cord_field commands_query_fields[] = {{.name = "with_localizations", .type = CORD_BOOL}};
static const struct cord_field guild_query_fields[] = {{.name = "with_counts", .type = CORD_BOOL}};
static const struct cord_field guilds_query_fields[] = {{.name = "after", .type = CORD_ID},
    {.name = "before", .type = CORD_ID}, {.name = "limit", .type = CORD_INT, .min = 1, .max = 200},
    {.name = "with_counts", .type = CORD_BOOL}};
static const struct cord_field messages_query_fields[] = {{.name = "after", .type = CORD_ID},
    {.name = "around", .type = CORD_ID}, {.name = "before", .type = CORD_ID},
    {.name = "limit", .type = CORD_INT, .min = 1, .max = 100}};
static const struct cord_field reactions_query_fields[] = {{.name = "after", .type = CORD_ID},
    {.name = "limit", .type = CORD_INT, .min = 1, .max = 100}, {.name = "type", .type = CORD_INT, .max = 1}};
static const struct cord_field callback_query_fields[] = {{.name = "with_response", .type = CORD_BOOL}};
static const struct cord_field execute_query_fields[] = {{.name = "thread_id", .type = CORD_ID},
    {.name = "wait", .type = CORD_BOOL}, {.name = "with_components", .type = CORD_BOOL}};
static const struct cord_field webhook_query_fields[] = {
    {.name = "thread_id", .type = CORD_ID}, {.name = "with_components", .type = CORD_BOOL}};
static const struct cord_field webhook_get_fields[] = {{.name = "thread_id", .type = CORD_ID}};

static const struct cord_shape commands_query = CORD_SHAPE(NULL, commands_query_fields, NULL);
static const struct cord_shape guild_query = CORD_SHAPE(NULL, guild_query_fields, NULL);
static const struct cord_shape guilds_query = CORD_SHAPE(NULL, guilds_query_fields, NULL);
static const struct cord_shape messages_query = CORD_SHAPE(NULL, messages_query_fields, NULL);
static const struct cord_shape reactions_query = CORD_SHAPE(NULL, reactions_query_fields, NULL);
static const struct cord_shape callback_query = CORD_SHAPE(NULL, callback_query_fields, NULL);
static const struct cord_shape execute_query = CORD_SHAPE(NULL, execute_query_fields, NULL);
static const struct cord_shape webhook_query = CORD_SHAPE(NULL, webhook_query_fields, NULL);
static const struct cord_shape webhook_get = CORD_SHAPE(NULL, webhook_get_fields, NULL);

#define APP            "/applications/{application_id}"
#define CHANNEL        "/channels/{channel_id}"
#define COMMANDS       APP "/commands"
#define GUILD_COMMANDS APP "/guilds/{guild_id}/commands"
#define MESSAGE        CHANNEL "/messages/{message_id}"
#define REACTION       MESSAGE "/reactions/{emoji_name}"
#define HOOK           "/webhooks/{webhook_id}/{webhook_token}"

/* For the same path, literal rows come first: the first match is used. */
const struct cord_endpoint cord_endpoints[] = {
    {"GET /applications/@me", "GET", "/applications/@me", CORD_BUCKET_DEFAULT, 0, NULL, NULL,
	cord_get_my_application},
    {"GET /oauth2/applications/@me", "GET", "/oauth2/applications/@me", CORD_BUCKET_DEFAULT, 0, NULL, NULL,
	cord_get_my_application},
    {"GET /gateway", "GET", "/gateway", CORD_BUCKET_NONE, CORD_OPEN, NULL, NULL, cord_get_gateway},
    {"GET /gateway/bot", "GET", "/gateway/bot", CORD_BUCKET_GATEWAY, 0, NULL, NULL, cord_get_bot_gateway},

    {"GET /users/@me", "GET", "/users/@me", CORD_BUCKET_DEFAULT, 0, NULL, NULL, cord_get_my_user},
    {"GET /users/@me/guilds", "GET", "/users/@me/guilds", CORD_BUCKET_DEFAULT, 0, &guilds_query, NULL,
	cord_list_my_guilds},
    {"POST /users/@me/channels", "POST", "/users/@me/channels", CORD_BUCKET_OPEN_DM, 0, NULL,
	&cord_shape_open_dm, cord_create_dm},
    {"GET /users", "GET", "/users/{user_id}", CORD_BUCKET_DEFAULT, 0, NULL, NULL, cord_get_user},

    {"GET /guilds", "GET", "/guilds/{guild_id}", CORD_BUCKET_DEFAULT, 0, &guild_query, NULL, cord_get_guild},
    {"GET /guilds/channels", "GET", "/guilds/{guild_id}/channels", CORD_BUCKET_DEFAULT, 0, NULL, NULL,
	cord_list_guild_channels},
    {"GET /guilds/members", "GET", "/guilds/{guild_id}/members/{user_id}", CORD_BUCKET_DEFAULT, 0, NULL, NULL,
	cord_get_guild_member},
    {"GET /guilds/roles", "GET", "/guilds/{guild_id}/roles", CORD_BUCKET_DEFAULT, 0, NULL, NULL,
	cord_list_guild_roles},
    {"GET /guilds/threads/active", "GET", "/guilds/{guild_id}/threads/active", CORD_BUCKET_DEFAULT, 0, NULL,
	NULL, cord_list_active_threads},

    {"GET /channels", "GET", CHANNEL, CORD_BUCKET_DEFAULT, 0, NULL, NULL, cord_get_channel},
    {"PATCH /channels", "PATCH", CHANNEL, CORD_BUCKET_THREAD, 0, NULL, &cord_shape_thread_patch,
	cord_update_channel},
    {"GET /channels/messages", "GET", CHANNEL "/messages", CORD_BUCKET_READ, 0, &messages_query, NULL,
	cord_list_messages},
    {"POST /channels/messages", "POST", CHANNEL "/messages", CORD_BUCKET_SEND, CORD_UPLOADS, NULL,
	&cord_shape_message_create, cord_create_message},
    {"GET /channels/messages/id", "GET", MESSAGE, CORD_BUCKET_READ, 0, NULL, NULL, cord_get_message},
    {"PATCH /channels/messages", "PATCH", MESSAGE, CORD_BUCKET_EDIT, CORD_UPLOADS, NULL,
	&cord_shape_message_edit, cord_update_message},
    {"DELETE /channels/messages", "DELETE", MESSAGE, CORD_BUCKET_DELETE, 0, NULL, NULL, cord_delete_message},
    {"PUT /channels/messages/reactions", "PUT", REACTION "/@me", CORD_BUCKET_REACTION, 0, NULL, NULL,
	cord_add_my_message_reaction},
    {"DELETE /channels/messages/reactions", "DELETE", REACTION "/@me", CORD_BUCKET_REACTION, 0, NULL, NULL,
	cord_delete_my_message_reaction},
    {"GET /channels/messages/reactions", "GET", REACTION, CORD_BUCKET_REACTION, 0, &reactions_query, NULL,
	cord_list_message_reactions},
    {"POST /channels/messages/threads", "POST", MESSAGE "/threads", CORD_BUCKET_THREAD, 0, NULL,
	&cord_shape_thread_of_message, cord_create_thread_from_message},
    {"POST /channels/threads", "POST", CHANNEL "/threads", CORD_BUCKET_THREAD, 0, NULL, &cord_shape_thread,
	cord_create_thread},
    {"PUT /channels/thread-members", "PUT", CHANNEL "/thread-members/@me", CORD_BUCKET_DEFAULT, 0, NULL, NULL,
	cord_join_thread},
    {"DELETE /channels/thread-members", "DELETE", CHANNEL "/thread-members/@me", CORD_BUCKET_DEFAULT, 0, NULL,
	NULL, cord_leave_thread},
    {"POST /channels/typing", "POST", CHANNEL "/typing", CORD_BUCKET_TYPING, 0, NULL, NULL,
	cord_trigger_typing},

    {"GET /applications/commands", "GET", COMMANDS, CORD_BUCKET_DEFAULT, 0, &commands_query, NULL,
	cord_list_commands},
    {"PUT /applications/commands", "PUT", COMMANDS, CORD_BUCKET_COMMANDS, CORD_LIST_BODY, NULL,
	&cord_shape_command_put, cord_bulk_set_commands},
    {"POST /applications/commands", "POST", COMMANDS, CORD_BUCKET_COMMANDS, 0, NULL,
	&cord_shape_command_create, cord_create_command},
    {"GET /applications/commands/id", "GET", COMMANDS "/{command_id}", CORD_BUCKET_DEFAULT, 0, NULL, NULL,
	cord_get_command},
    {"PATCH /applications/commands", "PATCH", COMMANDS "/{command_id}", CORD_BUCKET_COMMANDS, 0, NULL,
	&cord_shape_command_patch, cord_update_command},
    {"DELETE /applications/commands", "DELETE", COMMANDS "/{command_id}", CORD_BUCKET_COMMANDS, 0, NULL, NULL,
	cord_delete_command},
    {"GET /applications/guilds/commands", "GET", GUILD_COMMANDS, CORD_BUCKET_DEFAULT, 0, &commands_query,
	NULL, cord_list_commands},
    {"PUT /applications/guilds/commands", "PUT", GUILD_COMMANDS, CORD_BUCKET_COMMANDS, CORD_LIST_BODY, NULL,
	&cord_shape_command_put, cord_bulk_set_commands},
    {"POST /applications/guilds/commands", "POST", GUILD_COMMANDS, CORD_BUCKET_COMMANDS, 0, NULL,
	&cord_shape_command_create, cord_create_command},
    {"GET /applications/guilds/commands/id", "GET", GUILD_COMMANDS "/{command_id}", CORD_BUCKET_DEFAULT, 0,
	NULL, NULL, cord_get_command},
    {"PATCH /applications/guilds/commands", "PATCH", GUILD_COMMANDS "/{command_id}", CORD_BUCKET_COMMANDS, 0,
	NULL, &cord_shape_command_patch, cord_update_command},
    {"DELETE /applications/guilds/commands", "DELETE", GUILD_COMMANDS "/{command_id}", CORD_BUCKET_COMMANDS,
	0, NULL, NULL, cord_delete_command},

    {"POST /interactions/callback", "POST", "/interactions/{interaction_id}/{interaction_token}/callback",
	CORD_BUCKET_NONE, CORD_OPEN | CORD_FREE_BODY | CORD_UPLOADS | CORD_UNBOUND, &callback_query, NULL,
	cord_create_interaction_response},
    {"POST /webhooks", "POST", HOOK, CORD_BUCKET_WEBHOOK, CORD_OPEN | CORD_UPLOADS | CORD_UNBOUND,
	&execute_query, &cord_shape_webhook_send, cord_execute_webhook},
    {"GET /webhooks/messages/@original", "GET", HOOK "/messages/@original", CORD_BUCKET_WEBHOOK,
	CORD_OPEN | CORD_UNBOUND, &webhook_get, NULL, cord_get_webhook_message},
    {"PATCH /webhooks/messages/@original", "PATCH", HOOK "/messages/@original", CORD_BUCKET_WEBHOOK,
	CORD_OPEN | CORD_UPLOADS | CORD_UNBOUND, &webhook_query, &cord_shape_webhook_edit,
	cord_update_webhook_message},
    {"DELETE /webhooks/messages/@original", "DELETE", HOOK "/messages/@original", CORD_BUCKET_WEBHOOK,
	CORD_OPEN | CORD_UNBOUND, &webhook_get, NULL, cord_delete_webhook_message},
    {"GET /webhooks/messages", "GET", HOOK "/messages/{message_id}", CORD_BUCKET_WEBHOOK,
	CORD_OPEN | CORD_UNBOUND, &webhook_get, NULL, cord_get_webhook_message},
    {"PATCH /webhooks/messages", "PATCH", HOOK "/messages/{message_id}", CORD_BUCKET_WEBHOOK,
	CORD_OPEN | CORD_UPLOADS | CORD_UNBOUND, &webhook_query, &cord_shape_webhook_edit,
	cord_update_webhook_message},
    {"DELETE /webhooks/messages", "DELETE", HOOK "/messages/{message_id}", CORD_BUCKET_WEBHOOK,
	CORD_OPEN | CORD_UNBOUND, &webhook_get, NULL, cord_delete_webhook_message},
};

const size_t cord_endpoint_count = ARRAY_LEN(cord_endpoints);
