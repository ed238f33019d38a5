#ifndef BUS_BUTTONS_H
#define BUS_BUTTONS_H
/*
 * Buttons under a message, in the order in which they are shown. A row of the outbox keeps them as text
 * (JSON), which adapters read with buttons_read. What a button's id means only the core knows; an adapter
 * hands it back as it is, in a message of kind MESSAGE_PRESS.
 */
#include <stdbool.h>
#include <stddef.h>

struct error;

/* What every platform takes: callback_data of Telegram has 64 bytes, a label of Slack 75 characters and of
 * Discord 80, Discord has five rows of five. */
#define BUTTON_ID_MAX     64 /* bytes, printable ASCII */
#define BUTTON_LABEL_MAX  75 /* UTF-16 units; a longer label is cut */
#define BUTTONS_IN_ROW    5
#define BUTTONS_COUNT_MAX 25

enum button_style { BUTTON_PLAIN, BUTTON_PRIMARY, BUTTON_DANGER };

struct button {
	char *id, *label;
	enum button_style style;
	bool new_row; /* the first of a row */
};

/* Zeroed: none. */
struct buttons {
	struct button *items;
	size_t count;
};

/* Copies id and label. A row that is full goes on in a new one. An id that is too long, or more than
 * BUTTONS_COUNT_MAX, is a mistake of ours, and ends the process. */
void buttons_add(struct buttons *b, const char *id, const char *label, enum button_style style, bool new_row);
/* As struct outbound has them: malloc'd, NULL when there are none. */
char *buttons_write(const struct buttons *b);
/* text may be NULL: none. -1, and none, for a text that buttons_write did not write. */
int buttons_read(struct buttons *b, const char *text, struct error *err);
void buttons_clear(struct buttons *b);

#endif
