#ifndef BUS_BUS_INTERNAL_H
#define BUS_BUS_INTERNAL_H
/* The inside of the bus, for bus.c, sender.c, channel.c and live.c. */
#include "base/list.h"
#include "base/task.h"
#include "bus/bus.h"

struct bus {
	struct journal journal;
	struct bus_handler handler;
	struct list channels;
	void *senders; /* tsearch tree of struct sender by channel and chat */
	size_t sender_count;
	struct list lives;
	struct list waiters;        /* bus_await */
	struct journal_move *moves; /* chats that have another id now */
	size_t move_count;
	struct task_group tasks; /* senders, and signs of life */
	char *files;             /* where copies of files wait to be sent; NULL: nowhere */
	/* Of quiet hours. */
	int64_t (*quiet_hours_until)(void *arg, const struct address *to);
	void *quiet_arg;
	struct task *watch; /* looks after rows that wait for their time; NULL: there are none */
	bool stopping;      /* no further row is begun */
};

/* A row has reached its end: tells the handler and those who wait. */
void bus_delivered(struct bus *b, const struct outbound *row);

#endif
