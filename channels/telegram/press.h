#ifndef CHANNELS_TELEGRAM_PRESS_H
#define CHANNELS_TELEGRAM_PRESS_H
struct telegram;

/* answerCallbackQuery in a task of its own: it ends the button's spinner, and nothing depends on it.
 * Dropped when too many are under way. */
void telegram_press_answer(struct telegram *tg, const char *query_id);

#endif
