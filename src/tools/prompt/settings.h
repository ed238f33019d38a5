#ifndef TOOLS_PROMPT_SETTINGS_H
#define TOOLS_PROMPT_SETTINGS_H
/* The settings "prompt": the contents of the system prompt. tools_new reads them, because tools protect the
 * files. */
#include <stdbool.h>
#include <stdint.h>

#include "base/config/config.h"

/* Whose private chats get the notes. */
enum prompt_notes_for { PROMPT_NOTES_NOBODY, PROMPT_NOTES_ADMINS, PROMPT_NOTES_USERS };

struct prompt_settings {
	char *instructions; /* NULL for none */
	char *folder;       /* of the files; NULL: the workspace */
	char *skills;       /* a folder; NULL for none */
	struct config_strings files, notes;
	int64_t bytes, file_bytes, skills_max;
	int notes_for; /* enum prompt_notes_for */
	bool workspace_skills;
};

extern const struct config_section prompt_section; /* "prompt" */

/* Reports errors to cfg. */
void prompt_settings_read(struct prompt_settings *s, struct config *cfg);
void prompt_settings_clear(struct prompt_settings *s);

#endif
