#ifndef CHANNELS_TELEGRAM_PARAMS_H
#define CHANNELS_TELEGRAM_PARAMS_H
/* Builds parameters that several methods share. Pure. */
#include <stdbool.h>
#include <stdint.h>

struct json_object;

/* Parses a whole number without trailing text. */
bool telegram_params_id(const char *text, int64_t *id);
/* Sets chat_id: an id, or the @name of a public group. */
void telegram_params_chat(struct json_object *params, const char *chat);
/* Sets message_thread_id, except for "" and for the General topic (1), which Telegram refuses by id. */
void telegram_params_thread(struct json_object *params, const char *thread);
/* Sets the rendered Markdown followed by mark (NULL: none), which must read the same in HTML. plain:
 * without parse_mode. */
void telegram_params_text(struct json_object *params, const char *markdown, const char *mark, bool plain);
/* Sets the same as the caption of a file; nothing when both are empty. */
void telegram_params_caption(struct json_object *params, const char *markdown, const char *mark, bool plain);
/* Disables the link preview: it would fetch a URL that a prompt injection put into the text. */
void telegram_params_no_link_preview(struct json_object *params);
/* Sets the message to reply to; NULL sets nothing. */
void telegram_params_reply(struct json_object *params, const char *reply_to);
/* Sets struct outbound's buttons as an inline keyboard. NULL sets nothing, which removes the keyboard of
 * an edited message. */
void telegram_params_buttons(struct json_object *params, const char *buttons);

#endif
