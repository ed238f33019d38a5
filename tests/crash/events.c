#include "crash/events.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"

void events_load(struct events *ev, const char *side)
{
	char *path = xasprintf("%s/events", side), chunk[65536];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	buf_init(&ev->text);
	ev->at = 0;
	while (fd >= 0 && (n = read(fd, chunk, sizeof(chunk))) > 0)
		buf_add(&ev->text, chunk, (size_t)n);
	if (fd >= 0)
		close(fd);
	free(path);
}

void events_clear(struct events *ev)
{
	buf_clear(&ev->text);
	ev->at = 0;
}

void events_rewind(struct events *ev)
{
	ev->at = 0;
}

bool events_next(struct events *ev, struct event *e)
{
	struct shim_event head;
	size_t left = ev->text.len - ev->at;
	const char *from = ev->text.data + ev->at;

	if (left < sizeof(head))
		return false;
	memcpy(&head, from, sizeof(head));
	if (left - sizeof(head) < head.path_len + head.data_len || head.path_len >= sizeof(e->path))
		return false;
	*e = (struct event){.op = head.op, .point = head.point, .at = head.at, .data_len = head.data_len};
	memcpy(e->path, from + sizeof(head), head.path_len);
	e->data = from + sizeof(head) + head.path_len;
	ev->at += sizeof(head) + head.path_len + head.data_len;
	return true;
}

const char *events_op_name(enum shim_op op)
{
	static const char *const names[] = SHIM_OP_NAMES;

	return op < ARRAY_LEN(names) ? names[op] : "?";
}
