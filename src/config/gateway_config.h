#ifndef CONFIG_GATEWAY_CONFIG_H
#define CONFIG_GATEWAY_CONFIG_H
/* The whole configuration, read through the rows of every part. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/budget_settings.h"
#include "bus/targets.h"
#include "config/http_settings.h"
#include "config/log_settings.h"
#include "session/access/access.h"
#include "session/turn/attachments.h"
#include "session/session_settings.h"
#include "store/retention/retention.h"
#include "tools/mcp/settings.h"

struct buf;
struct channel_ops;
struct config;
struct error;
struct llm;
struct tools;

/* The top of the file. */
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
	bool implied;   /* it stands not in the file */
};

struct gateway_config {
	char *path;   /* of the file that was asked for */
	char *broken; /* its mistakes, a line each, when this is the last good one in its place; NULL */
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
	struct mcp_settings mcp;
	struct budget_settings budgets;
	struct llm *llm;
	struct tools *tools;
};

/* FILE of -c, else $MYNA_CONFIG, else the installed place. */
const char *gateway_config_path(const char *option);
/* Reads everything. 0, or -1 with every error in report, one FILE:LINE: message a line. Warnings go to report
 * too when there is no error. Clear gc either way. */
int gateway_config_load(struct gateway_config *gc, const char *file, struct buf *report);
/* Only the top of the file: enough to find the control socket. */
int gateway_config_load_top(struct gateway_config *gc, const char *file, struct buf *report);
void gateway_config_clear(struct gateway_config *gc);
/* What takes effect with a restart only keeps its value of old in now, and stands in notes, a line each. */
void gateway_config_keep_restart_only(
    const struct gateway_config *old, struct gateway_config *now, struct buf *notes);
const struct gateway_channel *gateway_config_channel(const struct gateway_config *gc, const char *name);
/* The reference of all settings, in Markdown. */
void gateway_config_document(struct buf *out);

#endif
