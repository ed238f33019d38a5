#ifndef PLAYGROUND_SLACK_HTTP_METHODS_H
#define PLAYGROUND_SLACK_HTTP_METHODS_H
/* The functions of the simulated methods, each in a file of its own group. */
#include "playground/slack/http/method.h"

slk_method_fn slk_api_test, slk_apps_connections_open, slk_assistant_set_status,
    slk_assistant_set_suggested_prompts, slk_assistant_set_title, slk_auth_revoke, slk_auth_teams_list,
    slk_auth_test, slk_bots_info, slk_chat_append_stream, slk_chat_delete, slk_chat_get_permalink,
    slk_chat_post_ephemeral, slk_chat_post_message, slk_chat_start_stream, slk_chat_stop_stream,
    slk_chat_update, slk_conversations_history, slk_conversations_info, slk_conversations_join,
    slk_conversations_list, slk_conversations_members, slk_conversations_open, slk_conversations_replies,
    slk_files_complete_upload, slk_files_get_upload_url, slk_files_info, slk_reactions_add, slk_reactions_get,
    slk_reactions_remove, slk_users_conversations, slk_users_info, slk_users_list, slk_views_open,
    slk_views_publish, slk_views_push, slk_views_update;

#endif
