#ifndef CONFIG_GATEWAY_CONFIG_H
#define CONFIG_GATEWAY_CONFIG_H
/* The complete configuration, read through the tables of all parts. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/budget_settings.h"
#include "base/config/config.h"
#include "bus/targets.h"
#include "config/http_settings.h"
#include "config/log_settings.h"
#include "session/access/access.h"
#include "session/turn/attachments.h"
#include "session/session_settings.h"
#include "store/retention/retention.h"
#include "store/cluster.h"
#include "store/settings.h"
#include "tools/mcp/settings.h"

struct buf;
struct channel_ops;
struct error;
struct json_object;
struct llm;
struct tools;

/* The top level of the file. */
struct gateway_settings {
	char *state, *control, *name, *reports;
	int log_level, log_format; /* enum log_level, enum log_format */
	int64_t turns_at_once, queue_most;
};

struct gateway_channel {
	char *name;
	const struct channel_ops *ops;
	struct access_settings access;
	struct quiet_hours quiet;
	void *settings; /* the adapter's */
	bool implied;   /* added by default, not in the file */
};

struct gateway_config {
	char *path; /* of the requested file */
	/* the errors of that file, a line each, when the last good configuration replaces it; else NULL */
	char *broken;
	struct config *file;
	struct gateway_settings top;
	struct gateway_channel *channels;
	size_t channel_count;
	struct targets targets;
	struct http_settings http;
	struct log_settings log;
	struct files_settings files;
	struct session_settings sessions;
	struct retention retention;
	struct store_settings store;
	struct cluster_settings cluster;
	struct mcp_settings mcp;
	struct budget_settings budgets;
	struct llm *llm;
	struct tools *tools;
};

/* Returns FILE of -c, else $MYNA_CONFIG, else the installed path. */
const char *gateway_config_path(const char *option);
/* Reads everything. Returns 0, or -1 with all errors in report, one FILE:LINE: message a line. Without
 * errors report gets the warnings. Clear gc in any case. */
int gateway_config_load(struct gateway_config *gc, const char *file, struct buf *report);
/* Reads only the top level: enough to find the control socket. */
int gateway_config_load_top(struct gateway_config *gc, const char *file, struct buf *report);
void gateway_config_clear(struct gateway_config *gc);
/* Keeps old values of settings that need a restart in now, and appends a line for each to notes. */
void gateway_config_keep_restart_only(
    const struct gateway_config *old, struct gateway_config *now, struct buf *notes);
/* The revision of the file without what may differ between the nodes of a cluster. */
void gateway_config_revision(const struct gateway_config *gc, char out[CONFIG_REVISION_SIZE]);
const struct gateway_channel *gateway_config_channel(const struct gateway_config *gc, const char *name);
/* Appends the reference of all settings in Markdown. */
void gateway_config_document(struct buf *out);
/* Returns all settings as config_describe does. */
struct json_object *gateway_config_describe(void);

#endif
