/* Lists that are read in several slices. */
#include "store/store_fixture.h"

#include "bus/message.h"
#include "store/chats.h"
#include "store/store_internal.h"

static int number(const char *text)
{
	return (int)strtol(text, NULL, 10);
}

static void a_list_longer_than_a_slice_names_each_once(struct task *t, struct fixture *p)
{
	enum { count = 2 * STORE_SLICE + 1 };
	struct address to = fixture_address("telegram:1");
	struct outbound *rows[count];
	struct journal j;
	struct journal_move *moves;
	struct store_chat *chats;
	struct error err;
	char **files;

	fixture_close(t, p);
	fixture_do(p,
	    "CREATE TEMP TABLE n AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < "
	    "401) SELECT i FROM n; INSERT INTO chats (channel, chat, queue) SELECT 'c', i, 1 FROM n; INSERT "
	    "INTO moves (channel, old_chat, new_chat, moved_ms) SELECT 'c', i, -i, 1 FROM n");
	fixture_open(t, p);
	j = store_journal(p->store);
	assert_int_equal(store_chats(t, p->store, &chats, &err), count);
	assert_int_equal(j.ops->list_moves(t, j.self, &moves, &err), count);
	for (int i = 0; i < count; i++) {
		assert_int_equal(number(chats[i].where.chat), i + 1);
		assert_int_equal(number(moves[i].old_chat), i + 1);
	}
	free(chats);
	free(moves);
	for (int i = 0; i < count; i++) {
		rows[i] = outbound_new(&to, OUTBOUND_REPLY, "");
		rows[i]->file = xcalloc(1, sizeof(*rows[i]->file));
		rows[i]->file->path = xasprintf("%d", i);
	}
	assert_ok(j.ops->put_outbound(t, j.self, rows, count, &err), err);
	for (int i = 0; i < count; i++)
		outbound_free(rows[i]);
	assert_int_equal(j.ops->list_files(t, j.self, &files, &err), count);
	for (int i = 0; i < count; i++) {
		assert_int_equal(number(files[i]), i);
		free(files[i]);
	}
	free(files);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    IN_PLACE(a_list_longer_than_a_slice_names_each_once),
	};

	return fixture_run_tests("slices", tests, ARRAY_LEN(tests));
}
