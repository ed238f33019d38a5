#ifndef CHANNELS_TELEGRAM_PARAMS_H
#define CHANNELS_TELEGRAM_PARAMS_H
/* Parameters that many methods share. Pure. */
#include <stdbool.h>
#include <stdint.h>

struct json_object;

/* A whole number, with nothing behind it. */
bool telegram_params_id(const char *text, int64_t *id);
/* A public group can be named by its @name instead of its id. */
void telegram_params_chat(struct json_object *params, const char *chat);
/* "" or the General topic sets nothing: that one is 1, and is refused when it is named. */
void telegram_params_thread(struct json_object *params, const char *thread);
/* Markdown, rendered, and a mark of ours behind it (NULL: none), which is the same in HTML. plain: without
 * parse_mode. */
void telegram_params_text(struct json_object *params, const char *markdown, const char *mark, bool plain);
/* The same as the caption of a file; nothing where both are empty. */
void telegram_params_caption(struct json_object *params, const char *markdown, const char *mark, bool plain);
/* A link preview fetches the URL: a way out for whatever a model was talked into writing there. */
void telegram_params_no_link_preview(struct json_object *params);
/* The message to answer; NULL sets nothing. */
void telegram_params_reply(struct json_object *params, const char *reply_to);
/* Buttons as struct outbound has them, as an inline keyboard. NULL sets nothing, which takes away what an
 * edited message had. */
void telegram_params_buttons(struct json_object *params, const char *buttons);

#endif
