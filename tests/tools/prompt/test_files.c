/* The files of the prompt, when many ask for them at once. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/task.h"
#include "tools/prompt/files.h"
#include "tools/tools_fixture.h"

#define ASKERS       20
#define STILL_ASKING 1

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
		assert_ptr_equal(s.askers[i].files.read, s.askers[1].files.read);
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

static unsigned lost;

static void count_lost(void *arg, const char *name)
{
	(void)arg;
	assert_string_equal(name, "AGENTS.md");
	lost++;
}

static void read_once(struct task *t, struct tools_fixture *w, unsigned want)
{
	struct asker a = {.w = w};

	ask(t, &a);
	assert_int_equal(a.rc, 0);
	prompt_files_clear(&a.files);
	assert_int_equal(lost, want);
}

static void losing(struct task *t, void *arg)
{
	struct tools_fixture *w = arg;
	char *path = tools_fixture_path(w, "ws/AGENTS.md"), *gone = tools_fixture_path(w, "ws/gone");

	prompt_files_listen(count_lost, NULL);
	read_once(t, w, 0);
	assert_int_equal(rename(path, gone), 0);
	read_once(t, w, 1);
	read_once(t, w, 1);
	assert_int_equal(rename(gone, path), 0);
	read_once(t, w, 1);
	tools_fixture_put_text(w, "ws/AGENTS.md", " \n");
	read_once(t, w, 2);
	prompt_files_listen(NULL, NULL);
	free(path);
	free(gone);
}

static void a_file_that_vanished_is_reported_once(void **state)
{
	task_run("test", losing, *state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(
		who_asks_while_others_are_told_hears_what_is_there_then, begin, end),
	    cmocka_unit_test_setup_teardown(a_file_that_vanished_is_reported_once, begin, end),
	};

	return cmocka_run_group_tests_name("prompt_files", tests, NULL, NULL);
}
