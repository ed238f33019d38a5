#include "playground/slack/http/methods.h"

#include <stddef.h>
#include <string.h>

#include "playground/spec/spec.h"

const struct slk_method slk_methods[] = {
    {"api.test", slk_api_test},
    {"apps.connections.open", slk_apps_connections_open},
    {"assistant.threads.setStatus", slk_assistant_set_status},
    {"assistant.threads.setSuggestedPrompts", slk_assistant_set_suggested_prompts},
    {"assistant.threads.setTitle", slk_assistant_set_title},
    {"auth.revoke", slk_auth_revoke},
    {"auth.teams.list", slk_auth_teams_list},
    {"auth.test", slk_auth_test},
    {"bots.info", slk_bots_info},
    {"chat.appendStream", slk_chat_append_stream},
    {"chat.delete", slk_chat_delete},
    {"chat.getPermalink", slk_chat_get_permalink},
    {"chat.postEphemeral", slk_chat_post_ephemeral},
    {"chat.postMessage", slk_chat_post_message},
    {"chat.startStream", slk_chat_start_stream},
    {"chat.stopStream", slk_chat_stop_stream},
    {"chat.update", slk_chat_update},
    {"conversations.history", slk_conversations_history},
    {"conversations.info", slk_conversations_info},
    {"conversations.join", slk_conversations_join},
    {"conversations.list", slk_conversations_list},
    {"conversations.members", slk_conversations_members},
    {"conversations.open", slk_conversations_open},
    {"conversations.replies", slk_conversations_replies},
    {"files.completeUploadExternal", slk_files_complete_upload},
    {"files.getUploadURLExternal", slk_files_get_upload_url},
    {"files.info", slk_files_info},
    {"reactions.add", slk_reactions_add},
    {"reactions.get", slk_reactions_get},
    {"reactions.remove", slk_reactions_remove},
    {"users.conversations", slk_users_conversations},
    {"users.info", slk_users_info},
    {"users.list", slk_users_list},
    {"views.open", slk_views_open},
    {"views.publish", slk_views_publish},
    {"views.push", slk_views_push},
    {"views.update", slk_views_update},
    {NULL, NULL},
};

slk_method_fn *slk_method_find(const struct spec_record *spec)
{
	const struct slk_method *m = slk_methods;

	while (m->name && strcmp(m->name, spec->name) != 0)
		m++;
	return m->run;
}
