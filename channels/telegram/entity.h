#ifndef CHANNELS_TELEGRAM_ENTITY_H
#define CHANNELS_TELEGRAM_ENTITY_H
/* Message entities (Bot API: MessageEntity): is a text said to us? Offsets count UTF-16 units. Pure. */
struct buf;
struct json_object;
struct telegram_self;

enum telegram_entity {
	TELEGRAM_ENTITY_TO_US =
	    1, /* a mention of us, or it begins with a command that is not another bot's */
	TELEGRAM_ENTITY_TO_ANOTHER = 2 /* it begins with another bot's command */
};

/* Returns flags. Appends the text without a leading @name or /command@name of ours; where nothing would be
 * left, the text as it is. text is valid UTF-8; entities may be NULL. */
unsigned telegram_entity_read(
    struct buf *out, const char *text, struct json_object *entities, const struct telegram_self *self);

#endif
