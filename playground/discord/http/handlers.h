#ifndef PLAYGROUND_DISCORD_HTTP_HANDLERS_H
#define PLAYGROUND_DISCORD_HTTP_HANDLERS_H
/* The endpoint functions (struct cord_endpoint), named after the operations of Discord's OpenAPI
 * description. */
struct cord_call;

int cord_add_my_message_reaction(struct cord_call *call);
int cord_bulk_set_commands(struct cord_call *call);
int cord_create_command(struct cord_call *call);
int cord_create_dm(struct cord_call *call);
int cord_create_interaction_response(struct cord_call *call);
int cord_create_message(struct cord_call *call);
int cord_create_thread(struct cord_call *call);
int cord_create_thread_from_message(struct cord_call *call);
int cord_delete_command(struct cord_call *call);
int cord_delete_message(struct cord_call *call);
int cord_delete_my_message_reaction(struct cord_call *call);
int cord_delete_webhook_message(struct cord_call *call);
int cord_execute_webhook(struct cord_call *call);
int cord_get_bot_gateway(struct cord_call *call);
int cord_get_channel(struct cord_call *call);
int cord_get_command(struct cord_call *call);
int cord_get_gateway(struct cord_call *call);
int cord_get_guild(struct cord_call *call);
int cord_get_guild_member(struct cord_call *call);
int cord_get_message(struct cord_call *call);
int cord_get_my_application(struct cord_call *call);
int cord_get_my_user(struct cord_call *call);
int cord_get_user(struct cord_call *call);
int cord_get_webhook_message(struct cord_call *call);
int cord_join_thread(struct cord_call *call);
int cord_leave_thread(struct cord_call *call);
int cord_list_active_threads(struct cord_call *call);
int cord_list_commands(struct cord_call *call);
int cord_list_guild_channels(struct cord_call *call);
int cord_list_guild_roles(struct cord_call *call);
int cord_list_message_reactions(struct cord_call *call);
int cord_list_messages(struct cord_call *call);
int cord_list_my_guilds(struct cord_call *call);
int cord_trigger_typing(struct cord_call *call);
int cord_update_channel(struct cord_call *call);
int cord_update_command(struct cord_call *call);
int cord_update_message(struct cord_call *call);
int cord_update_webhook_message(struct cord_call *call);

#endif
