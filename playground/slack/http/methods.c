#include "playground/slack/http/methods.h"

#include <string.h>

#include "base/mem.h"

const struct slk_method *const slk_methods[] = {
    &slk_api_test,
    &slk_apps_connections_open,
    &slk_assistant_set_status,
    &slk_assistant_set_suggested_prompts,
    &slk_assistant_set_title,
    &slk_auth_test,
    &slk_bots_info,
    &slk_chat_append_stream,
    &slk_chat_delete,
    &slk_chat_get_permalink,
    &slk_chat_post_ephemeral,
    &slk_chat_post_message,
    &slk_chat_start_stream,
    &slk_chat_stop_stream,
    &slk_chat_update,
    &slk_conversations_history,
    &slk_conversations_info,
    &slk_conversations_join,
    &slk_conversations_list,
    &slk_conversations_members,
    &slk_conversations_open,
    &slk_conversations_replies,
    &slk_files_complete_upload,
    &slk_files_get_upload_url,
    &slk_files_info,
    &slk_reactions_add,
    &slk_reactions_get,
    &slk_reactions_remove,
    &slk_users_conversations,
    &slk_users_info,
    &slk_users_list,
    NULL,
};

/* Methods of the platform (docs.slack.dev, May 2026, as far as bots can use them) that are not simulated. */
static const char *const others[] = {
    "assistant.search.context",
    "assistant.search.info",
    "auth.revoke",
    "auth.teams.list",
    "bookmarks.add",
    "bookmarks.edit",
    "bookmarks.list",
    "bookmarks.remove",
    "chat.deleteScheduledMessage",
    "chat.meMessage",
    "chat.scheduleMessage",
    "chat.scheduledMessages.list",
    "chat.unfurl",
    "conversations.acceptSharedInvite",
    "conversations.approveSharedInvite",
    "conversations.archive",
    "conversations.close",
    "conversations.create",
    "conversations.declineSharedInvite",
    "conversations.invite",
    "conversations.inviteShared",
    "conversations.kick",
    "conversations.leave",
    "conversations.listConnectInvites",
    "conversations.mark",
    "conversations.rename",
    "conversations.setPurpose",
    "conversations.setTopic",
    "conversations.unarchive",
    "emoji.list",
    "files.comments.add",
    "files.comments.delete",
    "files.comments.edit",
    "files.delete",
    "files.list",
    "files.revokePublicURL",
    "files.sharedPublicURL",
    "files.upload",
    "pins.add",
    "pins.list",
    "pins.remove",
    "reactions.list",
    "team.info",
    "users.deletePhoto",
    "users.getPresence",
    "users.identity",
    "users.lookupByEmail",
    "users.profile.get",
    "users.profile.set",
    "users.setActive",
    "users.setPhoto",
    "users.setPresence",
    "views.open",
    "views.publish",
    "views.push",
    "views.update",
};

const struct slk_method *slk_method_find(const char *name)
{
	for (size_t i = 0; slk_methods[i]; i++)
		if (strcmp(slk_methods[i]->name, name) == 0)
			return slk_methods[i];
	return NULL;
}

bool slk_method_is_known(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(others); i++)
		if (strcmp(others[i], name) == 0)
			return true;
	return slk_method_find(name);
}
