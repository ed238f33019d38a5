/* Connects, waits for results, and reconnects. */
#include <errno.h>
#include <poll.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/time/clock.h"
#include "base/wrong.h"
#include "store/moved.h"
#include "store/postgres/postgres_internal.h"

#define CONNECT_MS 10000
/* A server that is silent for this long counts as lost; a migration and a copy have no such limit. */
#define ANSWER_MS 60000
/* Interval at which a wait checks whether it must end. */
#define LOOK_MS 100
/* Of the server, as PQserverVersion gives it: older ones lack what the store needs. */
#define VERSION_MIN 130000
/* Before the name of the database, which may be so long that the end of the text is cut. */
#define AWAY "nothing was accepted that is not stored, and work goes on by itself when the database answers"

static uint64_t now_ms(void)
{
	return clock_measure_us() / 1000;
}

/* Returns the first line, without its severity. */
static const char *sentence(const char *text, struct buf *out)
{
	static const char *const words[] = {"ERROR:  ", "FATAL:  ", "PANIC:  "};

	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (strncmp(text, words[i], strlen(words[i])) == 0)
			text += strlen(words[i]);
	buf_reset(out);
	buf_add(out, text, strcspn(text, "\n"));
	return out->data;
}

/* When a wait of so long ends. */
static uint64_t until(const struct postgres *p, uint64_t ms)
{
	uint64_t at = now_ms() + ms;

	return p->deadline_ms > 0 && p->deadline_ms < at ? p->deadline_ms : at;
}

static void disconnect(struct postgres *p)
{
	if (p->conn)
		pq.PQfinish(p->conn);
	p->conn = NULL;
	p->in_pipeline = false;
}

int postgres_lost(struct postgres *p, const char *why, struct error *err)
{
	struct buf text = BUF_INIT;

	sentence(why, &text);
	if (!p->opening) {
		p->db->trouble |= DB_UNREACHABLE;
		p->db->lost = true;
	}
	if (p->opening)
		error_limited(
		    err, POSTGRES_RETRY_MS, "the database %s does not answer (%s)", p->db->path, text.data);
	else if (p->is_command)
		error_set(err, ERROR_OURS, "the connection to the database %s is lost (%s)", p->db->path,
		    text.data);
	else
		error_set(
		    err, ERROR_OURS, AWAY ": the database %s does not answer (%s)", p->db->path, text.data);
	buf_clear(&text);
	disconnect(p);
	return -1;
}

/* The connection is lost, and no new one was made. */
int postgres_fail_unreachable(struct postgres *p, struct error *err)
{
	if (p->opening)
		return postgres_lost(p, "the connection is lost", err);
	p->db->trouble |= DB_UNREACHABLE;
	p->db->lost = true;
	return error_set(err, ERROR_OURS, AWAY ": %s", p->why.text);
}

static bool has_state(const PGresult *result, const char *const *states, size_t count)
{
	const char *state = pq.PQresultErrorField(result, PG_DIAG_SQLSTATE);

	for (size_t i = 0; state && i < count; i++)
		if (strncmp(state, states[i], strlen(states[i])) == 0)
			return true;
	return false;
}

int postgres_fail(struct postgres *p, PGresult *result, bool presumed, struct error *err)
{
	/* The connection, its server, or a server that only reads: another connection may find a better one.
	 */
	static const char *const lost[] = {"08", "57P", "25006", "25P03"};
	static const char *const full[] = {"53100"}, *const failing[] = {"58"},
				 *const damaged[] = {"XX001", "XX002"};
	/* A deadlock, or a row that another node has made at the same time. */
	static const char *const clash[] = {"40", "23505"};
	/* A division by the number of rows. */
	static const char *const none[] = {"22012"};
	const char *said = pq.PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
	struct buf why = BUF_INIT;

	buf_addstr(&why, said ? said : pq.PQerrorMessage(p->conn));
	why.data[strcspn(why.data, "\n")] = '\0';
	if (has_state(result, lost, ARRAY_LEN(lost)) || pq.PQstatus(p->conn) != CONNECTION_OK) {
		postgres_lost(p, why.data, err);
	} else if (has_state(result, full, ARRAY_LEN(full))) {
		p->db->trouble |= DB_FULL;
		error_set(err, ERROR_OURS,
		    "no space left for the database %s; nothing was accepted that is not stored; free space "
		    "there, and work goes on by itself",
		    p->db->path);
	} else if (has_state(result, failing, ARRAY_LEN(failing))) {
		p->db->trouble |= DB_FAILING;
		error_set(err, ERROR_OURS, "the database %s cannot read or write: %s", p->db->path, why.data);
	} else if (has_state(result, damaged, ARRAY_LEN(damaged))) {
		db_damaged(p->db, err, "%s", why.data);
	} else if (presumed && has_state(result, none, ARRAY_LEN(none))) {
		error_set(err, ERROR_OURS, "the database %s has not what was to be changed", p->db->path);
	} else if (p->cluster && has_state(result, none, ARRAY_LEN(none))) {
		error_set(err, ERROR_OURS,
		    "another node has taken over what this one served: nothing more is stored");
	} else {
		p->db->conflict = p->cluster && has_state(result, clash, ARRAY_LEN(clash));
		error_set(err, ERROR_OURS, "the database %s refused: %s", p->db->path, why.data);
	}
	pq.PQclear(result);
	buf_clear(&why);
	return -1;
}

/* Waits until the socket is readable or writable. Returns -1 with err set at the time limit. */
static int wait_for_socket(struct postgres *p, short events, uint64_t until_ms, struct error *err)
{
	struct pollfd fd = {.fd = pq.PQsocket(p->conn), .events = events};

	for (;;) {
		int ready = poll(&fd, 1, LOOK_MS);

		if (ready > 0 || (ready < 0 && errno != EINTR))
			return 0; /* libpq finds out what it is */
		if (db_is_stopped(p->db)) {
			postgres_lost(p, "stopped", NULL);
			return error_cancelled(err);
		}
		if (now_ms() > until_ms && !p->db->work && !p->is_command)
			return postgres_lost(p, "it has not answered for a minute", err);
	}
}

static int send_all(struct postgres *p, uint64_t until_ms, struct error *err)
{
	int left;

	while ((left = pq.PQflush(p->conn)) > 0) {
		/* Its answer may have to be read before it takes more. */
		if (wait_for_socket(p, POLLIN | POLLOUT, until_ms, err) != 0)
			return -1;
		if (!pq.PQconsumeInput(p->conn))
			break;
	}
	return left < 0 || pq.PQstatus(p->conn) != CONNECTION_OK ?
	    postgres_lost(p, pq.PQerrorMessage(p->conn), err) :
	    0;
}

int postgres_send(struct postgres *p, struct error *err)
{
	p->db->round_trips++;
	return send_all(p, now_ms() + ANSWER_MS, err);
}

int postgres_wait_to_read(struct postgres *p, struct error *err)
{
	if (wait_for_socket(p, POLLIN, now_ms() + ANSWER_MS, err) != 0)
		return -1;
	return pq.PQconsumeInput(p->conn) ? 0 : postgres_lost(p, pq.PQerrorMessage(p->conn), err);
}

/* Returns whether rows of a COPY follow. */
static bool is_copy(const PGresult *result)
{
	ExecStatusType status = pq.PQresultStatus(result);

	return status == PGRES_COPY_IN || status == PGRES_COPY_OUT;
}

bool postgres_is_good(const PGresult *result)
{
	ExecStatusType status = pq.PQresultStatus(result);

	return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK || is_copy(result);
}

static int next_result(struct postgres *p, uint64_t until_ms, PGresult **result, struct error *err)
{
	while (pq.PQisBusy(p->conn)) {
		if (wait_for_socket(p, POLLIN, until_ms, err) != 0)
			return -1;
		if (!pq.PQconsumeInput(p->conn))
			return postgres_lost(p, pq.PQerrorMessage(p->conn), err);
	}
	*result = pq.PQgetResult(p->conn);
	return 0;
}

int postgres_next_result(struct postgres *p, PGresult **result, struct error *err)
{
	return next_result(p, until(p, ANSWER_MS), result, err);
}

PGresult *postgres_await(struct postgres *p, int sent, struct error *err)
{
	uint64_t until_ms = until(p, ANSWER_MS);
	PGresult *found = NULL, *next;

	if (!sent) {
		postgres_lost(p, pq.PQerrorMessage(p->conn), err);
		return NULL;
	}
	p->db->round_trips++;
	if (send_all(p, until_ms, err) != 0)
		return NULL;
	while (!found || !is_copy(found)) {
		if (next_result(p, until_ms, &next, err) != 0) {
			pq.PQclear(found);
			return NULL;
		}
		if (!next)
			break;
		if (found && !postgres_is_good(found)) {
			pq.PQclear(next);
			continue;
		}
		pq.PQclear(found);
		found = next;
	}
	if (found && postgres_is_good(found))
		return found;
	if (found)
		postgres_fail(p, found, false, err);
	else
		postgres_lost(p, pq.PQerrorMessage(p->conn), err);
	return NULL;
}

PGresult *postgres_query(struct postgres *p, const char *sql, struct error *err)
{
	if (!p->conn)
		postgres_fail_unreachable(p, err);
	else if (pipeline_end(p, err) == 0)
		return postgres_await(p, pq.PQsendQuery(p->conn, sql), err);
	return NULL;
}

int postgres_do(struct postgres *p, const char *sql, struct error *err)
{
	PGresult *result = postgres_query(p, sql, err);

	if (!result)
		return -1;
	pq.PQclear(result);
	return 0;
}

static void on_notice(void *arg, const PGresult *notice)
{
	const char *severity = pq.PQresultErrorField(notice, PG_DIAG_SEVERITY_NONLOCALIZED);
	const char *text = pq.PQresultErrorField(notice, PG_DIAG_MESSAGE_PRIMARY);

	(void)arg;
	if (severity && strcmp(severity, "WARNING") == 0)
		log_warn("store", "the database says: %s", text ? text : "");
}

/* What a URL may change comes before it. */
static const char *const names[] = {"application_name", "target_session_attrs", "connect_timeout",
    "keepalives_idle", "keepalives_interval", "keepalives_count", "tcp_user_timeout", "dbname",
    "client_encoding", "password", NULL};

static void values_of(const struct postgres *p, const char *values[ARRAY_LEN(names)])
{
	const char *const all[ARRAY_LEN(names)] = {
	    "myna", "read-write", "10", "10", "5", "3", "25000", p->url, "UTF8", p->password, NULL};

	memcpy(values, all, sizeof(all));
}

/* At the start, a server that is there refuses us for good. */
static int refuse(struct postgres *p, struct error *err)
{
	const char *values[ARRAY_LEN(names)];
	struct buf why = BUF_INIT;
	bool there;

	sentence(p->conn ? pq.PQerrorMessage(p->conn) : "out of memory", &why);
	values_of(p, values);
	there = p->generation == 0 && pq.PQpingParams(names, values, 1) == PQPING_OK;
	if (there)
		error_set(
		    err, ERROR_OURS, "the database %s refuses the connection: %s", p->db->path, why.data);
	else
		error_limited(
		    err, POSTGRES_RETRY_MS, "cannot reach the database %s: %s", p->db->path, why.data);
	disconnect(p);
	buf_clear(&why);
	return -1;
}

static int reach(struct postgres *p, struct error *err)
{
	uint64_t until_ms = until(p, CONNECT_MS);
	const char *values[ARRAY_LEN(names)];
	PostgresPollingStatusType status = PGRES_POLLING_WRITING;

	values_of(p, values);
	p->conn = pq.PQconnectStartParams(names, values, 1);
	if (!p->conn || pq.PQstatus(p->conn) == CONNECTION_BAD)
		return refuse(p, err);
	while (status == PGRES_POLLING_READING || status == PGRES_POLLING_WRITING) {
		struct pollfd fd = {
		    .fd = pq.PQsocket(p->conn), .events = status == PGRES_POLLING_READING ? POLLIN : POLLOUT};

		if (poll(&fd, 1, LOOK_MS) != 0)
			status = pq.PQconnectPoll(p->conn);
		if (db_is_stopped(p->db)) {
			disconnect(p);
			return error_cancelled(err);
		}
		if (now_ms() > until_ms)
			break;
	}
	return status == PGRES_POLLING_OK ? 0 : refuse(p, err);
}

/* A database may have been told to lose what was committed, or to end what takes long, or to keep what a dead
 * gateway began. Plans are kept, also those that were made when tables were small: each takes rows by an
 * index, as SQLite's do, and none is worth to be compiled. */
static const char session[] = ONLY_POSTGRES
    "SELECT set_config('client_min_messages', 'warning', false), set_config('statement_timeout', '0', "
    "false), set_config('lock_timeout', '0', false), set_config('default_transaction_isolation', 'read "
    "committed', false), set_config('idle_in_transaction_session_timeout', '60s', false), "
    "set_config('tcp_keepalives_idle', '10', false), set_config('tcp_keepalives_interval', '5', false), "
    "set_config('tcp_keepalives_count', '3', false), set_config('enable_seqscan', 'off', false), "
    "set_config('enable_hashjoin', 'off', false), set_config('enable_mergejoin', 'off', false), "
    "set_config('jit', 'off', false), set_config('plan_cache_mode', 'force_generic_plan', false), "
    "set_config('synchronous_commit', CASE "
    "current_setting('synchronous_commit') WHEN 'off' "
    "THEN 'on' ELSE current_setting('synchronous_commit') END, false), "
    "(SELECT backend_start::text FROM pg_stat_activity WHERE pid = pg_backend_pid()), "
    "current_setting('server_encoding')";
#define SESSION_SINCE    14
#define SESSION_ENCODING 15

static int begin_session(struct postgres *p, struct error *err)
{
	PGresult *result;
	int rc = 0;

	pq.PQsetNoticeReceiver(p->conn, on_notice, p);
	pq.PQsetnonblocking(p->conn, 1);
	if (pq.PQserverVersion(p->conn) < VERSION_MIN)
		return error_set(err, ERROR_OURS,
		    "the database %s is of version %d, and %d is the oldest that is known", p->db->path,
		    pq.PQserverVersion(p->conn) / 10000, VERSION_MIN / 10000);
	result = postgres_query(p, session, err);
	if (!result)
		return -1;
	if (strcmp(pq.PQgetvalue(result, 0, SESSION_ENCODING), "UTF8") != 0)
		rc = error_set(err, ERROR_OURS, "the database %s has the encoding %s: make one with UTF8",
		    p->db->path, pq.PQgetvalue(result, 0, SESSION_ENCODING));
	free(p->pid_since);
	p->pid_since = xstrdup(pq.PQgetvalue(result, 0, SESSION_SINCE));
	p->pid = pq.PQbackendPID(p->conn);
	pq.PQclear(result);
	return rc;
}

int postgres_connect(struct postgres *p, struct error *err)
{
	if (reach(p, err) != 0)
		return -1;
	p->generation++;
	if (begin_session(p, err) == 0)
		return 0;
	disconnect(p);
	return -1;
}

/* The process that served the lost connection may not know yet that it is lost: it holds our lock, and
 * perhaps a commit that is under way. */
static void end_former(struct postgres *p, int pid, const char *since)
{
	char *sql = xasprintf(ONLY_POSTGRES
	    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = %d AND "
	    "backend_start::text = '%s'",
	    pid, since);

	postgres_do(p, sql, NULL);
	free(sql);
}

/* No id is assigned twice, not even one of a lost row. */
static int skip_ids(struct postgres *p, struct error *err)
{
	db_forget_ids(p->db);
	return postgres_do(p,
	    ONLY_POSTGRES "SELECT setval(format('%I.%I', schemaname, sequencename)::regclass, "
			  "coalesce(last_value, 0) + 1000000) FROM pg_sequences WHERE schemaname = "
			  "current_schema()",
	    err);
}

/* A standby without the newest commits has replaced its server: confirmed commits are missing. */
static int note_stale(struct postgres *p, int64_t missing, struct error *err)
{
	p->missing += missing;
	p->db->trouble |= DB_STALE;
	return skip_ids(p, err);
}

/* Returns 1 when the uncertain commit has happened, and finds the ids that it inserted; 0 when it has not, or
 * there is none. We hold the lock, so that nothing of ours is under way. */
static int check_commits(struct postgres *p, struct error *err)
{
	char *sql = xasprintf(ONLY_POSTGRES "SELECT commits FROM writers WHERE writer = '%s'", p->writer);
	PGresult *result = postgres_query(p, sql, err);
	int64_t found = 0;
	bool there;

	free(sql);
	if (!result)
		return -1;
	there = pq.PQntuples(result) == 1;
	if (there)
		found = strtoll(pq.PQgetvalue(result, 0, 0), NULL, 10);
	pq.PQclear(result);
	/* Without an uncertain commit, the next one finds out. */
	if (!there && p->cluster)
		return p->db->commit_uncertain ?
		    error_set(err, ERROR_OURS, "another node has taken over what this one served") :
		    0;
	if (!there && postgres_begin_writing(p, err) != 0)
		return -1;
	if (found < p->confirmed && note_stale(p, p->confirmed - found, err) != 0)
		return -1;
	p->confirmed = found;
	if (!p->db->commit_uncertain || found != p->commits || WRONG("commit-forgotten"))
		return 0;
	return pipeline_find_ids(p, err) != 0 ? -1 : 1;
}

/* The store may have been moved while the connection was lost. */
static int refuse_if_moved(struct postgres *p, struct error *err)
{
	PGresult *result = postgres_query(p,
	    ONLY_POSTGRES "SELECT value FROM cursors WHERE account = '" MOVED_ACCOUNT
			  "' AND name = '" MOVED_NAME "'",
	    err);
	int rc = 0;

	if (!result)
		return -1;
	if (pq.PQntuples(result) > 0)
		rc = error_set(err, ERROR_OURS, "the store in %s was moved to %s: stop this gateway",
		    p->db->path, pq.PQgetvalue(result, 0, 0));
	pq.PQclear(result);
	return rc;
}

static int try_to_recover(struct postgres *p, struct error *err)
{
	char *since = xstrdup(p->pid_since);
	int pid = p->pid, rc = postgres_connect(p, err);

	if (rc == 0 && p->locks) {
		end_former(p, pid, since);
		rc = postgres_lock(p, err);
		if (rc == 0)
			rc = refuse_if_moved(p, err);
	}
	free(since);
	if (rc == 0 && p->writer[0] != '\0')
		rc = check_commits(p, err);
	/* Nothing may run on a half-recovered connection. */
	if (rc < 0)
		disconnect(p);
	return rc;
}

int postgres_recover(struct db *db, struct error *err)
{
	struct postgres *p = postgres_of(db);
	int rc = -1;

	if (now_ms() >= p->retry_at_ms) {
		rc = try_to_recover(p, &p->why);
		if (rc < 0)
			p->retry_at_ms = now_ms() + backoff_next(&p->backoff);
	}
	if (rc < 0)
		return postgres_fail_unreachable(p, err);
	backoff_reset(&p->backoff);
	db->lost = db->commit_uncertain = false;
	return rc;
}
