#ifndef PLAYGROUND_TELEGRAM_CONTROL_ABOUT_H
#define PLAYGROUND_TELEGRAM_CONTROL_ABOUT_H
/* Chat details besides messages, and the content of files; see struct platform. */
struct error;
struct json_object;

int about_write(void *self, struct json_object *in, struct json_object *out, struct error *err);
int about_file(void *self, struct json_object *in, struct json_object *out, struct error *err);

#endif
