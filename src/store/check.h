#ifndef STORE_CHECK_H
#define STORE_CHECK_H
/* Whether the database still holds what was written. What is found is noted in db->trouble. */
#include <stdbool.h>

struct db;
struct error;
struct job;

/* All at once: the structure of the tables; thorough: of the indexes against the tables too. */
int check_whole(struct db *db, bool thorough, struct error *err);
/* An idle job that reads everything in slices. */
struct job *check_slices(void);

#endif
