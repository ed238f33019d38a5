#ifndef PLAYGROUND_SLACK_HTTP_METHODS_H
#define PLAYGROUND_SLACK_HTTP_METHODS_H
/* The functions of the simulated methods, each in a file of its own group. */
#include "playground/slack/http/method.h"

slk_method_fn slk_api_test, slk_apps_connections_open, slk_assistant_set_status,
    slk_assistant_set_suggested_prompts, slk_assistant_set_title, slk_auth_revoke, slk_auth_teams_list,
    slk_auth_test, slk_bookmarks_add, slk_bookmarks_edit, slk_bookmarks_list, slk_bookmarks_remove,
    slk_bots_info, slk_chat_append_stream, slk_chat_delete, slk_chat_delete_scheduled_message,
    slk_chat_get_permalink, slk_chat_me_message, slk_chat_post_ephemeral, slk_chat_post_message,
    slk_chat_schedule_message, slk_chat_scheduled_messages_list, slk_chat_start_stream, slk_chat_stop_stream,
    slk_chat_unfurl, slk_chat_update, slk_conversations_archive, slk_conversations_close,
    slk_conversations_create, slk_conversations_history, slk_conversations_info, slk_conversations_invite,
    slk_conversations_join, slk_conversations_kick, slk_conversations_leave, slk_conversations_list,
    slk_conversations_mark, slk_conversations_members, slk_conversations_open, slk_conversations_rename,
    slk_conversations_replies, slk_conversations_set_purpose, slk_conversations_set_topic,
    slk_conversations_unarchive, slk_emoji_list, slk_files_complete_upload, slk_files_delete,
    slk_files_get_upload_url, slk_files_info, slk_files_list, slk_files_upload, slk_pins_add, slk_pins_list,
    slk_pins_remove, slk_reactions_add, slk_reactions_get, slk_reactions_list, slk_reactions_remove,
    slk_team_info, slk_users_conversations, slk_users_get_presence, slk_users_info, slk_users_list,
    slk_users_lookup_by_email, slk_users_profile_get, slk_users_set_presence, slk_views_open,
    slk_views_publish, slk_views_push, slk_views_update;

#endif
