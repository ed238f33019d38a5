#ifndef CHANNELS_DISCORD_PARAMS_H
#define CHANNELS_DISCORD_PARAMS_H
/* Builds message bodies (Create Message and Edit Message, API v10). Pure. */
#include <stdbool.h>
#include <stddef.h>

struct discord_settings;
struct json_object;

/* Bytes of a nonce with its NUL. Discord allows 25 characters, and for some minutes treats a message with
 * a known nonce as a repeat. */
#define DISCORD_NONCE_MAX 26

/* Sets the rendered Markdown followed by mark (NULL: none). Sets allowed_mentions each time, also in
 * edits, because Discord allows all mentions by default. */
void discord_params_text(struct json_object *params, const struct discord_settings *settings,
    const char *markdown, const char *mark);
/* Sets the message to reply to; NULL or an invalid id sets nothing. */
void discord_params_reply(struct json_object *params, const char *reply_to);
/* Describes the file of the part files[0]. */
void discord_params_file(struct json_object *params, const char *name);
void discord_params_nonce(struct json_object *params, const char *nonce);
/* Sets struct outbound's buttons; NULL removes those of an edited message. */
void discord_params_buttons(struct json_object *params, const char *buttons, bool edit);

#endif
