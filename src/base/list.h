#ifndef BASE_LIST_H
#define BASE_LIST_H
/* Intrusive doubly linked list: a link lives in the struct that it links. */
#include <stdbool.h>
#include <stddef.h>

struct list {
	struct list *prev, *next;
};

#define LIST_INIT(name)          \
	{                        \
		&(name), &(name) \
	}
#define list_entry(link, type, member) ((type *)((char *)(link)-offsetof(type, member)))
/* The body may remove the current entry. */
#define list_each(head, it, tmp) \
	for (struct list *it = (head)->next, *tmp = it->next; it != (head); it = tmp, tmp = it->next)
/* The same for the structs themselves, which are linked by that member. */
#define list_each_entry(head, type, entry, member)                              \
	for (type *entry = list_entry((head)->next, type, member),              \
		  *entry##_next = list_entry(entry->member.next, type, member); \
	     &entry->member != (head);                                          \
	     entry = entry##_next, entry##_next = list_entry(entry->member.next, type, member))

static inline void list_init(struct list *l)
{
	l->prev = l->next = l;
}
static inline bool list_is_empty(const struct list *l)
{
	return l->next == l;
}
static inline struct list *list_first(struct list *l)
{
	return l->next == l ? NULL : l->next;
}

static inline void list_append(struct list *head, struct list *link)
{
	link->prev = head->prev;
	link->next = head;
	head->prev->next = link;
	head->prev = link;
}

/* Removing a link twice, or an initialised one that is in no list, is allowed. */
static inline void list_remove(struct list *link)
{
	link->prev->next = link->next;
	link->next->prev = link->prev;
	list_init(link);
}

#endif
