#ifndef PLAYGROUND_DISCORD_CONTROL_ACTIONS_H
#define PLAYGROUND_DISCORD_CONTROL_ACTIONS_H
/* Actions of people, and of the network: the rows for POST /control/NAME (see struct platform). */
struct error;
struct json_object;

int cord_control_attend(void *self, struct json_object *in, struct json_object *out, struct error *err);
int cord_control_chat(void *self, struct json_object *in, struct json_object *out, struct error *err);
int cord_control_command(void *self, struct json_object *in, struct json_object *out, struct error *err);
int cord_control_delete(void *self, struct json_object *in, struct json_object *out, struct error *err);
int cord_control_member(void *self, struct json_object *in, struct json_object *out, struct error *err);
int cord_control_press(void *self, struct json_object *in, struct json_object *out, struct error *err);
int cord_control_react(void *self, struct json_object *in, struct json_object *out, struct error *err);
int cord_control_say(void *self, struct json_object *in, struct json_object *out, struct error *err);
int cord_control_socket(void *self, struct json_object *in, struct json_object *out, struct error *err);
int cord_control_submit(void *self, struct json_object *in, struct json_object *out, struct error *err);
int cord_control_topic(void *self, struct json_object *in, struct json_object *out, struct error *err);
int cord_control_typing(void *self, struct json_object *in, struct json_object *out, struct error *err);
int cord_control_voice(void *self, struct json_object *in, struct json_object *out, struct error *err);
int cord_control_vote(void *self, struct json_object *in, struct json_object *out, struct error *err);

#endif
