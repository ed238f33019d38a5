#ifndef CHANNELS_TELEGRAM_DESCRIBE_H
#define CHANNELS_TELEGRAM_DESCRIBE_H
/* Words for what is not text in a message, so that nothing that came is lost. Pure. */
struct buf;
struct json_object;

/* Appends "[photo]", "[voice message, 5 s]", "[document report.pdf, 12 kB]" for a Message (or the like);
 * nothing when it has no media. */
void telegram_describe_media(struct buf *out, struct json_object *message);
/* Appends a line that marks the text after it as somebody else's: a MessageOrigin. */
void telegram_describe_origin(struct buf *out, struct json_object *origin);
/* Appends the name of a User or Chat in one line, at most 64 characters; its id when it has none. */
void telegram_describe_name(struct buf *out, struct json_object *who);

#endif
