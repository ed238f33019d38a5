#include "playground/telegram/http/methods.h"

#include <stddef.h>
#include <string.h>

#include "playground/spec/spec.h"

const struct method methods[] = {
    {"answerCallbackQuery", method_answer_callback_query},
    {"close", method_close},
    {"closeForumTopic", method_close_forum_topic},
    {"copyMessage", method_copy_message},
    {"copyMessages", method_copy_messages},
    {"createForumTopic", method_create_forum_topic},
    {"deleteForumTopic", method_delete_forum_topic},
    {"deleteMessage", method_delete_message},
    {"deleteMessages", method_delete_messages},
    {"deleteMyCommands", method_delete_my_commands},
    {"deleteWebhook", method_delete_webhook},
    {"editForumTopic", method_edit_forum_topic},
    {"editMessageCaption", method_edit_message_caption},
    {"editMessageLiveLocation", method_edit_message_live_location},
    {"editMessageReplyMarkup", method_edit_message_reply_markup},
    {"editMessageText", method_edit_message_text},
    {"forwardMessage", method_forward_message},
    {"forwardMessages", method_forward_messages},
    {"getChat", method_get_chat},
    {"getChatAdministrators", method_get_chat_administrators},
    {"getChatMember", method_get_chat_member},
    {"getFile", method_get_file},
    {"getMe", method_get_me},
    {"getMyCommands", method_get_my_commands},
    {"getUpdates", method_get_updates},
    {"getWebhookInfo", method_get_webhook_info},
    {"leaveChat", method_leave_chat},
    {"logOut", method_log_out},
    {"reopenForumTopic", method_reopen_forum_topic},
    {"sendAnimation", method_send_media},
    {"sendAudio", method_send_media},
    {"sendChatAction", method_send_chat_action},
    {"sendContact", method_send_contact},
    {"sendDice", method_send_dice},
    {"sendDocument", method_send_media},
    {"sendLocation", method_send_location},
    {"sendMediaGroup", method_send_media_group},
    {"sendMessage", method_send_message},
    {"sendMessageDraft", method_send_message_draft},
    {"sendPhoto", method_send_media},
    {"sendSticker", method_send_media},
    {"sendVenue", method_send_venue},
    {"sendVideo", method_send_media},
    {"sendVideoNote", method_send_media},
    {"sendVoice", method_send_media},
    {"setMessageReaction", method_set_message_reaction},
    {"setMyCommands", method_set_my_commands},
    {"setWebhook", method_set_webhook},
    {"stopMessageLiveLocation", method_stop_message_live_location},
    {NULL, NULL},
};

method_fn *method_find(const struct spec_record *spec)
{
	const struct method *m = methods;

	while (m->name && strcmp(m->name, spec->name) != 0)
		m++;
	return m->run;
}
