#ifndef CHANNELS_SLACK_SLACK_INTERNAL_H
#define CHANNELS_SLACK_SLACK_INTERNAL_H
/* What one Slack app holds while it runs. For the sources of this folder. */
#include <stdbool.h>
#include <stdint.h>

#include "base/time/clock.h"
#include "base/list.h"
#include "base/task.h"
#include "channels/shared/rate_limit.h"
#include "channels/slack/event.h"
#include "channels/slack/sync_state.h"
#include "channels/slack/users.h"
#include "channels/slack/recent_map.h"
#include "channels/slack/settings.h"
#include "channels/slack/stream.h"
#include "net/backoff.h"

struct channel;

struct slack {
	struct channel *ch;
	const struct slack_settings *settings;
	const struct slack_limits *limits;
	char *base; /* api_base without a slash at its end */
	char *host; /* of api_base, for logs and errors */
	struct slack_self self;
	struct rate_limiter rate_limiter; /* by conversation */
	struct rate_limiter methods;      /* by method: the tiers */
	int64_t ahead_ms;                 /* our wall clock before Slack's, as its last answer told */
	struct task_group tasks;
	bool stopping;
	bool refused; /* a token: nothing is called any more */

	/* Sockets: link.c. */
	struct task *keeper; /* makes connections; NULL when it has ended */
	struct list links;
	size_t socket_count;
	bool refresh;     /* the connection that is used wants to be replaced */
	uint64_t hold_ms; /* the keeper waits this long first */
	struct backoff retry;
	struct slack_sync_state heard;

	struct slack_users people;
	struct slack_recent_map threads;   /* in which we wrote: C1:1790000000.000100 */
	bool threads_changed;              /* since they were stored */
	struct task *threads_keeper;       /* which stores them; NULL: nothing is to be stored */
	struct slack_recent_map askers;    /* C1:TS of a message, and who wrote it */
	struct slack_recent_map statuses;  /* C1:TS of a thread, and when its status was shown last */
	struct slack_recent_map reactions; /* C1:TS of a message, and our reaction on it */
	struct slack_recent_map
	    response_urls; /* C1, and when the response_url of its last command ends, and that URL */
	struct slack_recent_map uploads; /* of rows with files, and the ids that the files got */
	struct slack_stream streams[SLACK_STREAMS_MAX];
	unsigned presses;                         /* answers to presses under way */
	bool no_streams, no_status, no_reactions; /* refused for good */
};

#endif
