#ifndef PLAYGROUND_TELEGRAM_WORLD_KEYBOARD_H
#define PLAYGROUND_TELEGRAM_WORLD_KEYBOARD_H
/* reply_markup: what may stand in it, and the buttons of an inline keyboard. */
#include <stdbool.h>

struct buf;
struct call;
struct json_object;

/* Reads the parameter. *out is the inline keyboard as JSON text, to be freed; NULL where
 * there is none. Other markups are checked and forgotten, and refused when inline_only. */
int keyboard_read(struct call *call, bool inline_only, char **out);
/* Appends [{"id","label"},…]; the id is what a press names: callback_data, else a URL or the like. */
void keyboard_write_buttons(const char *markup, struct buf *out);
/* The callback_data of the button that a person means by id or label; NULL when there is no such
 * button, or pressing it tells the bot nothing. To be freed. */
char *keyboard_find(const char *markup, const char *button);

#endif
