#ifndef PLAYGROUND_SLACK_CONTROL_TRANSCRIPT_H
#define PLAYGROUND_SLACK_CONTROL_TRANSCRIPT_H
/* What people see in chats; see struct platform. */
struct buf;
struct error;
struct json_object;
struct platform_progress;
struct slk_message;
struct slk_world;

void slk_transcript_chats(void *self, struct json_object *array);
int slk_transcript_write(void *self, struct json_object *in, struct buf *out, struct error *err);
int slk_transcript_progress(
    void *self, struct json_object *in, struct platform_progress *p, struct error *err);
/* Appends one message as in the transcript. */
void slk_transcript_write_message(struct slk_world *w, struct slk_message *m, struct buf *out);

#endif
