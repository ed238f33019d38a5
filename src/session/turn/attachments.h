#ifndef SESSION_TURN_ATTACHMENTS_H
#define SESSION_TURN_ATTACHMENTS_H
/*
 * Files that came with messages: loaded before the turn that answers them begins, into the workspace, where
 * the agent's tools find them. What a crash cut off is done again, and finds what was complete. Every file
 * ends with its path or with the reason why it was not taken; voice messages also with what was said in them.
 */
#include <stdint.h>

struct coalesced;
struct config_section;
struct error;
struct session;
struct task;

/* files: { … } in the config. */
struct files_settings {
	int64_t at_once;    /* downloads of all chats */
	int64_t chat_max;   /* bytes kept of one chat; 0: any */
	int64_t count_max;  /* files of one turn */
	int64_t file_max;   /* bytes of one file */
	int64_t timeout_ms; /* of one download */
	int64_t turn_max;   /* bytes of all files of one turn */
};

extern const struct config_section files_section; /* "files" */

/* Gives way to attachments_stop, and files that are not loaded by then stay so. -1:
 * cancelled, and the messages wait for the next start. */
int attachments_download(struct task *t, struct session *s, const struct coalesced *b, struct error *err);
/* Ends the loading that is under way, if there is one. */
void attachments_stop(struct session *s);

#endif
