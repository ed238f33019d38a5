#ifndef SESSION_COMMANDS_BROADCAST_SEND_H
#define SESSION_COMMANDS_BROADCAST_SEND_H
/* Sending of /broadcast: one text to all recipients of a target, with the outcome for each. */
struct buf;
struct error;
struct post;
struct sessions;
struct task;

/* Sends, waits some seconds for outcomes, and appends a line for each recipient to reply. */
void broadcast_send(struct task *t, struct post *p, struct buf *reply);
/* Appends the recipients, a line each. */
void broadcast_list(const struct post *p, struct buf *out);
/* Encodes a post as the data of a question, malloc'd; decodes text and recipients into p, whose bus is set.
 * *text is malloc'd. */
char *broadcast_encode(const struct post *p);
int broadcast_decode(struct post *p, const char *data, char **text, struct error *err);

#endif
