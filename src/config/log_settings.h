#ifndef CONFIG_LOG_SETTINGS_H
#define CONFIG_LOG_SETTINGS_H
/* log: { MODULE = "LEVEL"; } in the configuration. */
#include <stdbool.h>

#include "base/log.h"

struct config;
struct config_section;

struct log_settings {
	struct {
		char name[LOG_MODULE_NAME_MAX + 1];
		enum log_level level;
	} modules[LOG_MODULES_MAX];
	size_t count;
};

extern const struct config_section log_section;

void log_settings_read(struct log_settings *out, struct config *cfg);
bool log_settings_equal(const struct log_settings *a, const struct log_settings *b);
/* Sets the global level and format, and the levels of these modules only. */
void log_settings_apply(enum log_level level, enum log_format format, const struct log_settings *s);

#endif
