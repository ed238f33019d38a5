#ifndef CHANNELS_SLACK_PRESS_H
#define CHANNELS_SLACK_PRESS_H
struct channel;
struct message;

/* channel_ops.answer_press: a message that only that person sees (chat.postEphemeral), where there is
 * something to say. The wait itself ended with the acknowledgement of the envelope. Best effort, in a task of
 * its own. */
void slack_press_answer(struct channel *ch, const struct message *m, const char *text);

#endif
