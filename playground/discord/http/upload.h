#ifndef PLAYGROUND_DISCORD_HTTP_UPLOAD_H
#define PLAYGROUND_DISCORD_HTTP_UPLOAD_H
/* Files of a message: the parts files[n] and the "attachments" that describe them. */
struct cord_call;
struct cord_message;
struct json_object;

/* Adds the files of the call to m. Returns -1 after a failure. */
int cord_upload_read(struct cord_call *call, struct json_object *body, struct cord_message *m);
/* The same for an edit: "attachments", if given, lists the files to keep. */
int cord_upload_read_edit(struct cord_call *call, struct json_object *body, struct cord_message *m);
/* Discord: resources/message, Voice Messages. */
int cord_upload_check_voice(struct cord_call *call, const struct cord_message *m);

#endif
