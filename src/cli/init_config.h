#ifndef CLI_INIT_CONFIG_H
#define CLI_INIT_CONFIG_H
/* `myna init`: its questions, and the configuration made from the answers. */
#include <stdbool.h>

struct buf;
struct error;

enum init_question {
	INIT_PLATFORMS,
	INIT_TELEGRAM_TOKEN,
	INIT_TELEGRAM_ALLOW,
	INIT_TELEGRAM_API,
	INIT_SLACK_BOT_TOKEN,
	INIT_SLACK_APP_TOKEN,
	INIT_SLACK_ALLOW,
	INIT_SLACK_API,
	INIT_DISCORD_TOKEN,
	INIT_DISCORD_ALLOW,
	INIT_DISCORD_API,
	INIT_BASE_URL,
	INIT_MODEL,
	INIT_KEY,
	INIT_STATE,
	INIT_QUESTIONS
};

struct init_row {
	const char *option;   /* --OPTION */
	const char *text;     /* the question; NULL: an option only */
	const char *platform; /* asked only for this platform; NULL: always */
	const char *fallback; /* default of an empty answer; NULL: an answer is required */
	bool secret;          /* not echoed; stored in a file of its own */
	int (*check)(const char *answer, struct error *err);
};

extern const struct init_row init_rows[INIT_QUESTIONS];

/* Returns true when the question applies to the chosen platforms. */
bool init_wants(char *const *answers, enum init_question q);
/* Returns -1 with a sentence when the answer is invalid. */
int init_check(enum init_question q, const char *answer, struct error *err);
/* Writes the secrets, each to a file (mode 0600) beside the configuration, and a valid configuration to
 * path (mode 0600); report gets its errors otherwise. force: overwrites existing files. */
int init_write(const char *path, char *const *answers, bool force, struct buf *report, struct error *err);

#endif
