#ifndef SESSION_COMMANDS_BROADCAST_SEND_H
#define SESSION_COMMANDS_BROADCAST_SEND_H
/* /broadcast: a text of an admin to a target, with what became of it for each addressee. Private to
 * sessions. */
struct buf;
struct error;
struct post;
struct sessions;
struct task;

/* Sends and waits some seconds; a line for each addressee is added to reply. */
void broadcast_send(struct task *t, struct post *p, struct buf *reply);
/* The addressees, a line each. */
void broadcast_list(const struct post *p, struct buf *out);
/* A post as the data of a question, malloc'd, and back: text and addressees into p, whose bus is set. The
 * text is *text then, malloc'd. */
char *broadcast_encode(const struct post *p);
int broadcast_decode(struct post *p, const char *data, char **text, struct error *err);

#endif
