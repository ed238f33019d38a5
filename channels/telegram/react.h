#ifndef CHANNELS_TELEGRAM_REACT_H
#define CHANNELS_TELEGRAM_REACT_H
/* setMessageReaction (Bot API 10.x): channel_ops' react. A chat that refuses one, as its administrators may
 * choose, is not asked again. */
struct address;
struct channel;
struct error;
struct task;

/* Chats that are remembered to take no reactions. */
#define TELEGRAM_NO_REACTION_CHATS 32

struct telegram_no_reactions {
	char chats[TELEGRAM_NO_REACTION_CHATS][64]; /* a ring */
	unsigned next;
};

int telegram_react(struct task *t, struct channel *ch, const struct address *where, const char *message_id,
    const char *emoji, struct error *err);

#endif
