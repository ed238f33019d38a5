#include "gateway/gateway_internal.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "base/log.h"

static int manager = -1;
static struct sockaddr_un place;
static socklen_t place_len;
static struct clock_timer feeder;
static uint64_t feed_ms; /* 0: no watchdog */

static void tell(const char *text)
{
	if (manager < 0)
		return;
	if (sendto(manager, text, strlen(text), MSG_NOSIGNAL | MSG_DONTWAIT, (struct sockaddr *)&place,
		place_len) < 0)
		log_warn("gateway", "cannot tell the service manager: %s", strerror(errno));
}

static void feed(struct clock_timer *timer, void *arg)
{
	tell("WATCHDOG=1");
	clock_timer_start(timer, feed_ms, feed, arg);
}

/* A path, or a name in the abstract namespace after "@". */
static void open_socket(const char *name)
{
	size_t len = strlen(name);

	if ((*name != '/' && *name != '@') || len < 2 || len >= sizeof(place.sun_path))
		return;
	place.sun_family = AF_UNIX;
	memcpy(place.sun_path, name, len);
	if (*name == '@')
		place.sun_path[0] = '\0';
	place_len = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + len);
	manager = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
}

/* A third of the watchdog's interval. */
static uint64_t feed_interval(const char *usec, const char *pid)
{
	if (!usec || (pid && strtol(pid, NULL, 10) != (long)getpid()))
		return 0;
	uint64_t ms = strtoull(usec, NULL, 10) / 3000;

	return ms > 0 ? ms : 1;
}

void sd_notify_begin(void)
{
	const char *name = getenv("NOTIFY_SOCKET");

	if (name)
		open_socket(name);
	feed_ms = manager >= 0 ? feed_interval(getenv("WATCHDOG_USEC"), getenv("WATCHDOG_PID")) : 0;
	unsetenv("NOTIFY_SOCKET");
	unsetenv("WATCHDOG_USEC");
	unsetenv("WATCHDOG_PID");
	if (feed_ms > 0)
		feed(&feeder, NULL);
}

static void tell_status(const char *before, const char *status)
{
	struct buf text = BUF_INIT;

	buf_addf(&text, "%sSTATUS=%s", before, status);
	tell(text.data);
	buf_clear(&text);
}

void sd_notify_ready(const char *status)
{
	tell_status("READY=1\n", status);
}

void sd_notify_status(const char *status)
{
	tell_status("", status);
}

void sd_notify_stopping(void)
{
	tell("STOPPING=1\nSTATUS=stopping");
}

void sd_notify_end(void)
{
	clock_timer_stop(&feeder);
	if (manager >= 0)
		close(manager);
	manager = -1;
}
