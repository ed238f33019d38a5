#ifndef BUS_PEOPLE_H
#define BUS_PEOPLE_H
/* Links one person's ids on several channels: people: { ann = ["telegram:77", "slack:U024"]; }; An unlisted
 * id is a person of its own. */
#include <stddef.h>

#include "bus/address.h"

struct config;

struct person {
	char *name;
	struct address *ids; /* channel, and the person's id there in place of the chat */
	size_t count;
};

struct people {
	struct person *items;
	size_t count;
};

/* Reports errors to cfg: an invalid id, an unknown channel, an id listed for two people. */
void people_read(struct people *out, struct config *cfg);
void people_clear(struct people *p);
/* Returns the primary id of the person with this id: the first in the list. NULL when it is not listed. */
const struct address *people_first(const struct people *p, const char *channel, const char *id);

#endif
