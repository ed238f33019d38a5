#ifndef PLAYGROUND_TELEGRAM_HTTP_METHOD_H
#define PLAYGROUND_TELEGRAM_HTTP_METHOD_H
/* The simulated Bot API methods. The table says what parameters each has; they are judged before it runs. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "net/server/server.h"
#include "playground/server/exchange.h"
#include "playground/spec/spec.h"
#include "playground/telegram/world/bot.h"
#include "playground/telegram/world/chat.h"
#include "playground/telegram/world/message.h"
#include "playground/telegram/world/world.h"

/* One request of a bot. */
struct call {
	struct exchange *ex;
	struct world *world;
	struct bot *bot;
	const struct spec_record *spec; /* the method's row; NULL: there is no such method */
	struct json_object *params;     /* judged: what is known has the types of the row */
	bool multipart;                 /* Objects among the params are file parts */
	struct buf result;              /* JSON value */
	const char *description;        /* besides the result; NULL: none */
	int error_code;                 /* 0: success */
	unsigned retry_after;
	int64_t migrated_to;
	struct buf error;
};

/* Return 0 with call->result, or -1 after call_fail or call_refuse. */
typedef int method_fn(struct call *call);
typedef int method_task_fn(struct task *t, struct call *call);

struct method {
	const char *name;
	method_fn *run;
	method_task_fn *run_task; /* in its place: of one that suspends */
};

/* By name (methods.awk); a row of NULLs ends them. */
extern const struct method methods[];
const struct method *method_find(const struct spec_record *spec); /* NULL when it is not simulated */

/* Judges call->params by the row. Returns -1 after call_refuse. */
int params_judge(struct call *call);

/* Fails a valid request because of the current state. Returns -1. */
/* Undocumented: the Bot API documents no texts of errors. These are in the source of the official server, or
 * were logged by bots; so are those in methods.table. */
__attribute__((format(printf, 3, 4))) int call_fail(struct call *call, int error_code, const char *fmt, ...);
/* Refuses an invalid request: the verdict is "refused". Prefixes the text with "Bad Request: ". Returns
 * -1. */
__attribute__((format(printf, 2, 3))) int call_refuse(struct call *call, const char *fmt, ...);
/* Responds 429. Returns -1. */
int call_limit(struct call *call, unsigned retry_after);
/* Is it a call of that method? For functions that serve two. */
bool call_is(const struct call *call, const char *method);
/* Answers true. Returns 0. */
int call_true(struct call *call);

/* Returns the chat of chat_id if the bot may act there, or NULL after call_fail. */
struct chat *call_chat(struct call *call);
/* The same for another parameter than chat_id. */
struct chat *call_chat_of(struct call *call, const char *param);
/* Returns the message of message_id, or NULL after call_fail with "message WHAT not found". */
struct message *call_message(struct call *call, const struct chat *c, const char *what);
/* Takes over allowed_updates, if it is given. */
void call_read_allowed(struct call *call);
/* Returns an integer parameter, or fallback. Undocumented: one outside of the limits becomes the nearest
 * inside (the source of the official server). */
int64_t call_within(
    const struct call *call, const char *param, int64_t fallback, int64_t least, int64_t most);
/* Checks message_thread_id against the chat and sets *thread, 0 for none. */
int call_thread(struct call *call, const struct chat *c, int64_t *thread);

/* The functions of the simulated methods, each in a file of its own group. */

method_fn method_add_sticker_to_set, method_answer_callback_query, method_answer_guest_query,
    method_answer_inline_query, method_answer_pre_checkout_query, method_answer_shipping_query,
    method_ban_chat_member, method_ban_sender_chat, method_close, method_close_topic,
    method_create_forum_topic, method_create_invoice_link, method_create_new_sticker_set,
    method_delete_business_messages, method_delete_chat_photo, method_delete_chat_sticker_set,
    method_delete_ephemeral_message, method_delete_forum_topic, method_delete_message, method_delete_messages,
    method_delete_my_commands, method_delete_reactions, method_delete_sticker_from_set,
    method_delete_sticker_set, method_delete_webhook, method_edit_chat_invite_link,
    method_edit_chat_subscription_invite_link, method_edit_forum_topic, method_edit_general_forum_topic,
    method_edit_message_caption, method_edit_message_checklist, method_edit_message_live_location,
    method_edit_message_media, method_edit_message_reply_markup, method_edit_message_text,
    method_end_join_request, method_export_chat_invite_link, method_get_business_connection, method_get_chat,
    method_get_chat_administrators, method_get_chat_member, method_get_chat_member_count,
    method_get_chat_menu_button, method_get_custom_emoji_stickers, method_get_file,
    method_get_game_high_scores, method_get_me, method_get_my_commands,
    method_get_my_default_administrator_rights, method_get_my_star_balance, method_get_my_text,
    method_get_star_transactions, method_get_sticker_set, method_get_user_profile_photos,
    method_get_webhook_info, method_leave_chat, method_log_out, method_make_invite_link, method_pass_message,
    method_pass_messages, method_pin_chat_message, method_promote_chat_member, method_read_business_message,
    method_refund_star_payment, method_remove_my_profile_photo, method_replace_sticker_in_set,
    method_restrict_chat_member, method_revoke_chat_invite_link, method_save_prepared_inline_message,
    method_send_chat_action, method_send_checklist, method_send_contact, method_send_dice, method_send_game,
    method_send_invoice, method_send_location, method_send_media, method_send_media_group,
    method_send_message, method_send_message_draft, method_send_poll, method_send_rich_message,
    method_send_rich_message_draft, method_send_venue, method_set_chat_administrator_custom_title,
    method_set_chat_description, method_set_chat_member_tag, method_set_chat_menu_button,
    method_set_chat_permissions, method_set_chat_photo, method_set_chat_sticker_set, method_set_chat_title,
    method_set_game_score, method_set_general_topic, method_set_message_reaction, method_set_my_commands,
    method_set_my_default_administrator_rights, method_set_my_profile_photo, method_set_my_text,
    method_set_sticker_emoji_list, method_set_sticker_mask_position, method_set_sticker_position_in_set,
    method_set_sticker_set_title, method_set_webhook, method_stop_message_live_location, method_stop_poll,
    method_unban_chat_member, method_unpin_all_chat_messages, method_unpin_chat_message, method_unpin_topic,
    method_upload_sticker_file;

method_task_fn method_get_updates;

/* An InputFile: a part of the multipart body, attach://NAME of such a part, or a known file_id. Bot API,
 * "Sending files": at most 50 MB; photos 10 MB, width + height up to 10,000, ratio up to 20. */

struct upload {
	enum media_kind kind;
	const struct file *known; /* the file of a file_id, or NULL: */
	const char *name, *data;  /* borrowed from the request */
	size_t len;
};

/* value: the parameter, or the member of an InputMedia. Returns -1 after call_fail or call_refuse. */
int upload_read(struct call *call, struct json_object *value, enum media_kind kind, struct upload *u);
/* Returns the file for a message. */
struct file *upload_keep(struct call *call, const struct upload *u);
/* The same for a sticker set, or a block of a rich message: it is the world's. */
struct file *upload_keep_unsent(struct call *call, const struct upload *u);

#endif
