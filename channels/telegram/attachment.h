#ifndef CHANNELS_TELEGRAM_ATTACHMENT_H
#define CHANNELS_TELEGRAM_ATTACHMENT_H
/* The files of a Message. Pure. */
#include <stdbool.h>

struct json_object;
struct message;

/* Appends the file of m to the message's attachments, its file_id as ref: of a photo the largest size. False
 * when it has none that could be fetched. */
bool telegram_attachment_read(struct message *out, struct json_object *m);

#endif
