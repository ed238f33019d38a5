#ifndef PLAYGROUND_DISCORD_CONTROL_TRANSCRIPT_H
#define PLAYGROUND_DISCORD_CONTROL_TRANSCRIPT_H
/* What people see in chats; see struct platform. */
struct buf;
struct cord_message;
struct error;
struct json_object;
struct platform_progress;

void cord_transcript_chats(void *self, struct json_object *array);
int cord_transcript_write(void *self, struct json_object *in, struct buf *out, struct error *err);
int cord_transcript_progress(
    void *self, struct json_object *in, struct platform_progress *p, struct error *err);
/* Returns one message as in the transcript; the caller owns it. */
struct json_object *cord_transcript_message(const struct cord_message *m);

#endif
