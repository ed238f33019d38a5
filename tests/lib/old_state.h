#ifndef TESTS_LIB_OLD_STATE_H
#define TESTS_LIB_OLD_STATE_H
/* Puts the state that an earlier version wrote (tests/old-state) somewhere. Fails the test on errors. */

/* Where the tests run. */
struct old_state_place {
	const char *dir; /* takes the place of the folder that had state in it */
	const char *url; /* of the playground */
};

/* Writes the database to path. Times are moved so that the gateway was killed just now. */
void old_state_database(const struct old_state_place *place, const char *path);
/* Copies a text of the old state, such as "myna.conf", with the names of this place. */
void old_state_text(const struct old_state_place *place, const char *name, const char *path);
/* Copies memory and workspace into the state folder. */
void old_state_files(const char *state);

#endif
