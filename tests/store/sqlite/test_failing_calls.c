/* Each call of SQLite in each write fails once: the caller is told, and nothing of the write is kept. */
#include "lib/sql_tap.h"
#include "store/scene.h"
#include "store/store_internal.h"

/* Again and again, with one call of SQLite after the other that fails, until none does. */
static void sweep(struct task *t, struct scene *s, const char *name,
    int (*write)(struct task *, struct scene *, struct error *))
{
	char *before = fixture_contents(s->p), *after;

	for (unsigned call = 1;; call++) {
		struct error err = {0};

		assert_true(call < SCENE_CALLS_MAX);
		/* Those of ids belong to it, too: none is left. */
		s->p->store->db.later_ids = true;
		sql_fail_call(call);
		int rc = write(t, s, &err);
		bool failed = sql_failed();
		sql_fail_call(0);
		after = fixture_contents(s->p);
		if (!failed) {
			if (rc < 0)
				fail_msg("%s, where nothing fails: %s", name, err.text);
			/* Or it was no write, and what stands above says nothing. */
			if (strcmp(before, after) == 0)
				fail_msg("%s wrote nothing", name);
			break;
		}
		if (rc >= 0)
			fail_msg("%s: call %u failed, and nobody was told", name, call);
		if (err.text[0] == '\0')
			fail_msg("%s: call %u failed without a sentence", name, call);
		if (strcmp(before, after) != 0)
			fail_msg(
			    "%s: call %u failed, and this is kept:\n%s\nof:\n%s", name, call, after, before);
		free(after);
	}
	free(before);
	free(after);
}

static size_t which;

static void sweep_one(struct task *t, struct fixture *p)
{
	struct scene s = scene_begin(t, p);

	if (scene_writes[which].before)
		scene_writes[which].before(t, &s);
	sweep(t, &s, scene_writes[which].name, scene_writes[which].write);
	scene_end(&s);
}

static void each_failing_call_is_told_and_nothing_is_kept(void **state)
{
	struct fixture_body body = {.fn = sweep_one};
	void *one = &body;

	(void)state;
	for (which = 0; which < scene_write_count; which++)
		fixture_run(&one);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(each_failing_call_is_told_and_nothing_is_kept),
	};

	return cmocka_run_group_tests_name("failing calls", tests, NULL, NULL);
}
