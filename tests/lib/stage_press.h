#ifndef TESTS_LIB_STAGE_PRESS_H
#define TESTS_LIB_STAGE_PRESS_H
/* Buttons under messages of a stage, and people who press them. */
#include "lib/stage.h"

/* Returns the id of a button of the last message that had buttons, which were so many; malloc'd. */
char *stage_button(const struct stage *st, size_t i, size_t of);
/* Makes a message, whose text is the id of a button, the press of that button under the bot's message.
 * Returns it. */
struct message *stage_press(struct message *m, const char *message_id);

#endif
