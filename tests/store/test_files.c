#include "store/store_fixture.h"

#include "bus/message.h"

static struct attachment *describe(struct attachment **list, size_t *count, const char *name, const char *ref)
{
	struct attachment *a = attachments_add(list, count, ATTACHMENT_FILE);

	a->name = xstrdup(name);
	a->ref = xstrdup(ref);
	a->size = 7;
	return a;
}

static void files_come_back_with_their_message(struct task *t, struct fixture *p)
{
	struct address from = fixture_address("telegram:1");
	struct journal j = store_journal(p->store);
	struct message *m = fixture_message("e1", "telegram:1", ""), *found[2] = {NULL};
	struct error err;

	describe(&m->attachments, &m->attachment_count, "a.pdf", "ref-1");
	describe(&m->attachments, &m->attachment_count, "b \"quoted\".pdf", "ref-2");
	assert_ok(j.ops->put_inbound(t, j.self, &m, 1, NULL, &err), err);
	message_free(m);
	fixture_reopen(t, p);
	j = store_journal(p->store);
	assert_int_equal(j.ops->list_inbound(t, j.self, &from, 0, found, 2, &err), 1);
	assert_int_equal(found[0]->attachment_count, 2);
	assert_string_equal(found[0]->attachments[0].ref, "ref-1");
	assert_string_equal(found[0]->attachments[1].name, "b \"quoted\".pdf");
	assert_int_equal(found[0]->attachments[1].size, 7);
	message_free(found[0]);
}

static void a_message_without_files_has_none(struct task *t, struct fixture *p)
{
	struct address from = fixture_address("telegram:1");
	struct journal j = store_journal(p->store);
	struct message *found[2] = {NULL};
	struct error err;

	fixture_put(t, p, "e1", "telegram:1", "hello");
	assert_int_equal(j.ops->list_inbound(t, j.self, &from, 0, found, 2, &err), 1);
	assert_int_equal(found[0]->attachment_count, 0);
	assert_null(found[0]->attachments);
	message_free(found[0]);
}

static int64_t queue_file(struct task *t, struct fixture *p, const char *path)
{
	struct address to = fixture_address("telegram:1");
	struct outbound *o = outbound_new(&to, OUTBOUND_NOTIFICATION, "caption");
	struct journal j = store_journal(p->store);
	struct error err;
	size_t none = 0;

	describe(&o->file, &none, "out.pdf", NULL)->path = xstrdup(path);
	assert_ok(j.ops->put_outbound(t, j.self, &o, 1, &err), err);
	int64_t id = o->id;
	outbound_free(o);
	return id;
}

static void the_file_of_a_row_is_kept_until_its_end(struct task *t, struct fixture *p)
{
	struct journal j = store_journal(p->store);
	struct error err;
	char **paths;

	fixture_send(t, p, "telegram:1", "text alone", NULL);
	int64_t id = queue_file(t, p, "/copies/1");
	queue_file(t, p, "/copies/2");
	fixture_reopen(t, p);
	j = store_journal(p->store);
	struct outbound *row = j.ops->get_outbound(t, j.self, id, &err);
	assert_string_equal(row->file->name, "out.pdf");
	assert_string_equal(row->file->path, "/copies/1");
	assert_string_equal(row->text, "caption");
	row->state = OUTBOUND_SENT;
	assert_ok(j.ops->mark_outbound(t, j.self, row, &err), err);
	outbound_free(row);
	assert_int_equal(j.ops->list_files(t, j.self, &paths, &err), 1);
	assert_string_equal(paths[0], "/copies/2");
	free(paths[0]);
	free(paths);
}

static void files_that_cannot_be_read_are_damage(struct task *t, struct fixture *p)
{
	struct journal j;
	struct address from = fixture_address("telegram:1");
	struct message *found[2];
	struct error err;

	fixture_put(t, p, "e1", "telegram:1", "hello");
	fixture_close(t, p);
	fixture_do(p, "UPDATE inbox SET attachments = '[{}]'");
	fixture_open(t, p);
	j = store_journal(p->store);
	assert_int_equal(j.ops->list_inbound(t, j.self, &from, 0, found, 2, &err), -1);
	assert_non_null(strstr(err.text, "attachments"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    IN_PLACE(files_come_back_with_their_message),
	    IN_PLACE(a_message_without_files_has_none),
	    IN_PLACE(the_file_of_a_row_is_kept_until_its_end),
	    IN_PLACE(files_that_cannot_be_read_are_damage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
