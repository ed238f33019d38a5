#ifndef CHANNELS_DISCORD_PARAMS_H
#define CHANNELS_DISCORD_PARAMS_H
/* The form of a message (Create Message and Edit Message, API v10). Pure. */
#include <stdbool.h>
#include <stddef.h>

struct discord_settings;
struct json_object;

/* Chosen by us, at most 25 characters: Discord takes a message with the same nonce of the last minutes for
 * the same. */
#define DISCORD_NONCE_MAX 26

/* Markdown, rendered, and a mark of ours behind it (NULL: none). What a model wrote mentions nobody: said
 * each time, also in edits, because what is left out is allowed. */
void discord_params_text(struct json_object *params, const struct discord_settings *settings,
    const char *markdown, const char *mark);
/* The message to answer; NULL, or one that is no message's id, sets nothing. */
void discord_params_reply(struct json_object *params, const char *reply_to);
/* The file of the part files[0]. */
void discord_params_file(struct json_object *params, const char *name);
void discord_params_nonce(struct json_object *params, const char *nonce);
/* Buttons as struct outbound has them; NULL takes away what an edited message had. */
void discord_params_buttons(struct json_object *params, const char *buttons, bool edit);

#endif
