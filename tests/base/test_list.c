#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "base/list.h"
#include "base/mem.h"

struct item {
	int value;
	struct list link;
};

static void assert_values(struct list *head, const int *values, size_t count)
{
	size_t i = 0;

	list_each(head, it, next) {
		assert_true(i < count);
		assert_int_equal(list_entry(it, struct item, link)->value, values[i++]);
	}
	assert_int_equal(i, count);
}

static void an_empty_list_has_no_first(void **state)
{
	struct list head = LIST_INIT(head), other;

	(void)state;
	list_init(&other);
	assert_true(list_is_empty(&head));
	assert_true(list_is_empty(&other));
	assert_null(list_first(&head));
	assert_values(&head, NULL, 0);
}

static void entries_stand_in_the_order_of_their_appending(void **state)
{
	struct list head = LIST_INIT(head);
	struct item a = {.value = 1}, b = {.value = 2}, c = {.value = 3};

	(void)state;
	list_append(&head, &a.link);
	list_append(&head, &b.link);
	list_append(&head, &c.link);
	assert_values(&head, (int[]){1, 2, 3}, 3);
	assert_ptr_equal(list_first(&head), &a.link);
	list_remove(&b.link);
	assert_values(&head, (int[]){1, 3}, 2);
	list_remove(&a.link);
	list_append(&head, &a.link);
	assert_values(&head, (int[]){3, 1}, 2);
}

static void removing_twice_is_fine(void **state)
{
	struct list head = LIST_INIT(head);
	struct item a = {.value = 1}, never = {.link = LIST_INIT(never.link)};

	(void)state;
	list_append(&head, &a.link);
	list_remove(&a.link);
	list_remove(&a.link);
	list_remove(&never.link);
	assert_true(list_is_empty(&head));
}

static void the_current_entry_may_be_removed_and_freed(void **state)
{
	struct list head = LIST_INIT(head);

	(void)state;
	for (int i = 0; i < 4; i++) {
		struct item *item = xcalloc(1, sizeof(*item));

		item->value = i;
		list_append(&head, &item->link);
	}
	list_each(&head, it, next) {
		struct item *item = list_entry(it, struct item, link);

		if (item->value % 2 == 0) {
			list_remove(it);
			free(item);
		}
	}
	assert_values(&head, (int[]){1, 3}, 2);
	list_each(&head, it, next)
		free(list_entry(it, struct item, link));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(an_empty_list_has_no_first),
	    cmocka_unit_test(entries_stand_in_the_order_of_their_appending),
	    cmocka_unit_test(removing_twice_is_fine),
	    cmocka_unit_test(the_current_entry_may_be_removed_and_freed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
