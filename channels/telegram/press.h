#ifndef CHANNELS_TELEGRAM_PRESS_H
#define CHANNELS_TELEGRAM_PRESS_H
struct channel;
struct message;

/* channel_ops.answer_press: answerCallbackQuery in a task of its own. It ends the button's spinner, and
 * nothing depends on it. Dropped when too many are under way. */
void telegram_press_answer(struct channel *ch, const struct message *m, const char *text);

#endif
