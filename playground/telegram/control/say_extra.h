#ifndef PLAYGROUND_TELEGRAM_CONTROL_SAY_EXTRA_H
#define PLAYGROUND_TELEGRAM_CONTROL_SAY_EXTRA_H
/* What POST /control/say may add to a message beside text: files, a place, a quote, an origin, another name
 * to write in. */
struct error;
struct json_object;
struct message;
struct actor;
struct world;

/* Reads "contact", "location", "quote", "forward" and "sender_chat" of in. */
int say_read_extras(
    struct world *w, const struct actor *s, struct json_object *in, struct message *m, struct error *err);
/* Checks {"name","base64" or "size","kind"?,…} items of a message or album. */
int say_check_files(struct json_object *files, struct error *err);
/* Puts one of them, which was checked, into the message. */
int say_read_file(struct world *w, struct json_object *o, struct message *m, struct error *err);

#endif
