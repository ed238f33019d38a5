#ifndef BUS_PEOPLE_H
#define BUS_PEOPLE_H
/* One person on several channels, by the config: people: { ann = ["telegram:77", "slack:U024"]; }; What is
 * not listed is nobody's other self. */
#include <stddef.h>

#include "bus/address.h"

struct config;

struct person {
	char *name;
	struct address *ids; /* channel, and in place of the chat the person's id there */
	size_t count;
};

struct people {
	struct person *items;
	size_t count;
};

/* Errors are reported to cfg: an id that is none, of a channel that is not configured, or of two people. */
void people_read(struct people *out, struct config *cfg);
void people_clear(struct people *p);
/* The one id by which all the person's are known: the first that is listed with this one. NULL: it is not
 * listed. */
const struct address *people_first(const struct people *p, const char *channel, const char *id);

#endif
