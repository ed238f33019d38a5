#ifndef CHANNELS_SLACK_RECEIVE_H
#define CHANNELS_SLACK_RECEIVE_H
/* From the socket to the journal: envelopes are committed together, and acknowledged after that, on their own
 * socket. */
struct buf;
struct error;
struct json_object;
struct message;
struct slack;
struct slack_socket;
struct task;

/* Takes the message that was read, and all that wait behind it. -1: the link has to end. What was not
 * acknowledged comes again. */
int slack_receive(struct task *t, struct slack_socket *link, struct buf *message, struct error *err);

/* The message in an envelope's payload, NULL when it holds none; the caller's. Who asked, and whose name is
 * wanted, is remembered. */
struct message *slack_receive_read(struct slack *sk, const char *type, struct json_object *payload);

#endif
