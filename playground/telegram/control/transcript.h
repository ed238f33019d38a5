#ifndef PLAYGROUND_TELEGRAM_CONTROL_TRANSCRIPT_H
#define PLAYGROUND_TELEGRAM_CONTROL_TRANSCRIPT_H
/* What a person sees: the rows for the control interface, as struct platform has them. */
struct buf;
struct chat;
struct error;
struct json_object;
struct message;
struct platform_progress;

void transcript_chats(void *self, struct json_object *array);
int transcript_write(void *self, struct json_object *in, struct buf *out, struct error *err);
int transcript_progress(void *self, struct json_object *in, struct platform_progress *p, struct error *err);
/* One message, and all drafts separated by commas, as the transcript has them. */
void transcript_write_message(const struct message *m, const struct chat *c, struct buf *out);
void transcript_write_drafts(struct chat *c, struct buf *out);

#endif
