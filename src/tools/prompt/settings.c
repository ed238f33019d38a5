#include "tools/prompt/settings.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static const char *const notes_for[] = {
    [PROMPT_NOTES_NOBODY] = "nobody", [PROMPT_NOTES_ADMINS] = "admins", [PROMPT_NOTES_USERS] = "users", NULL};

static const struct config_key keys[] = {
    {.name = "file_limit",
	.type = CONFIG_SIZE,
	.offset = offsetof(struct prompt_settings, file_bytes),
	.fallback = "16 KiB",
	.min = 256,
	.max = 256 * 1024,
	.help =
	    "Maximum size of one file; the rest is cut off at the end of a line, with a note to the model."},
    {.name = "files",
	.type = CONFIG_STRINGS,
	.offset = offsetof(struct prompt_settings, files),
	.fallback = "AGENTS.md, SOUL.md",
	.help = "Files of the folder that the model gets as instructions, in this order; missing ones are "
		"skipped. A change applies from the next message on."},
    {.name = "folder",
	.type = CONFIG_STRING,
	.offset = offsetof(struct prompt_settings, folder),
	.help = "The folder of files and notes; created if missing. Default: the workspace. Any other folder "
		"must be outside of the workspace and the roots; then file tools and, from sandbox level S1 "
		"on, commands cannot change them."},
    {.name = "instructions",
	.type = CONFIG_STRING,
	.offset = offsetof(struct prompt_settings, instructions),
	.help = "Instructions for every chat, placed before the files."},
    {.name = "limit",
	.type = CONFIG_SIZE,
	.offset = offsetof(struct prompt_settings, bytes),
	.fallback = "48 KiB",
	.min = 256,
	.max = 1024 * 1024,
	.help =
	    "Maximum size of all files and notes together; the excess is cut off, from the last ones first."},
    {.name = "notes",
	.type = CONFIG_STRINGS,
	.offset = offsetof(struct prompt_settings, notes),
	.fallback = "MEMORY.md, USER.md",
	.help = "Files of the folder that the model gets as data, not as instructions: facts about things "
		"and people."},
    {.name = "notes_for",
	.type = CONFIG_ENUM,
	.offset = offsetof(struct prompt_settings, notes_for),
	.fallback = "admins",
	.choices = notes_for,
	.help =
	    "In whose private chats the model gets the notes. It never gets them in groups or for guests."},
    {.name = "skills",
	.type = CONFIG_STRING,
	.offset = offsetof(struct prompt_settings, skills),
	.help = "A folder of skills, each a folder with a SKILL.md; created if missing. See docs/skills.md. "
		"It must be outside of the workspace and the roots."},
    {.name = "skills_limit",
	.type = CONFIG_INT,
	.offset = offsetof(struct prompt_settings, skills_max),
	.fallback = "50",
	.min = 1,
	.max = 500,
	.help = "Maximum number of skills that the model sees."},
    {.name = "workspace_skills",
	.type = CONFIG_BOOL,
	.offset = offsetof(struct prompt_settings, workspace_skills),
	.fallback = "false",
	.help = "Also use the skills in the folder skills of the workspace. The agent can write there, so a "
		"stranger could make it teach itself something."},
};

const struct config_section prompt_section = {
    .path = "prompt",
    .keys = keys,
    .key_count = ARRAY_LEN(keys),
    .help = "What the model gets as system prompt; docs/prompt.md shows all of it.",
};

/* They must be in the folder itself, not in a subfolder. */
static void check_names(const struct config_strings *names, const char *key, struct config *cfg)
{
	for (size_t i = 0; i < names->count; i++) {
		const char *name = names->items[i];
		char *path = xasprintf("prompt.%s[%zu]", key, i);
		if (*name == '\0' || *name == '.' || strchr(name, '/'))
			config_error(cfg, path,
			    "%s: \"%.64s\" is no name of a file in the folder. Write it without a path.", key,
			    name);
		free(path);
	}
}

void prompt_settings_read(struct prompt_settings *s, struct config *cfg)
{
	config_read(cfg, prompt_section.path, &prompt_section, s);
	check_names(&s->files, "files", cfg);
	check_names(&s->notes, "notes", cfg);
}

void prompt_settings_clear(struct prompt_settings *s)
{
	config_settings_clear(keys, ARRAY_LEN(keys), s);
}
