#ifndef CLI_INIT_CONFIG_H
#define CLI_INIT_CONFIG_H
/* `myna init`: the answers to a few questions, and the configuration that is made of them. */
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
	const char *text;     /* the question; NULL: not asked, an option only */
	const char *platform; /* asked for this one only; NULL: always */
	const char *fallback; /* when the answer is empty; NULL: there has to be one */
	bool secret;          /* not shown, and kept in a file of its own */
	int (*check)(const char *answer, struct error *err);
};

extern const struct init_row init_rows[INIT_QUESTIONS];

/* Is the question asked, after what was said of the platforms? */
bool init_wants(char *const *answers, enum init_question q);
/* -1: what is wrong with the answer, as a sentence. */
int init_check(enum init_question q, const char *answer, struct error *err);
/* Writes the secrets, each to a file (mode 0600) beside the configuration, and the configuration to path
 * (mode 0600), once it is in order; report gets what is wrong with it otherwise. force: over what is
 * there. */
int init_write(const char *path, char *const *answers, bool force, struct buf *report, struct error *err);

#endif
