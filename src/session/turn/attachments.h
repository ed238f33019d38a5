#ifndef SESSION_TURN_ATTACHMENTS_H
#define SESSION_TURN_ATTACHMENTS_H
/*
 * Files that came with messages. They are loaded into the workspace, where the tools find them, before
 * the turn that answers them begins. After a crash loading starts again and reuses complete files. Each
 * file ends with its path or the reason why it was refused; voice messages also with their transcript.
 */
#include <stdint.h>

struct coalesced;
struct config_section;
struct error;
struct session;
struct task;

/* files: { … } in the config. */
struct files_settings {
	int64_t at_once;    /* concurrent downloads of all chats */
	int64_t chat_max;   /* bytes kept of one chat; 0: no limit */
	int64_t count_max;  /* files of one turn */
	int64_t file_max;   /* bytes of one file */
	int64_t timeout_ms; /* for one download */
	int64_t turn_max;   /* bytes of all files of one turn */
};

extern const struct config_section files_section; /* "files" */

/* attachments_stop ends it early, and the other files stay unloaded. -1: cancelled, and the messages wait for
 * the next start. */
int attachments_download(struct task *t, struct session *s, const struct coalesced *b, struct error *err);
/* Ends the loading in progress, if any. */
void attachments_stop(struct session *s);

#endif
