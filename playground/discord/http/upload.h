#ifndef PLAYGROUND_DISCORD_HTTP_UPLOAD_H
#define PLAYGROUND_DISCORD_HTTP_UPLOAD_H
/* Files that come with a message: parts files[n], and the rows of "attachments" that speak of them. */
struct cord_call;
struct cord_message;
struct json_object;

/* Gives m the files of the call. -1 after a failure. */
int cord_upload_read(struct cord_call *call, struct json_object *body, struct cord_message *m);
/* The same where m has files: "attachments", if it is given, lists all that stay. */
int cord_upload_read_edit(struct cord_call *call, struct json_object *body, struct cord_message *m);
/* Discord: resources/message, Voice Messages. */
int cord_upload_check_voice(struct cord_call *call, const struct cord_message *m);

#endif
