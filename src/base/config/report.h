#ifndef BASE_CONFIG_REPORT_H
#define BASE_CONFIG_REPORT_H
/* What was found wrong in a configuration: collected, then printed in the order of the text. */
#include <stddef.h>

#include "base/config/text.h"

struct buf;
struct config_setting_t;

enum config_severity { CONFIG_ERRORS, CONFIG_WARNINGS, CONFIG_SEVERITIES };

struct config_reports {
	struct config_text text; /* the lines that reports speak of */
	struct config_found {
		struct config_report *items;
		size_t count;
	} found[CONFIG_SEVERITIES];
};

void config_reports_init(struct config_reports *r);
void config_reports_clear(struct config_reports *r);
/* A report at a line of the text. The same sentence at the same line is kept once;
 * after a thousand, one more says that there are more. */
__attribute__((format(printf, 4, 5))) void config_report_line(
    struct config_reports *r, enum config_severity severity, unsigned line, const char *fmt, ...);
/* A report at the line of a setting, with its path before the sentence: channels.main.allow[0]: ... */
__attribute__((format(printf, 4, 5))) void config_report(struct config_reports *r,
    enum config_severity severity, const struct config_setting_t *s, const char *fmt, ...);
/* The path of a setting, appended; nothing for the top. */
void config_report_path(struct buf *out, const struct config_setting_t *s);
/* A text of the file as it can stand in a sentence: short and without control characters. _quote: in
 * quotes. */
void config_report_sanitize(struct buf *out, const char *text, size_t len);
void config_report_quote(struct buf *out, const char *text);
/* FILE:LINE: sentence, one a line, sorted by line. */
void config_reports_write(const struct config_reports *r, enum config_severity severity, struct buf *out);

#endif
