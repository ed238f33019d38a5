#ifndef PLAYGROUND_TELEGRAM_CONTROL_TRANSCRIPT_H
#define PLAYGROUND_TELEGRAM_CONTROL_TRANSCRIPT_H
/* What people see in chats; see struct platform. */
struct buf;
struct chat;
struct error;
struct json_object;
struct message;
struct platform_progress;

void transcript_chats(void *self, struct json_object *array);
int transcript_write(void *self, struct json_object *in, struct buf *out, struct error *err);
int transcript_progress(void *self, struct json_object *in, struct platform_progress *p, struct error *err);
/* Append one message, and all drafts separated by commas, as in the transcript. */
void transcript_write_message(const struct message *m, const struct chat *c, struct buf *out);
void transcript_write_drafts(struct chat *c, struct buf *out);

#endif
