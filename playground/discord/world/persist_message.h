#ifndef PLAYGROUND_DISCORD_WORLD_PERSIST_MESSAGE_H
#define PLAYGROUND_DISCORD_WORLD_PERSIST_MESSAGE_H
/* Saves and loads messages. */
struct cord_channel;
struct cord_message;
struct error;
struct json_object;

struct json_object *cord_persist_save_message(const struct cord_message *m);
/* Adds the message to the channel; its author and files are loaded already. */
int cord_persist_load_message(struct cord_channel *c, struct json_object *o, struct error *err);

#endif
