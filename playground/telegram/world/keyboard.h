#ifndef PLAYGROUND_TELEGRAM_WORLD_KEYBOARD_H
#define PLAYGROUND_TELEGRAM_WORLD_KEYBOARD_H
/* reply_markup: its validation, and the buttons of inline keyboards. */
#include <stdbool.h>

struct buf;
struct call;
struct json_object;

/* Reads the parameter. *out is the inline keyboard as JSON text, freed by the caller; NULL: none. Other
 * markups are validated and dropped; inline_only refuses them. */
int keyboard_read(struct call *call, bool inline_only, char **out);
/* The same of a markup that stands elsewhere; NULL: none. */
int keyboard_read_of(struct call *call, struct json_object *o, bool inline_only, char **out);
/* Appends [{"id","label"},...]; id is callback_data, else a URL or the like. */
void keyboard_write_buttons(const char *markup, struct buf *out);
/* Returns the callback_data of the button with that id or label, freed by the caller; NULL if there is
 * none or a press sends no update. */
char *keyboard_find(const char *markup, const char *button);

#endif
