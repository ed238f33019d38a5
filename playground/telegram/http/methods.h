#ifndef PLAYGROUND_TELEGRAM_HTTP_METHODS_H
#define PLAYGROUND_TELEGRAM_HTTP_METHODS_H
/* The functions of the simulated methods, each in a file of its own group. */
#include "playground/telegram/http/method.h"

method_fn method_answer_callback_query, method_close, method_close_forum_topic, method_copy_message,
    method_copy_messages, method_create_forum_topic, method_delete_forum_topic, method_delete_message,
    method_delete_messages, method_delete_my_commands, method_delete_webhook, method_edit_forum_topic,
    method_edit_message_caption, method_edit_message_live_location, method_edit_message_reply_markup,
    method_edit_message_text, method_forward_message, method_forward_messages, method_get_chat,
    method_get_chat_administrators, method_get_chat_member, method_get_file, method_get_me,
    method_get_my_commands, method_get_updates, method_get_webhook_info, method_leave_chat, method_log_out,
    method_reopen_forum_topic, method_send_chat_action, method_send_contact, method_send_dice,
    method_send_location, method_send_media, method_send_media_group, method_send_message,
    method_send_message_draft, method_send_venue, method_set_message_reaction, method_set_my_commands,
    method_set_webhook, method_stop_message_live_location;

#endif
