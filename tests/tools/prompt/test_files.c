/* The files of the prompt, when many ask for them at once. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/task.h"
#include "tools/prompt/files.h"
#include "tools/tools_fixture.h"

#define ASKERS       20
#define STILL_ASKING 1
#define CHATS        1000

struct asker {
	struct tools_fixture *w;
	struct prompt_files files;
	int rc;
};

struct scene {
	struct tools_fixture *w;
	struct asker askers[ASKERS];
	struct task_group group;
};

static int begin(void **state)
{
	static struct tools_fixture w;

	tools_fixture_init(&w);
	tools_fixture_put_text(&w, "ws/AGENTS.md", "one");
	tools_fixture_open(&w, "", "", NULL);
	*state = &w;
	return 0;
}

static int end(void **state)
{
	tools_fixture_clear(*state);
	return 0;
}

static void ask(struct task *t, void *arg)
{
	struct asker *a = arg;
	struct error err;

	a->rc = prompt_files_read(t, a->w->tools, &a->files, &err);
}

/* The first begins to read; then the file has this text, and the others ask. */
static void ask_all(struct task *t, struct scene *s, const char *text, bool cancel)
{
	struct task *first = NULL;

	task_group_init(&s->group);
	for (size_t i = 0; i < ASKERS; i++) {
		struct task *asker = task_start(&s->group, "asker", ask, &s->askers[i]);
		if (i > 0)
			continue;
		first = asker;
		task_yield(t, NULL);
		tools_fixture_put_text(s->w, "ws/AGENTS.md", text);
		if (task_group_is_empty(&s->group))
			first = NULL;
	}
	if (cancel && first && s->askers[0].rc == STILL_ASKING)
		task_cancel(first);
	assert_int_equal(task_group_wait(t, &s->group, NULL), 0);
}

static void scene(struct task *t, struct tools_fixture *w, const char *text, bool cancel)
{
	struct scene s = {.w = w};

	for (size_t i = 0; i < ASKERS; i++)
		s.askers[i] = (struct asker){.w = w, .rc = STILL_ASKING};
	ask_all(t, &s, text, cancel);
	for (size_t i = 1; i < ASKERS; i++) {
		assert_int_equal(s.askers[i].rc, 0);
		assert_string_equal(s.askers[i].files.files[0].text, text);
		/* The second may begin a read when the first one was served at once. */
		if (i > 1)
			assert_ptr_equal(s.askers[i].files.read, s.askers[2].files.read);
	}
	for (size_t i = 0; i < ASKERS; i++)
		prompt_files_clear(&s.askers[i].files);
}

static void asking(struct task *t, void *arg)
{
	scene(t, arg, "two", false);
	scene(t, arg, "three", true);
}

static void who_asks_while_others_are_told_hears_what_is_there_then(void **state)
{
	task_run("test", asking, *state);
}

/* What is read again is another read. */
static bool is_read_again(struct task *t, struct tools_fixture *w, const char *chat)
{
	static struct prompt_files before; /* so that the next one cannot have its address */
	struct address where = {.channel = "telegram"};
	struct prompt_files files;
	struct error err;
	bool again;

	str_copy(where.chat, sizeof(where.chat), chat);
	struct tools *view = tools_pin_chat(w->tools, &where, NULL, NULL);
	assert_int_equal(prompt_files_read(t, view, &files, &err), 0);
	again = files.read != before.read;
	prompt_files_clear(&before);
	before = files;
	if (strcmp(chat, "last") == 0)
		prompt_files_clear(&before);
	tools_unpin(view);
	return again;
}

static void expect_change(struct task *t, struct tools_fixture *w, const char *what)
{
	if (!is_read_again(t, w, "77"))
		fail_msg("%s went unnoticed", what);
	if (is_read_again(t, w, "77"))
		fail_msg("after %s nothing has changed, and it is read again", what);
}

static void changing(struct task *t, void *arg)
{
	struct tools_fixture *w = arg;
	char *own = tools_fixture_path(w, "ws/chat/telegram%3A77/AGENTS.md"),
	     *moved = tools_fixture_path(w, "ws/chat/telegram%3A77/away.md"),
	     *skill = tools_fixture_path(w, "ws/chat/telegram%3A77/skills/tea/SKILL.md");

	expect_change(t, w, "the first read");
	tools_fixture_put_text(w, "ws/chat/telegram%3A77/AGENTS.md", "for one");
	expect_change(t, w, "a new file");
	tools_fixture_put_text(w, "ws/chat/telegram%3A77/AGENTS.md", "for 1");
	expect_change(t, w, "other text");
	assert_int_equal(chmod(own, 0600), 0);
	expect_change(t, w, "another mode");
	assert_int_equal(rename(own, moved), 0);
	expect_change(t, w, "a rename");
	tools_fixture_put_text(w, "ws/AGENTS.md", "for all");
	expect_change(t, w, "text above");
	tools_fixture_put_text(w, "ws/chat/telegram%3A77/skills/tea/SKILL.md", "---\n");
	expect_change(t, w, "a skill");
	tools_fixture_put_text(w, "ws/chat/telegram%3A77/skills/tea/SKILL.md", "---\nname: tea\n");
	expect_change(t, w, "the text of a skill");
	assert_int_equal(remove(skill), 0);
	expect_change(t, w, "a skill less");
	/* A link's target can change unnoticed. */
	assert_int_equal(symlink(moved, own), 0);
	assert_true(is_read_again(t, w, "77"));
	assert_true(is_read_again(t, w, "77"));
	assert_int_equal(remove(own), 0);
	assert_int_equal(link(moved, own), 0);
	assert_true(is_read_again(t, w, "77"));
	assert_true(is_read_again(t, w, "77"));
	assert_true(is_read_again(t, w, "last"));
	free(own);
	free(moved);
	free(skill);
}

static void files_are_read_again_when_they_have_changed(void **state)
{
	task_run("test", changing, *state);
}

/* The read that a turn of this chat gets. */
static void read_chat(struct task *t, struct tools_fixture *w, size_t chat, struct prompt_files *files)
{
	struct address where = {.channel = "telegram"};
	struct tools *view;
	struct error err;

	snprintf(where.chat, sizeof(where.chat), "%zu", chat);
	view = tools_pin_chat(w->tools, &where, NULL, NULL);
	assert_int_equal(prompt_files_read(t, view, files, &err), 0);
	tools_unpin(view);
}

/* How many of the chats get what they got before; they keep it until they have the next. */
static size_t count_same(struct task *t, struct tools_fixture *w, struct prompt_files *kept)
{
	size_t same = 0;

	for (size_t i = 0; i < CHATS; i++) {
		struct prompt_files now;

		read_chat(t, w, i, &now);
		same += now.read == kept[i].read;
		prompt_files_clear(&kept[i]);
		kept[i] = now;
	}
	return same;
}

static void asking_in_turn(struct task *t, void *arg)
{
	struct tools_fixture *w = arg;
	struct prompt_files *kept = xcalloc(CHATS, sizeof(*kept));

	assert_int_equal(count_same(t, w, kept), 0);
	assert_int_equal(count_same(t, w, kept), CHATS);
	tools_fixture_put_text(w, "ws/chat/telegram%3A7/AGENTS.md", "for one");
	assert_int_equal(count_same(t, w, kept), CHATS - 1);
	tools_fixture_put_text(w, "ws/AGENTS.md", "for all");
	assert_int_equal(count_same(t, w, kept), 0);
	assert_int_equal(count_same(t, w, kept), CHATS);
	for (size_t i = 0; i < CHATS; i++)
		prompt_files_clear(&kept[i]);
	free(kept);
}

static void a_thousand_chats_that_talk_in_turn_are_each_read_once(void **state)
{
	task_run("test", asking_in_turn, *state);
}

static struct buf lost = BUF_INIT;

static void note_lost(void *arg, const char *name)
{
	(void)arg;
	buf_addf(&lost, "%s ", name);
}

/* As a turn reads them: in the chat's own view; chat NULL: in the whole workspace. */
static void read_once(struct task *t, struct tools_fixture *w, const char *chat, const char *want)
{
	struct address where = {.channel = "telegram"};
	struct tools *view = NULL;
	struct prompt_files files;
	struct error err;

	if (chat)
		str_copy(where.chat, sizeof(where.chat), chat);
	view = chat ? tools_pin_chat(w->tools, &where, NULL, NULL) : tools_pin(w->tools);
	buf_reset(&lost);
	assert_int_equal(prompt_files_read(t, view, &files, &err), 0);
	prompt_files_clear(&files);
	tools_unpin(view);
	assert_string_equal(lost.data, want);
}

static void losing(struct task *t, void *arg)
{
	struct tools_fixture *w = arg;
	char *path = tools_fixture_path(w, "ws/AGENTS.md"), *gone = tools_fixture_path(w, "ws/gone");

	prompt_files_listen(note_lost, NULL);
	read_once(t, w, NULL, "");
	assert_int_equal(rename(path, gone), 0);
	read_once(t, w, NULL, "AGENTS.md ");
	read_once(t, w, NULL, "");
	assert_int_equal(rename(gone, path), 0);
	read_once(t, w, NULL, "");
	tools_fixture_put_text(w, "ws/AGENTS.md", " \n");
	read_once(t, w, NULL, "AGENTS.md ");
	prompt_files_listen(NULL, NULL);
	free(path);
	free(gone);
}

static void a_file_that_vanished_is_reported_once(void **state)
{
	task_run("test", losing, *state);
}

static void losing_in_a_chat(struct task *t, void *arg)
{
	struct tools_fixture *w = arg;
	char *own = tools_fixture_path(w, "ws/chat/telegram%3A77/AGENTS.md"),
	     *above = tools_fixture_path(w, "ws/AGENTS.md");

	tools_fixture_put_text(w, "ws/AGENTS.md", "for all");
	tools_fixture_put_text(w, "ws/chat/telegram%3A77/AGENTS.md", "for one");
	prompt_files_listen(note_lost, NULL);
	read_once(t, w, "77", "");
	read_once(t, w, "78", "");
	assert_int_equal(remove(own), 0);
	read_once(t, w, "78", "");
	read_once(t, w, "77", "chat/telegram%3A77/AGENTS.md ");
	read_once(t, w, "77", "");
	assert_int_equal(remove(above), 0);
	read_once(t, w, "77", "AGENTS.md ");
	read_once(t, w, "78", "");
	prompt_files_listen(NULL, NULL);
	free(own);
	free(above);
}

static void a_chats_own_file_that_vanished_is_reported_too(void **state)
{
	task_run("test", losing_in_a_chat, *state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(
		who_asks_while_others_are_told_hears_what_is_there_then, begin, end),
	    cmocka_unit_test_setup_teardown(files_are_read_again_when_they_have_changed, begin, end),
	    cmocka_unit_test_setup_teardown(
		a_thousand_chats_that_talk_in_turn_are_each_read_once, begin, end),
	    cmocka_unit_test_setup_teardown(a_file_that_vanished_is_reported_once, begin, end),
	    cmocka_unit_test_setup_teardown(a_chats_own_file_that_vanished_is_reported_too, begin, end),
	};

	return cmocka_run_group_tests_name("prompt_files", tests, NULL, NULL);
}
