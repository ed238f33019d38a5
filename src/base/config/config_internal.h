#ifndef BASE_CONFIG_CONFIG_INTERNAL_H
#define BASE_CONFIG_CONFIG_INTERNAL_H
/* What the sources of base/config share: libconfig's tree and its source text. */
#include "base/config/config.h"
#include "base/config/report.h"

/* libconfig has a config_read too. */
#define config_read libconfig_read
#include <libconfig.h>
#undef config_read

struct config {
	struct config_t tree;
	struct config_reports reports;
};

#endif
