#include "playground/slack/http/method.h"

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
    {"bookmarks.add", slk_bookmarks_add},
    {"bookmarks.edit", slk_bookmarks_edit},
    {"bookmarks.list", slk_bookmarks_list},
    {"bookmarks.remove", slk_bookmarks_remove},
    {"bots.info", slk_bots_info},
    {"chat.appendStream", slk_chat_append_stream},
    {"chat.delete", slk_chat_delete},
    {"chat.deleteScheduledMessage", slk_chat_delete_scheduled_message},
    {"chat.getPermalink", slk_chat_get_permalink},
    {"chat.meMessage", slk_chat_me_message},
    {"chat.postEphemeral", slk_chat_post_ephemeral},
    {"chat.postMessage", slk_chat_post_message},
    {"chat.scheduleMessage", slk_chat_schedule_message},
    {"chat.scheduledMessages.list", slk_chat_scheduled_messages_list},
    {"chat.startStream", slk_chat_start_stream},
    {"chat.stopStream", slk_chat_stop_stream},
    {"chat.unfurl", slk_chat_unfurl},
    {"chat.update", slk_chat_update},
    {"conversations.archive", slk_conversations_archive},
    {"conversations.close", slk_conversations_close},
    {"conversations.create", slk_conversations_create},
    {"conversations.history", slk_conversations_history},
    {"conversations.info", slk_conversations_info},
    {"conversations.invite", slk_conversations_invite},
    {"conversations.join", slk_conversations_join},
    {"conversations.kick", slk_conversations_kick},
    {"conversations.leave", slk_conversations_leave},
    {"conversations.list", slk_conversations_list},
    {"conversations.mark", slk_conversations_mark},
    {"conversations.members", slk_conversations_members},
    {"conversations.open", slk_conversations_open},
    {"conversations.rename", slk_conversations_rename},
    {"conversations.replies", slk_conversations_replies},
    {"conversations.setPurpose", slk_conversations_set_purpose},
    {"conversations.setTopic", slk_conversations_set_topic},
    {"conversations.unarchive", slk_conversations_unarchive},
    {"emoji.list", slk_emoji_list},
    {"files.completeUploadExternal", slk_files_complete_upload},
    {"files.delete", slk_files_delete},
    {"files.getUploadURLExternal", slk_files_get_upload_url},
    {"files.info", slk_files_info},
    {"files.list", slk_files_list},
    {"files.upload", slk_files_upload},
    {"pins.add", slk_pins_add},
    {"pins.list", slk_pins_list},
    {"pins.remove", slk_pins_remove},
    {"reactions.add", slk_reactions_add},
    {"reactions.get", slk_reactions_get},
    {"reactions.list", slk_reactions_list},
    {"reactions.remove", slk_reactions_remove},
    {"team.info", slk_team_info},
    {"users.conversations", slk_users_conversations},
    {"users.getPresence", slk_users_get_presence},
    {"users.info", slk_users_info},
    {"users.list", slk_users_list},
    {"users.lookupByEmail", slk_users_lookup_by_email},
    {"users.profile.get", slk_users_profile_get},
    {"users.setPresence", slk_users_set_presence},
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
