#ifndef TESTS_LIB_POSTGRES_H
#define TESTS_LIB_POSTGRES_H
/* Throw-away PostgreSQL servers for tests, on a Unix socket in a temporary folder. Programs share one of a
 * kind; it ends some seconds after the last of them. */
#include <stdbool.h>
#include <sys/types.h>

enum postgres_kind {
	POSTGRES_FAST,   /* does not wait for the disk */
	POSTGRES_DURABLE /* as it is installed */
};

/* Can a server be started, and does this build of Myna speak to it? */
bool postgres_is_there(void);
/* Returns the URL of a new, empty database, malloc'd. It goes with its server. */
char *postgres_new_database(enum postgres_kind kind);
/* Returns the folder of the socket of a server, which is started if need be. */
const char *postgres_server(enum postgres_kind kind);

/* A durable server of the test's own, in a folder that exists. After a crash it may be started again. */
void postgres_start_own(const char *dir);
void postgres_crash_own(const char *dir);
/* Starts one that follows the one in another folder, and makes it one of its own. */
void postgres_start_standby(const char *dir, const char *primary);
void postgres_promote(const char *dir);
/* Kills its first process: the others end when they notice. It may be started again. */
void postgres_kill_own(const char *dir);
/* All its processes stand still, until false. */
void postgres_pause_own(const char *dir, bool pause);
void postgres_remove_own(const char *dir); /* with its folder */
/* What receives the log of such a server into a folder, as a standby does; ends it by its id. */
pid_t postgres_start_receiver(const char *dir, const char *to);
char *postgres_url(const char *dir, const char *database);
/* The name of the database in such a URL, malloc'd. */
char *postgres_database_of(const char *url);

#endif
