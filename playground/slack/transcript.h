#ifndef PLAYGROUND_SLACK_TRANSCRIPT_H
#define PLAYGROUND_SLACK_TRANSCRIPT_H
/* What a person sees: the rows for the control interface, as struct platform has them. */
struct buf;
struct error;
struct json_object;
struct platform_progress;

void slk_transcript_chats(void *self, struct json_object *array);
int slk_transcript_write(void *self, struct json_object *in, struct buf *out, struct error *err);
int slk_transcript_progress(void *self, struct json_object *in, struct platform_progress *p, struct error *err);

#endif
