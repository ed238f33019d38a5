#ifndef PLAYGROUND_DISCORD_HTTP_HANDLERS_H
#define PLAYGROUND_DISCORD_HTTP_HANDLERS_H
/* The endpoint functions, named after the operations of Discord's OpenAPI description; by= of a row names one
 * that serves several. */
#include "playground/discord/http/endpoint.h"

cord_endpoint_fn cord_add_my_message_reaction, cord_add_thread_member, cord_ban_user_from_guild,
    cord_bulk_ban_users_from_guild, cord_bulk_delete_messages, cord_bulk_set_commands,
    cord_bulk_update_guild_channels, cord_bulk_update_guild_roles, cord_change_entitlement,
    cord_change_member_role, cord_count_guild_scheduled_event_users, cord_create_channel_invite,
    cord_create_command, cord_create_dm, cord_create_entitlement, cord_create_guild_channel,
    cord_create_guild_template, cord_create_interaction_response, cord_create_message, cord_create_pin,
    cord_create_resource, cord_create_stage_instance, cord_create_thread, cord_create_thread_from_message,
    cord_create_webhook, cord_crosspost_message, cord_delete_all_message_reactions,
    cord_delete_all_message_reactions_by_emoji, cord_delete_channel, cord_delete_channel_permission_overwrite,
    cord_delete_command, cord_delete_guild_member, cord_delete_guild_role, cord_delete_guild_template,
    cord_delete_message, cord_delete_my_message_reaction, cord_delete_pin, cord_delete_resource,
    cord_delete_stage_instance, cord_delete_thread_member, cord_delete_user_message_reaction,
    cord_delete_webhook, cord_delete_webhook_message, cord_deprecated_list_pins,
    cord_execute_slack_compatible_webhook, cord_execute_webhook, cord_follow_channel,
    cord_get_active_guild_threads, cord_get_answer_voters, cord_get_bot_gateway, cord_get_channel,
    cord_get_command, cord_get_entitlement, cord_get_entitlements, cord_get_gateway, cord_get_guild,
    cord_get_guild_application_command_permissions, cord_get_guild_ban, cord_get_guild_member,
    cord_get_guild_preview, cord_get_guild_template, cord_get_guild_vanity_url, cord_get_guild_webhooks,
    cord_get_guild_widget, cord_get_message, cord_get_my_application, cord_get_my_user, cord_get_onboarding,
    cord_get_resource, cord_get_soundboard_default_sounds, cord_get_stage_instance, cord_get_sticker,
    cord_get_sticker_pack, cord_get_thread_member, cord_get_user, cord_get_voice_state, cord_get_webhook,
    cord_get_webhook_message, cord_get_welcome_screen, cord_get_widget_settings,
    cord_guild_role_member_counts, cord_guild_search, cord_invite_resolve, cord_invite_revoke,
    cord_join_thread, cord_leave_guild, cord_leave_thread, cord_list_channel_invites,
    cord_list_channel_webhooks, cord_list_commands, cord_list_guild_application_command_permissions,
    cord_list_guild_audit_log_entries, cord_list_guild_bans, cord_list_guild_channels,
    cord_list_guild_integrations, cord_list_guild_invites, cord_list_guild_members,
    cord_list_guild_scheduled_event_users, cord_list_guild_templates, cord_list_message_reactions_by_emoji,
    cord_list_messages, cord_list_my_guilds, cord_list_my_private_archived_threads, cord_list_pins,
    cord_list_private_archived_threads, cord_list_public_archived_threads, cord_list_resources,
    cord_list_sticker_packs, cord_list_thread_members, cord_list_voice_regions, cord_poll_expire,
    cord_prune_guild, cord_role_metadata, cord_search_guild_members, cord_send_soundboard_sound,
    cord_set_channel_permission_overwrite, cord_set_guild_application_command_permissions,
    cord_sync_guild_template, cord_thread_search, cord_trigger_typing_indicator, cord_unban_user_from_guild,
    cord_update_application, cord_update_channel, cord_update_command, cord_update_guild,
    cord_update_guild_incident_actions, cord_update_guild_member, cord_update_guild_template,
    cord_update_message, cord_update_my_guild_member, cord_update_my_user, cord_update_resource,
    cord_update_stage_instance, cord_update_voice_channel_status, cord_update_voice_state,
    cord_update_webhook, cord_update_webhook_message;

#endif
