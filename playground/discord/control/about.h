#ifndef PLAYGROUND_DISCORD_CONTROL_ABOUT_H
#define PLAYGROUND_DISCORD_CONTROL_ABOUT_H
/* Channel details besides messages, and the content of files; see struct platform. */
struct error;
struct json_object;

int cord_about_write(void *self, struct json_object *in, struct json_object *out, struct error *err);
int cord_about_file(void *self, struct json_object *in, struct json_object *out, struct error *err);

#endif
