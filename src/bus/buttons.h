#ifndef BUS_BUTTONS_H
#define BUS_BUTTONS_H
/*
 * Buttons under a message, in display order. A delivery stores them as JSON text, which adapters read
 * with buttons_read. Only the core knows what a button's id means; an adapter hands it back unchanged in
 * a message of kind MESSAGE_PRESS.
 */
#include <stdbool.h>
#include <stddef.h>

struct error;

/* Limits that every platform meets: Telegram's callback_data has 64 bytes, a Slack label 75 characters, a
 * Discord label 80, and Discord has five rows of five. */
#define BUTTON_ID_MAX     64 /* bytes, printable ASCII */
#define BUTTON_LABEL_MAX  75 /* UTF-16 units; a longer label is cut */
#define BUTTONS_IN_ROW    5
#define BUTTONS_COUNT_MAX 25

enum button_style { BUTTON_PLAIN, BUTTON_PRIMARY, BUTTON_DANGER };

struct button {
	char *id, *label;
	enum button_style style;
	bool new_row; /* starts a new row */
};

/* Zero-initialised: none. */
struct buttons {
	struct button *items;
	size_t count;
};

/* Copies id and label. A full row continues in a new one. Aborts when the id is too long or there are more
 * than BUTTONS_COUNT_MAX: both are bugs. */
void buttons_add(struct buttons *b, const char *id, const char *label, enum button_style style, bool new_row);
/* Encodes the buttons for struct outbound. Returns malloc'd text, NULL when there are none. */
char *buttons_write(const struct buttons *b);
/* text may be NULL for none. Returns -1, with no buttons, unless buttons_write wrote the text. */
int buttons_read(struct buttons *b, const char *text, struct error *err);
void buttons_clear(struct buttons *b);

#endif
