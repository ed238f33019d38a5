#ifndef PLAYGROUND_SLACK_CONTROL_ABOUT_H
#define PLAYGROUND_SLACK_CONTROL_ABOUT_H
/* Details of a conversation besides messages, and the content of files; see struct platform. */
struct error;
struct json_object;

int slk_about_write(void *self, struct json_object *in, struct json_object *out, struct error *err);
int slk_about_file(void *self, struct json_object *in, struct json_object *out, struct error *err);

#endif
