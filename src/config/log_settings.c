#include "config/log_settings.h"

#include <stdlib.h>
#include <string.h>

#include "base/config/config.h"
#include "base/mem.h"

const struct config_section log_section = {
    .path = "log",
    .help = "The level of single modules: `log: { session = \"debug\"; http = \"error\"; };`. A module is "
	    "the word before the colon in a log line; for a channel, it is the channel's name. log_level is "
	    "the level of all others. `/log` shows the levels and changes them until the next start.",
};

static void read_module(struct log_settings *out, struct config *cfg, const char *name)
{
	char *path = xasprintf("log.%s", name);
	const char *text = config_string(cfg, path);
	enum log_level level;

	if (!text || log_level_parse(text, &level) < 0)
		config_error(cfg, path, "%s must be one of \"error\", \"warn\", \"info\", \"debug\".", path);
	else if (out->count == LOG_MODULES_MAX || strlen(name) > LOG_MODULE_NAME_MAX)
		config_error(cfg, path,
		    "%s: at most %d modules, with names of at most %d letters, have levels of their own.",
		    path, LOG_MODULES_MAX, LOG_MODULE_NAME_MAX);
	else if (!log_is_module_name(name))
		config_error(cfg, path,
		    "%s: the name of a module has no \"*\". Write the word before the colon of a log line, "
		    "one module in each entry.",
		    path);
	else {
		str_copy(out->modules[out->count].name, sizeof(out->modules[0].name), name);
		out->modules[out->count++].level = level;
	}
	free(path);
}

void log_settings_read(struct log_settings *out, struct config *cfg)
{
	const char **names = NULL;
	size_t count = config_names(cfg, "log", &names);

	for (size_t i = 0; i < count; i++)
		read_module(out, cfg, names[i]);
	free(names);
}

bool log_settings_equal(const struct log_settings *a, const struct log_settings *b)
{
	bool equal = a->count == b->count;

	for (size_t i = 0; i < a->count && equal; i++)
		equal = strcmp(a->modules[i].name, b->modules[i].name) == 0 &&
		    a->modules[i].level == b->modules[i].level;
	return equal;
}

void log_settings_apply(enum log_level level, enum log_format format, const struct log_settings *s)
{
	log_setup(level, format);
	for (size_t i = 0; i < s->count; i++)
		log_set_level(s->modules[i].name, s->modules[i].level);
}
