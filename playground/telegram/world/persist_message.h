#ifndef PLAYGROUND_TELEGRAM_WORLD_PERSIST_MESSAGE_H
#define PLAYGROUND_TELEGRAM_WORLD_PERSIST_MESSAGE_H
/* Saves and loads a message. */
struct chat;
struct error;
struct json_object;
struct message;
struct world;

struct json_object *persist_message_save(const struct message *m, const struct chat *c);
/* Appends it to the chat under its old id. */
int persist_message_load(struct world *w, struct chat *c, struct json_object *o, struct error *err);

#endif
