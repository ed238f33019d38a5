#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/task.h"
#include "bus/bus.h"
#include "lib/fake_channel.h"
#include "lib/journal_memory.h"
#include "bus/outbox_file.h"
#include "bus/post.h"
#include "lib/until.h"

/* A platform that shows "[NAME: BYTES] CAPTION", and a folder with a file to send. */
struct stage {
	char dir[64], copies[80];
	struct journal_memory *memory;
	struct bus *bus;
	struct buf shown;
	struct error refused;
};

static struct stage *stage;

static char **split(const char *text)
{
	char **parts = xcalloc(3, sizeof(*parts));
	size_t half = strlen(text) / 2;

	parts[0] = xstrndup(text, half);
	parts[1] = xstrdup(text + half);
	return parts;
}

static int send_row(
    struct task *t, struct channel *ch, const struct outbound *row, char **platform_id, struct error *err)
{
	struct buf bytes = BUF_INIT;

	(void)ch;
	if (row->file && outbox_file_load(t, row, &bytes, err) < 0) {
		stage->refused = *err;
		return -1;
	}
	if (row->file)
		buf_addf(&stage->shown, "[%s: %s] ", row->file->name, bytes.data);
	buf_addf(&stage->shown, "%s\n", row->text);
	buf_clear(&bytes);
	*platform_id = xstrdup("1");
	return 0;
}

static const struct channel_ops ops = {
    .type = "fake",
    .caps = CHANNEL_FILES,
    .caption_max = 8,
    .start = fake_channel_start,
    .stop = fake_channel_stop,
    .split = split,
    .send = send_row,
};

static const struct channel_ops plain_ops = {.type = "plain",
    .start = fake_channel_start,
    .stop = fake_channel_stop,
    .split = split,
    .send = send_row};

static void received(void *arg, struct message *m)
{
	(void)arg;
	message_free(m);
}

static void stage_open(struct stage *s)
{
	struct journal journal = journal_memory_face(s->memory);
	struct bus_handler handler = {.received = received};

	stage = s;
	s->bus = bus_new(&journal, &handler);
	bus_set_files(s->bus, s->copies);
	assert_int_equal(ops.start(bus_add_channel(s->bus, "fake", &ops, NULL), NULL, NULL), 0);
	assert_int_equal(plain_ops.start(bus_add_channel(s->bus, "plain", &plain_ops, NULL), NULL, NULL), 0);
}

static const char *at(const struct stage *s, const char *name)
{
	static char path[160];

	snprintf(path, sizeof(path), "%s/%s", s->dir, name);
	return path;
}

static void write_file(const struct stage *s, const char *name, const char *text)
{
	int fd = open(at(s, name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

static struct attachment copy(const struct stage *s, const char *name)
{
	struct attachment file = {.name = xstrdup(name), .mime = xstrdup("text/plain"), .seconds = -1};
	int fd = open(at(s, name), O_RDONLY | O_CLOEXEC);
	struct error err;

	assert_true(fd >= 0);
	assert_int_equal(outbox_file_copy(s->copies, fd, 0, 0, &file, &err), 0);
	close(fd);
	return file;
}

static size_t copies(const struct stage *s)
{
	char command[128];
	unsigned n = 99;

	snprintf(command, sizeof(command), "ls %s 2>/dev/null | wc -l", s->copies);
	FILE *p = popen(command, "r");
	assert_int_equal(fscanf(p, "%u", &n), 1);
	pclose(p);
	return n;
}

static struct address chat(const char *channel)
{
	struct address a;

	assert_int_equal(address_set(&a, channel, "7", NULL, NULL), 0);
	return a;
}

/* Puts the file and returns the id of the last row. */
static int64_t put(struct task *t, struct stage *s, const char *name, const char *caption, const char *key)
{
	struct address to = chat("fake");
	struct attachment file = copy(s, name);
	struct error err = {0};
	size_t count;
	struct outbound **rows =
	    bus_file_rows(s->bus, &to, OUTBOUND_NOTIFICATION, &file, caption, NULL, key, 0, &count, &err);

	assert_non_null(rows);
	assert_null(file.path);
	assert_int_equal(bus_send(t, s->bus, rows, count, &err), 0);
	int64_t id = rows[count - 1]->id;
	bus_rows_free(rows, count);
	return id;
}

static enum outbound_state end_of(struct task *t, struct stage *s, int64_t id)
{
	struct outbound *row = bus_await(t, s->bus, id, 60000, NULL);

	assert_non_null(row);
	enum outbound_state state = row->state;
	outbound_free(row);
	return state;
}

static void wait_for_copies(struct task *t, struct stage *s, size_t n)
{
	task_until(t, copies(s) == n);
}

static void what_is_sent_is_what_was_put(struct task *t, struct stage *s)
{
	write_file(s, "a.txt", "first");
	struct attachment file = copy(s, "a.txt");
	struct address to = chat("fake");
	struct error err = {0};
	size_t count;
	write_file(s, "a.txt", "second");
	struct outbound **rows =
	    bus_file_rows(s->bus, &to, OUTBOUND_REPLY, &file, "look", NULL, "k", 0, &count, &err);
	assert_int_equal(count, 1);
	assert_int_equal(bus_send(t, s->bus, rows, count, &err), 0);
	assert_int_equal(end_of(t, s, rows[0]->id), OUTBOUND_SENT);
	assert_string_equal(s->shown.data, "[a.txt: first] look\n");
	bus_rows_free(rows, count);
	wait_for_copies(t, s, 0);
}

static void a_long_caption_follows_as_messages(struct task *t, struct stage *s)
{
	write_file(s, "a.txt", "x");
	assert_int_equal(end_of(t, s, put(t, s, "a.txt", "0123456789", "k")), OUTBOUND_SENT);
	assert_string_equal(s->shown.data, "[a.txt: x] \n01234\n56789\n");
}

static void the_same_key_sends_once(struct task *t, struct stage *s)
{
	write_file(s, "a.txt", "x");
	int64_t first = put(t, s, "a.txt", "cap", "k");
	assert_int_equal(put(t, s, "a.txt", "cap", "k"), first);
	assert_int_equal(end_of(t, s, first), OUTBOUND_SENT);
	/* Behind it, in the same chat. */
	assert_int_equal(end_of(t, s, put(t, s, "a.txt", "next", "k2")), OUTBOUND_SENT);
	assert_string_equal(s->shown.data, "[a.txt: x] cap\n[a.txt: x] next\n");
}

static void a_copy_that_is_gone_or_changed_is_refused(struct task *t, struct stage *s)
{
	struct address to = chat("fake");
	struct error err = {0};
	size_t count;

	write_file(s, "a.txt", "whole");
	for (int cut = 0; cut < 2; cut++) {
		struct attachment file = copy(s, "a.txt");
		assert_int_equal(cut ? truncate(file.path, 2) : unlink(file.path), 0);
		struct outbound **rows =
		    bus_file_rows(s->bus, &to, OUTBOUND_REPLY, &file, "", NULL, NULL, 0, &count, &err);
		assert_int_equal(bus_send(t, s->bus, rows, count, &err), 0);
		assert_int_equal(end_of(t, s, rows[0]->id), OUTBOUND_FAILED);
		assert_non_null(strstr(s->refused.text, cut ? "not what was to be sent" : "is gone"));
		bus_rows_free(rows, count);
	}
	assert_string_equal(s->shown.data, "");
}

static void a_copy_that_cannot_be_read_now_is_tried_again(struct task *t, struct stage *s)
{
	struct rlimit limit, tight;

	write_file(s, "a.txt", "whole");
	channel_set_status(bus_channel(s->bus, "fake"), CHANNEL_STOPPED, "away");
	int64_t id = put(t, s, "a.txt", "", NULL);
	int free_fd = dup(0);
	close(free_fd);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
	tight = limit;
	tight.rlim_cur = (rlim_t)free_fd;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &tight), 0);
	channel_set_status(bus_channel(s->bus, "fake"), CHANNEL_READY, "back");
	task_until(t, s->refused.kind != ERROR_NONE);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
	assert_int_equal(end_of(t, s, id), OUTBOUND_SENT);
	assert_non_null(strstr(s->refused.text, "cannot be read now"));
	assert_string_equal(s->shown.data, "[a.txt: whole] \n");
	wait_for_copies(t, s, 0);
}

static void a_channel_without_files_refuses(struct task *t, struct stage *s)
{
	struct address to = chat("plain");
	struct attachment file;
	struct error err = {0};
	size_t count;

	(void)t;
	write_file(s, "a.txt", "x");
	file = copy(s, "a.txt");
	outbox_file_remove(&file);
	assert_null(bus_file_rows(s->bus, &to, OUTBOUND_REPLY, &file, "", NULL, NULL, 0, &count, &err));
	assert_string_equal(err.text, "The channel plain cannot send files.");
	attachment_clear(&file);
}

static void in_a_chat_that_moved_nothing_is_answered(struct task *t, struct stage *s)
{
	const struct journal_move move = {"fake", "7", "8"};
	struct address to = chat("fake");
	struct error err = {0};
	size_t count;

	(void)t;
	write_file(s, "a.txt", "x");
	for (int moved = 0; moved < 2; moved++) {
		struct attachment file = copy(s, "a.txt");
		struct outbound **rows =
		    bus_file_rows(s->bus, &to, OUTBOUND_REPLY, &file, "", "5", NULL, 0, &count, &err);

		assert_non_null(rows);
		assert_string_equal(rows[0]->to.chat, moved ? "8" : "7");
		assert_int_equal(rows[0]->reply_to != NULL, !moved);
		outbox_file_remove(rows[0]->file);
		bus_rows_free(rows, count);
		bus_note_move(s->bus, &move);
	}
}

static void a_copy_keeps_its_limit(struct task *t, struct stage *s)
{
	struct attachment file = {.size = -1};
	struct error err = {0};

	(void)t;
	write_file(s, "a.txt", "12345");
	int fd = open(at(s, "a.txt"), O_RDONLY | O_CLOEXEC);
	assert_int_equal(outbox_file_copy(s->copies, fd, 4, 0, &file, &err), -1);
	assert_int_equal(err.kind, ERROR_REFUSED);
	assert_int_equal(copies(s), 0);
	lseek(fd, 0, SEEK_SET);
	assert_int_equal(outbox_file_copy(s->copies, fd, 5, INT64_MAX / 2, &file, &err), -1);
	assert_int_equal(err.kind, ERROR_LIMITED);
	assert_int_equal(copies(s), 0);
	assert_int_equal(outbox_file_copy(s->copies, fd, 5, 0, &file, &err), 0);
	assert_int_equal(file.size, 5);
	struct stat st;
	assert_int_equal(stat(file.path, &st), 0);
	assert_int_equal(st.st_mode & 077, 0);
	attachment_clear(&file);
	close(fd);
}

/* Posts a file, and returns when what that started has ended, but for the sender of the chat. */
static int post_copy(struct task *t, struct stage *s, const char *channel, const char *text,
    struct attachment file, int64_t *id)
{
	struct post p = {.bus = s->bus, .text = text, .key = "k"};
	struct address to = chat(channel);
	struct error err = {0};

	assert_int_equal(post_add(&p, &to, &err), 0);
	p.items[0].file = file;
	int rc = post_commit(t, &p, &err);
	if (rc == 0)
		*id = p.items[0].ids[0];
	post_clear(&p);
	task_until(t, bus_is_idle(s->bus, "plain"));
	return rc;
}

static void a_copy_that_no_delivery_takes_is_removed(struct task *t, struct stage *s)
{
	const struct error failed = {.kind = ERROR_NETWORK, .text = "gone"},
			   lost = {.kind = ERROR_NETWORK, .uncertain = true, .text = "lost"};
	int64_t id;

	write_file(s, "a.txt", "x");
	/* No row is made. */
	assert_int_equal(post_copy(t, s, "plain", "look", copy(s, "a.txt"), &id), -1);
	assert_int_equal(copies(s), 0);
	journal_memory_fail_next(s->memory, &failed);
	assert_int_equal(post_copy(t, s, "fake", "look", copy(s, "a.txt"), &id), -1);
	assert_int_equal(copies(s), 0);
	/* It may have been stored. */
	journal_memory_fail_next(s->memory, &lost);
	assert_int_equal(post_copy(t, s, "fake", "look", copy(s, "a.txt"), &id), -1);
	assert_int_equal(copies(s), 1);
}

static void a_repeat_leaves_the_copy_of_the_delivery_alone(struct task *t, struct stage *s)
{
	struct attachment again;
	struct outbound *row;
	int64_t id, id_again;

	write_file(s, "a.txt", "first");
	channel_set_status(bus_channel(s->bus, "fake"), CHANNEL_STOPPED, "away");
	assert_int_equal(post_copy(t, s, "fake", "look", copy(s, "a.txt"), &id), 0);
	write_file(s, "a.txt", "other");
	for (int i = 0; i < 2; i++) {
		assert_int_equal(
		    post_copy(t, s, "fake", i ? "other" : "look", copy(s, "a.txt"), &id_again), 0);
		assert_int_equal(id_again, id);
		assert_int_equal(copies(s), 1);
	}
	/* Of the same name, as a process with the number of an earlier one makes it when that copy is gone.
	 */
	row = bus_await(t, s->bus, id, 0, NULL);
	assert_non_null(row);
	write_file(s, "a.txt", "first");
	again = copy(s, "a.txt");
	assert_int_equal(rename(again.path, row->file->path), 0);
	free(again.path);
	again.path = xstrdup(row->file->path);
	outbound_free(row);
	assert_int_equal(post_copy(t, s, "fake", "look", again, &id_again), 0);
	assert_int_equal(copies(s), 1);
	channel_set_status(bus_channel(s->bus, "fake"), CHANNEL_READY, "back");
	assert_int_equal(end_of(t, s, id), OUTBOUND_SENT);
	assert_string_equal(s->shown.data, "[a.txt: first] look\n");
}

/* A stop between the copy and the commit leaves one that no row names. */
static void a_start_removes_what_no_row_names(struct task *t, struct stage *s)
{
	struct error err = {0};

	write_file(s, "a.txt", "x");
	channel_set_status(bus_channel(s->bus, "fake"), CHANNEL_STOPPED, "away");
	put(t, s, "a.txt", "kept", NULL);
	struct attachment lost = copy(s, "a.txt");
	attachment_clear(&lost);
	assert_int_equal(copies(s), 2);
	bus_free(t, s->bus);
	stage_open(s);
	channel_set_status(bus_channel(s->bus, "fake"), CHANNEL_STOPPED, "away");
	assert_int_equal(bus_resume(t, s->bus, &err), 0);
	assert_int_equal(copies(s), 1);
	channel_set_status(bus_channel(s->bus, "fake"), CHANNEL_READY, "back");
	wait_for_copies(t, s, 0);
	assert_string_equal(s->shown.data, "[a.txt: x] kept\n");
}

struct run {
	void (*body)(struct task *t, struct stage *s);
};

static void in_task(struct task *t, void *arg)
{
	struct stage s = {.dir = "/tmp/outfile-XXXXXX", .shown = BUF_INIT};
	char command[96];

	assert_non_null(mkdtemp(s.dir));
	snprintf(s.copies, sizeof(s.copies), "%s/copies", s.dir);
	s.memory = journal_memory_new();
	stage_open(&s);
	((struct run *)arg)->body(t, &s);
	bus_free(t, s.bus);
	journal_memory_free(s.memory);
	buf_clear(&s.shown);
	snprintf(command, sizeof(command), "rm -r %s", s.dir);
	assert_int_equal(system(command), 0);
}

static void run(void **state)
{
	task_run("test", in_task, *state);
}

#define IN_STAGE(test)                                \
	{                                             \
#test, run, NULL, NULL, &(struct run) \
		{                                     \
			test                          \
		}                                     \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    IN_STAGE(what_is_sent_is_what_was_put),
	    IN_STAGE(a_long_caption_follows_as_messages),
	    IN_STAGE(the_same_key_sends_once),
	    IN_STAGE(a_copy_that_is_gone_or_changed_is_refused),
	    IN_STAGE(a_copy_that_cannot_be_read_now_is_tried_again),
	    IN_STAGE(a_channel_without_files_refuses),
	    IN_STAGE(in_a_chat_that_moved_nothing_is_answered),
	    IN_STAGE(a_copy_keeps_its_limit),
	    IN_STAGE(a_copy_that_no_delivery_takes_is_removed),
	    IN_STAGE(a_repeat_leaves_the_copy_of_the_delivery_alone),
	    IN_STAGE(a_start_removes_what_no_row_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
