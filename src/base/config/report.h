#ifndef BASE_CONFIG_REPORT_H
#define BASE_CONFIG_REPORT_H
/* Errors and warnings of a configuration: collected, then printed in the order of the text. */
#include <stddef.h>

#include "base/config/text.h"

struct buf;
struct config_setting_t;

enum config_severity { CONFIG_ERRORS, CONFIG_WARNINGS, CONFIG_SEVERITIES };

struct config_reports {
	struct config_text text; /* the text that the reports refer to */
	struct config_found {
		struct config_report *items;
		size_t count;
	} found[CONFIG_SEVERITIES];
};

void config_reports_init(struct config_reports *r);
void config_reports_clear(struct config_reports *r);
/* Adds a report at a line of the text. A repeated sentence at the same line is dropped; the report after
 * the thousandth says that there are more. */
__attribute__((format(printf, 4, 5))) void config_report_line(
    struct config_reports *r, enum config_severity severity, unsigned line, const char *fmt, ...);
/* Adds a report at the line of a setting, with its path before the sentence: channels.main.allow[0]: ... */
__attribute__((format(printf, 4, 5))) void config_report(struct config_reports *r,
    enum config_severity severity, const struct config_setting_t *s, const char *fmt, ...);
/* Appends the path of a setting; nothing for the top. */
void config_report_path(struct buf *out, const struct config_setting_t *s);
/* Appends text of the file so that it fits into a sentence: short, without control characters. _quote adds
 * quotes. */
void config_report_sanitize(struct buf *out, const char *text, size_t len);
void config_report_quote(struct buf *out, const char *text);
/* Appends FILE:LINE: sentence, one a line, sorted by line. */
void config_reports_write(const struct config_reports *r, enum config_severity severity, struct buf *out);

#endif
