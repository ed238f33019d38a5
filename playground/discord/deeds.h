#ifndef PLAYGROUND_DISCORD_DEEDS_H
#define PLAYGROUND_DISCORD_DEEDS_H
/* What people do, and what happens to connections: the rows for POST /control/NAME (see struct platform). */
struct error;
struct json_object;

int cord_deed_chat(void *self, struct json_object *in, struct json_object *out, struct error *err);
int cord_deed_command(void *self, struct json_object *in, struct json_object *out, struct error *err);
int cord_deed_delete(void *self, struct json_object *in, struct json_object *out, struct error *err);
int cord_deed_member(void *self, struct json_object *in, struct json_object *out, struct error *err);
int cord_deed_press(void *self, struct json_object *in, struct json_object *out, struct error *err);
int cord_deed_react(void *self, struct json_object *in, struct json_object *out, struct error *err);
int cord_deed_say(void *self, struct json_object *in, struct json_object *out, struct error *err);
int cord_deed_socket(void *self, struct json_object *in, struct json_object *out, struct error *err);
int cord_deed_topic(void *self, struct json_object *in, struct json_object *out, struct error *err);
int cord_deed_typing(void *self, struct json_object *in, struct json_object *out, struct error *err);

#endif
