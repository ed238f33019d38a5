#include <linux/tcp.h>
#include <libwebsockets.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "base/task.h"
#include "net/websocket/websocket_internal.h"

/*
 * Asks the kernel whether bytes arrived: it also knows of those that wait to be read, and its count does
 * not depend on a clock that a test may have replaced.
 */
static bool received(const struct websocket *w, struct tcp_info *info)
{
	socklen_t len = sizeof(*info);

	*info = (struct tcp_info){0};
	return w->wsi && getsockopt(lws_get_socket_fd(w->wsi), IPPROTO_TCP, TCP_INFO, info, &len) == 0;
}

void websocket_lifecycle_check(struct websocket *w)
{
	struct tcp_info info;
	uint64_t now = clock_now(), ago;

	if (received(w, &info) && info.tcpi_bytes_received != w->bytes_seen) {
		ago = info.tcpi_last_data_recv < now - w->checked_ms ? info.tcpi_last_data_recv :
								       now - w->checked_ms;
		if (now - ago > w->received_ms)
			w->received_ms = now - ago;
		w->bytes_seen = info.tcpi_bytes_received;
	}
	/* While we do not read, the other side cannot be blamed for silence. */
	if (w->paused)
		w->received_ms = now;
	w->checked_ms = now;
}

static void on_timer(struct clock_timer *timer, void *arg)
{
	struct websocket *w = arg;
	uint64_t silence;

	if (w->state != WEBSOCKET_OPEN)
		return;
	websocket_lifecycle_check(w);
	silence = clock_now() - w->received_ms;
	if (silence >= 2 * w->ping_ms) {
		snprintf(w->failure, sizeof(w->failure),
		    "no sign of life for %llu s, also not in answer to a ping",
		    (unsigned long long)silence / 1000);
		w->state = WEBSOCKET_ENDING;
		if (w->waiter)
			task_wake(w->waiter);
		return;
	}
	if (silence >= w->ping_ms) {
		w->ping_wanted = true;
		websocket_flush(w);
	}
	clock_timer_start(
	    timer, silence >= w->ping_ms ? 2 * w->ping_ms - silence : w->ping_ms - silence, on_timer, w);
}

void websocket_life_note(struct websocket *w)
{
	w->received_ms = clock_now();
}

void websocket_life_begin(struct websocket *w)
{
	struct tcp_info info;

	w->received_ms = w->checked_ms = clock_now();
	w->bytes_seen = received(w, &info) ? info.tcpi_bytes_received : 0;
	if (w->ping_ms > 0)
		clock_timer_start(&w->timer, w->ping_ms, on_timer, w);
}
