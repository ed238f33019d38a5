#include "playground/telegram/world/bot.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static struct command_list *find(const struct command_lists *c, const char *scope)
{
	for (struct list *it = c->lists.next; it != &c->lists; it = it->next) {
		struct command_list *l = list_entry(it, struct command_list, link);

		if (strcmp(l->scope, scope) == 0)
			return l;
	}
	return NULL;
}

static void drop(struct command_list *l)
{
	list_remove(&l->link);
	free(l->scope);
	free(l->json);
	free(l);
}

void command_lists_set(struct command_lists *c, const char *scope, const char *json)
{
	struct command_list *l = find(c, scope);

	if (l)
		drop(l);
	if (!json)
		return;
	l = xcalloc(1, sizeof(*l));
	l->scope = xstrdup(scope);
	l->json = xstrdup(json);
	list_append(&c->lists, &l->link);
}

const char *command_lists_get(const struct command_lists *c, const char *scope)
{
	const struct command_list *l = find(c, scope);

	return l ? l->json : "[]";
}

void command_lists_clear(struct command_lists *c)
{
	list_each(&c->lists, it, tmp)
		drop(list_entry(it, struct command_list, link));
}
