#ifndef CHANNELS_TELEGRAM_TELEGRAM_INTERNAL_H
#define CHANNELS_TELEGRAM_TELEGRAM_INTERNAL_H
/* What one Telegram account holds while it runs. For the sources of this folder. */
#include <stdbool.h>
#include <stdint.h>

#include "base/time/clock.h"
#include "base/task.h"
#include "channels/shared/rate_limit.h"
#include "channels/telegram/preview.h"
#include "channels/telegram/react.h"
#include "channels/telegram/settings.h"
#include "channels/telegram/update.h"
#include "net/backoff.h"

struct channel;

struct telegram {
	struct channel *ch;
	const struct telegram_settings *settings;
	const struct telegram_limits *limits;
	char *base;      /* api_base/bot<TOKEN>/: never in a log or an error */
	char *file_base; /* api_base/file/bot<TOKEN>/: neither */
	char *host;      /* of api_base, for logs and errors */
	struct telegram_self self;
	struct rate_limiter rate_limiter;
	struct task_group tasks;
	bool stopping;
	bool refused;    /* the token: nothing is called any more */
	bool identified; /* self, webhook and offset are settled */

	/* Polling. */
	struct task *poller; /* NULL when it has ended */
	struct clock_timer watchdog;
	bool stale;     /* the watchdog ended the poller: a new one follows */
	bool fresh;     /* the next poll takes a new connection */
	int64_t offset; /* the next update that is wanted; 0: not known */
	int64_t asked;  /* the offset of a poll that the server has: all before it is confirmed */
	struct backoff retry;
	unsigned conflicts;        /* in a row */
	unsigned unreadable;       /* answers in a row that could not be read */
	unsigned narrow;           /* so many polls still ask for one update at a time */
	uint64_t skipped, unknown; /* updates since the start */

	unsigned presses;       /* button answers under way */
	unsigned typing_errors; /* in a row */
	struct telegram_no_drafts no_drafts;
	struct telegram_no_reactions no_reactions;
	bool commands_started;                 /* the list of commands is seen to */
	bool commands_running, commands_again; /* at this moment; and once more after it */
};

#endif
