#ifndef CHANNELS_DISCORD_DISCORD_INTERNAL_H
#define CHANNELS_DISCORD_DISCORD_INTERNAL_H
/* What one Discord account holds while it runs. For the sources of this folder. */
#include <stdbool.h>
#include <stdint.h>

#include "base/list.h"
#include "base/task.h"
#include "channels/discord/dm.h"
#include "channels/discord/event.h"
#include "channels/discord/identify_limit.h"
#include "channels/discord/rate_limit.h"
#include "channels/discord/cache.h"
#include "channels/discord/event_queue.h"
#include "channels/discord/react.h"
#include "channels/discord/gateway_session.h"
#include "channels/discord/settings.h"
#include "channels/discord/typing.h"
#include "channels/shared/rate_limit.h"
#include "net/backoff.h"

struct channel;

struct discord {
	struct channel *ch;
	const struct discord_settings *settings;
	const struct discord_limits *limits;
	char *base;          /* api_base without a slash at its end */
	char *host;          /* of it, for logs and errors */
	char *authorization; /* "Bot TOKEN" */
	struct discord_self self;
	struct discord_rate_limiter rest_limiter;
	struct rate_limiter rate_limiter;
	struct task_group tasks;
	bool stopping;
	bool refused; /* a person must change something: nothing is called any more */

	/* The gateway. */
	struct task *gateway; /* NULL when it has ended */
	struct discord_gateway_session session;
	struct discord_identify_limit identifies;
	struct discord_event_queue queue; /* events on their way to the journal */
	struct backoff retry;
	bool content;        /* ask for the message content intent */
	unsigned resumes;    /* that failed in a row */
	unsigned unreached;  /* tries in a row that found no gateway */
	unsigned unreadable; /* frames since the last that was skipped */
	bool empty_told;     /* it was said that messages come without their content */

	struct discord_cache cache;
	uint64_t *pending_guilds; /* that READY named, and whose missed messages were not fetched yet */
	size_t pending_count;
	uint64_t pending_until; /* clock_now(): then they are given up */

	struct list greetings;    /* that wait */
	struct list interactions; /* that are to be answered */
	size_t interaction_count;
	struct discord_dms dms;
	struct discord_typings typings;
	struct discord_reactions reactions;
	bool commands_started;
};

#endif
