#ifndef PLAYGROUND_TELEGRAM_CONTROL_SAY_EXTRA_H
#define PLAYGROUND_TELEGRAM_CONTROL_SAY_EXTRA_H
/* Message content of POST /control/say besides text: files, a location, a quote, a forward origin, a
 * sender chat. */
struct error;
struct json_object;
struct message;
struct actor;
struct world;

/* Reads "contact", "location", "quote", "forward" and "sender_chat" of in. */
int say_read_extras(
    struct world *w, const struct actor *s, struct json_object *in, struct message *m, struct error *err);
/* Validates the {"name","base64" or "size","kind"?,...} items of a message or album. */
int say_check_files(struct json_object *files, struct error *err);
/* Adds one validated item to the message. */
int say_read_file(struct world *w, struct json_object *o, struct message *m, struct error *err);

#endif
