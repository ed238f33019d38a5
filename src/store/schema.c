#include "store/schema.h"

#include "base/error.h"
#include "base/mem.h"
#include "store/db_engine.h"

/* Long texts come last, so that scans of the columns before them read no overflow pages. AUTOINCREMENT
 * (until version 28 for the tables of each message) because ids are given to platforms (nonces, metadata) and
 * must not be reused. The CHECKs refuse what could not be read back into the structs. Partial indexes include
 * the column of their condition, so that counts read the index alone. States: inbox 0 pending, 1 taken by a
 * turn (until version 27), 2 done, 3 dead, 4 context (since version 3); outbox and turns as in their enums.
 */
static const char version_1[] =
    "CREATE TABLE meta (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, value INTEGER NOT NULL) STRICT;"

    "CREATE TABLE cursors (id INTEGER PRIMARY KEY, account TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT "
    "NULL, updated_ms INTEGER NOT NULL, UNIQUE (account, name)) STRICT;"

    "CREATE TABLE inbox (id INTEGER PRIMARY KEY AUTOINCREMENT,"
    " state INTEGER NOT NULL DEFAULT 0 CHECK (state BETWEEN 0 AND 3), turn INTEGER NOT NULL DEFAULT 0, "
    "done_ms INTEGER NOT NULL DEFAULT 0, why TEXT,"
    " account TEXT NOT NULL, event_id TEXT NOT NULL, kind INTEGER NOT NULL CHECK (kind BETWEEN 0 AND 2), "
    "channel TEXT NOT NULL CHECK (length(CAST(channel AS BLOB)) < 32),"
    " chat TEXT NOT NULL CHECK (length(CAST(chat AS BLOB)) < 64),"
    " thread TEXT NOT NULL CHECK (length(CAST(thread AS BLOB)) < 64),"
    " chat_kind INTEGER NOT NULL CHECK (chat_kind BETWEEN 0 AND 2),"
    " sender_is_chat INTEGER NOT NULL, sender_is_bot INTEGER NOT NULL, addressed INTEGER NOT NULL, sent_ms "
    "INTEGER NOT NULL, received_ms INTEGER NOT NULL, message_id TEXT, reply_to TEXT, sender_id TEXT, "
    "sender_name TEXT, chat_title TEXT, reply_text TEXT, text TEXT NOT NULL, UNIQUE (account, event_id)) "
    "STRICT;CREATE INDEX inbox_pending ON inbox (channel, chat, thread, id, state) WHERE state = 0;CREATE "
    "INDEX inbox_taken ON inbox (turn) WHERE state = 1;"

    "CREATE TABLE outbox (id INTEGER PRIMARY KEY AUTOINCREMENT,"
    " kind INTEGER NOT NULL CHECK (kind BETWEEN 0 AND 1), state INTEGER NOT NULL CHECK (state BETWEEN 0 AND "
    "4), channel TEXT NOT NULL CHECK (length(CAST(channel AS BLOB)) < 32),"
    " chat TEXT NOT NULL CHECK (length(CAST(chat AS BLOB)) < 64),"
    " thread TEXT NOT NULL CHECK (length(CAST(thread AS BLOB)) < 64),"
    " key TEXT, part INTEGER NOT NULL CHECK (part BETWEEN 0 AND 2147483647),"
    " parts INTEGER NOT NULL CHECK (parts BETWEEN 0 AND 2147483647), turn INTEGER NOT NULL, attempts INTEGER "
    "NOT NULL CHECK (attempts BETWEEN 0 AND 4294967295), repeat INTEGER NOT NULL, not_before_ms INTEGER NOT "
    "NULL, created_ms INTEGER NOT NULL, updated_ms INTEGER NOT NULL, platform_id TEXT, reason TEXT, reply_to "
    "TEXT, text TEXT NOT NULL) STRICT;"
    "CREATE INDEX outbox_lane ON outbox (channel, chat, id, state) WHERE state < 2;"
    "CREATE INDEX outbox_unsent ON outbox (state) WHERE state > 2;"
    "CREATE UNIQUE INDEX outbox_key ON outbox (key) WHERE key IS NOT NULL;"

    "CREATE TABLE sessions (id INTEGER PRIMARY KEY AUTOINCREMENT,"
    " channel TEXT NOT NULL CHECK (length(CAST(channel AS BLOB)) < 32),"
    " chat TEXT NOT NULL CHECK (length(CAST(chat AS BLOB)) < 64),"
    " thread TEXT NOT NULL CHECK (length(CAST(thread AS BLOB)) < 64),"
    " created_ms INTEGER NOT NULL, closed_ms INTEGER NOT NULL DEFAULT 0) STRICT;"
    "CREATE UNIQUE INDEX sessions_current ON sessions (channel, chat, thread, closed_ms) WHERE closed_ms = 0;"

    "CREATE TABLE turns (id INTEGER PRIMARY KEY AUTOINCREMENT, session INTEGER NOT NULL, state INTEGER NOT "
    "NULL DEFAULT 0 CHECK (state BETWEEN 0 AND 4),"
    " attempts INTEGER NOT NULL DEFAULT 1 CHECK (attempts BETWEEN 0 AND 4294967295),"
    " rounds INTEGER NOT NULL DEFAULT 0 CHECK (rounds BETWEEN 0 AND 4294967295),"
    " began_ms INTEGER NOT NULL, ended_ms INTEGER NOT NULL DEFAULT 0) STRICT;"
    "CREATE UNIQUE INDEX turns_open ON turns (session) WHERE state = 0;"

    "CREATE TABLE calls (id INTEGER PRIMARY KEY, turn INTEGER NOT NULL, call_id TEXT NOT NULL, finished "
    "INTEGER NOT NULL DEFAULT 0, started_ms INTEGER NOT NULL, UNIQUE (turn, call_id)) STRICT;"

    "CREATE TABLE transcript (id INTEGER PRIMARY KEY AUTOINCREMENT, session INTEGER NOT NULL, turn INTEGER "
    "NOT NULL, role INTEGER NOT NULL CHECK (role BETWEEN 0 AND 2), is_error INTEGER NOT NULL, bytes INTEGER "
    "NOT NULL, created_ms INTEGER NOT NULL, call_id TEXT, provider TEXT, model TEXT, calls TEXT, raw TEXT, "
    "text TEXT NOT NULL) STRICT;"
    /* The index has all that decides which turns fit, so that no text is read for it. */
    "CREATE INDEX transcript_session ON transcript (session, id, turn, bytes);";

/* An answer that replaces its preview message. */
static const char version_2[] = "ALTER TABLE outbox ADD COLUMN edit_of TEXT;"
				"ALTER TABLE turns ADD COLUMN preview TEXT;";

/* More kinds of messages, context messages (state 4: kept for the next turn of the chat), and moves of a chat
 * to a new id. A CHECK can only be changed by recreating the table. */
static const char version_3[] =
    "CREATE TABLE inbox_3 (id INTEGER PRIMARY KEY AUTOINCREMENT,"
    " state INTEGER NOT NULL DEFAULT 0 CHECK (state BETWEEN 0 AND 4), turn INTEGER NOT NULL DEFAULT 0, "
    "done_ms INTEGER NOT NULL DEFAULT 0, why TEXT,"
    " account TEXT NOT NULL, event_id TEXT NOT NULL, kind INTEGER NOT NULL CHECK (kind BETWEEN 0 AND 4), "
    "channel TEXT NOT NULL CHECK (length(CAST(channel AS BLOB)) < 32),"
    " chat TEXT NOT NULL CHECK (length(CAST(chat AS BLOB)) < 64),"
    " thread TEXT NOT NULL CHECK (length(CAST(thread AS BLOB)) < 64),"
    " chat_kind INTEGER NOT NULL CHECK (chat_kind BETWEEN 0 AND 2),"
    " sender_is_chat INTEGER NOT NULL, sender_is_bot INTEGER NOT NULL, addressed INTEGER NOT NULL, "
    "to_another INTEGER NOT NULL DEFAULT 0, continues INTEGER NOT NULL DEFAULT 0,"
    " sent_ms INTEGER NOT NULL, received_ms INTEGER NOT NULL, message_id TEXT, reply_to TEXT, sender_id "
    "TEXT, sender_name TEXT, chat_title TEXT, reply_text TEXT, text TEXT NOT NULL, UNIQUE (account, "
    "event_id)) STRICT;"
    /* Ids of deleted rows must not be reused either. */
    "INSERT INTO sqlite_sequence (name, seq) SELECT 'inbox_3', seq FROM sqlite_sequence WHERE name = "
    "'inbox';INSERT INTO inbox_3 SELECT id, state, turn, done_ms, why, account, event_id, kind, channel, "
    "chat, thread, chat_kind, sender_is_chat, sender_is_bot, addressed, 0, 0, sent_ms, received_ms, "
    "message_id, reply_to, sender_id, sender_name, chat_title, reply_text, text FROM inbox ORDER BY id;"
    "DROP TABLE inbox;"
    "ALTER TABLE inbox_3 RENAME TO inbox;"
    "CREATE INDEX inbox_pending ON inbox (channel, chat, thread, id, state) WHERE state = 0;CREATE INDEX "
    "inbox_taken ON inbox (turn) WHERE state = 1;"
    "CREATE INDEX inbox_context ON inbox (channel, chat, thread, id, state) WHERE state = 4;"

    "CREATE TABLE moves (id INTEGER PRIMARY KEY, channel TEXT NOT NULL CHECK (length(CAST(channel AS BLOB)) "
    "< 32), old_chat TEXT NOT NULL CHECK (length(CAST(old_chat AS BLOB)) < 64),"
    " new_chat TEXT NOT NULL CHECK (length(CAST(new_chat AS BLOB)) < 64), moved_ms INTEGER NOT NULL, UNIQUE "
    "(channel, old_chat)) STRICT;";

/* waits_ms: since when an open turn waits for the model. turns_dead: dead turns are few, and counted. */
static const char version_4[] = "ALTER TABLE turns ADD COLUMN waits_ms INTEGER NOT NULL DEFAULT 0;"
				"CREATE INDEX turns_dead ON turns (state) WHERE state = 4;";

/* Buttons under a message. A prompt is a question: what it asks, whom, and its outcome: state 0 open, 1
 * pressed, 2 expired; outbox: the row that shows it. */
static const char version_5[] =
    "ALTER TABLE outbox ADD COLUMN buttons TEXT;"
    "ALTER TABLE inbox ADD COLUMN press_id TEXT;"
    "CREATE TABLE prompts (id INTEGER PRIMARY KEY AUTOINCREMENT, token TEXT NOT NULL UNIQUE, state INTEGER "
    "NOT NULL DEFAULT 0 CHECK (state BETWEEN 0 AND 2), outbox INTEGER NOT NULL, channel TEXT NOT NULL CHECK "
    "(length(CAST(channel AS BLOB)) < 32),"
    " chat TEXT NOT NULL CHECK (length(CAST(chat AS BLOB)) < 64),"
    " thread TEXT NOT NULL CHECK (length(CAST(thread AS BLOB)) < 64),"
    " created_ms INTEGER NOT NULL, expires_ms INTEGER NOT NULL, ended_ms INTEGER NOT NULL DEFAULT 0, choice "
    "TEXT, press INTEGER NOT NULL DEFAULT 0, person TEXT NOT NULL, action TEXT NOT NULL, data TEXT NOT NULL) "
    "STRICT;CREATE INDEX prompts_open ON prompts (expires_ms, state) WHERE state = 0;";

/* Files of messages and the file that a delivery sends, as written by attachments_encode. */
static const char version_6[] =
    "ALTER TABLE inbox ADD COLUMN attachments TEXT;"
    "ALTER TABLE outbox ADD COLUMN file TEXT;"
    "CREATE INDEX outbox_files ON outbox (id) WHERE state < 2 AND file IS NOT NULL;";

/* A question that a turn's call waits for, and the outcome of any: who decided (the platform's id), how, and
 * the reason. */
static const char version_7[] = "ALTER TABLE prompts ADD COLUMN turn INTEGER NOT NULL DEFAULT 0;"
				"ALTER TABLE prompts ADD COLUMN call_id TEXT;"
				"ALTER TABLE prompts ADD COLUMN hash TEXT;"
				"ALTER TABLE prompts ADD COLUMN decider TEXT;"
				"ALTER TABLE prompts ADD COLUMN way TEXT;"
				"ALTER TABLE prompts ADD COLUMN reason TEXT;"
				"CREATE UNIQUE INDEX prompts_call ON prompts (turn, call_id) WHERE turn > 0;";

/* Roles granted from chat: role 0 denied, 1 guest, 2 user, 3 admin. Pairing requests: state 0 open, 1
 * admitted, 2 refused; rows are deleted some time after they have expired. */
static const char version_8[] =
    "CREATE TABLE grants (id INTEGER PRIMARY KEY AUTOINCREMENT,"
    " channel TEXT NOT NULL CHECK (length(CAST(channel AS BLOB)) < 32), person TEXT NOT NULL, role INTEGER "
    "NOT NULL CHECK (role BETWEEN 0 AND 3), private_only INTEGER NOT NULL, by TEXT NOT NULL, since_ms "
    "INTEGER NOT NULL, UNIQUE (channel, person)) STRICT;"
    "CREATE TABLE pairings (id INTEGER PRIMARY KEY AUTOINCREMENT,"
    " state INTEGER NOT NULL DEFAULT 0 CHECK (state BETWEEN 0 AND 2),"
    " channel TEXT NOT NULL CHECK (length(CAST(channel AS BLOB)) < 32),"
    " chat TEXT NOT NULL CHECK (length(CAST(chat AS BLOB)) < 64),"
    " thread TEXT NOT NULL CHECK (length(CAST(thread AS BLOB)) < 64),"
    " created_ms INTEGER NOT NULL, expires_ms INTEGER NOT NULL, code TEXT NOT NULL, person TEXT NOT NULL, "
    "name TEXT, by TEXT) STRICT;";

/* When a message was committed, when a model request or a call began, and when a delivery was last tried: for
 * the message trace. */
static const char version_9[] = "ALTER TABLE inbox ADD COLUMN stored_ms INTEGER NOT NULL DEFAULT 0;"
				"ALTER TABLE transcript ADD COLUMN began_ms INTEGER NOT NULL DEFAULT 0;"
				"ALTER TABLE outbox ADD COLUMN tried_ms INTEGER NOT NULL DEFAULT 0;";

/* What is set for one chat: queue is an enum queue_mode. person: the only person of a turn, '' when there are
 * several, NULL when unknown. hidden: the exchange was undone, and the model does not see it. */
static const char version_10[] = "CREATE TABLE chats (id INTEGER PRIMARY KEY,"
				 " channel TEXT NOT NULL CHECK (length(CAST(channel AS BLOB)) < 32),"
				 " chat TEXT NOT NULL CHECK (length(CAST(chat AS BLOB)) < 64),"
				 " queue INTEGER NOT NULL CHECK (queue BETWEEN 0 AND 4), UNIQUE (channel, "
				 "chat)) STRICT;ALTER TABLE turns ADD COLUMN person TEXT;"
				 "ALTER TABLE turns ADD COLUMN hidden INTEGER NOT NULL DEFAULT 0;"
				 "CREATE INDEX turns_hidden ON turns (hidden) WHERE hidden = 1;";

/* The model chosen for a chat, by name. Tokens as store/usage.c keeps them: day 0 is the total, and an empty
 * chat is all chats. */
static const char version_11[] =
    "CREATE TABLE models (id INTEGER PRIMARY KEY,"
    " channel TEXT NOT NULL CHECK (length(CAST(channel AS BLOB)) < 32),"
    " chat TEXT NOT NULL CHECK (length(CAST(chat AS BLOB)) < 64), name TEXT NOT NULL, UNIQUE (channel, "
    "chat)) STRICT;CREATE TABLE usage (id INTEGER PRIMARY KEY AUTOINCREMENT,"
    " channel TEXT NOT NULL CHECK (length(CAST(channel AS BLOB)) < 32),"
    " chat TEXT NOT NULL CHECK (length(CAST(chat AS BLOB)) < 64), day INTEGER NOT NULL, requests INTEGER NOT "
    "NULL, input INTEGER NOT NULL, cached INTEGER NOT NULL, output INTEGER NOT NULL, UNIQUE (channel, chat, "
    "day)) STRICT;";

/* heard: the newest inbox row when the question was asked. */
static const char version_12[] = "ALTER TABLE prompts ADD COLUMN heard INTEGER NOT NULL DEFAULT 0;";

/* The kind of reminders' messages, for which the inbox is recreated. A schedule has one of at_ms, every_ms
 * and cron; a paused or finished one ignores next_ms. fired counts its messages and makes their event ids. */
static const char version_13[] =
    "CREATE TABLE inbox_13 (id INTEGER PRIMARY KEY AUTOINCREMENT,"
    " state INTEGER NOT NULL DEFAULT 0 CHECK (state BETWEEN 0 AND 4), turn INTEGER NOT NULL DEFAULT 0, "
    "done_ms INTEGER NOT NULL DEFAULT 0, why TEXT,"
    " account TEXT NOT NULL, event_id TEXT NOT NULL, kind INTEGER NOT NULL CHECK (kind BETWEEN 0 AND 5), "
    "channel TEXT NOT NULL CHECK (length(CAST(channel AS BLOB)) < 32),"
    " chat TEXT NOT NULL CHECK (length(CAST(chat AS BLOB)) < 64),"
    " thread TEXT NOT NULL CHECK (length(CAST(thread AS BLOB)) < 64),"
    " chat_kind INTEGER NOT NULL CHECK (chat_kind BETWEEN 0 AND 2),"
    " sender_is_chat INTEGER NOT NULL, sender_is_bot INTEGER NOT NULL, addressed INTEGER NOT NULL, "
    "to_another INTEGER NOT NULL DEFAULT 0, continues INTEGER NOT NULL DEFAULT 0,"
    " sent_ms INTEGER NOT NULL, received_ms INTEGER NOT NULL, stored_ms INTEGER NOT NULL DEFAULT 0, "
    "message_id TEXT, reply_to TEXT, sender_id TEXT, sender_name TEXT, chat_title TEXT, press_id TEXT, "
    "reply_text TEXT, attachments TEXT, text TEXT NOT NULL, UNIQUE (account, event_id)) STRICT;"
    "INSERT INTO sqlite_sequence (name, seq) SELECT 'inbox_13', seq FROM sqlite_sequence WHERE name = "
    "'inbox';INSERT INTO inbox_13 SELECT id, state, turn, done_ms, why, account, event_id, kind, channel, "
    "chat, thread, chat_kind, sender_is_chat, sender_is_bot, addressed, to_another, continues, sent_ms, "
    "received_ms, stored_ms, message_id, reply_to, sender_id, sender_name, chat_title, press_id, reply_text, "
    "attachments, text FROM inbox ORDER BY id;DROP TABLE inbox;"
    "ALTER TABLE inbox_13 RENAME TO inbox;"
    "CREATE INDEX inbox_pending ON inbox (channel, chat, thread, id, state) WHERE state = 0;CREATE INDEX "
    "inbox_taken ON inbox (turn) WHERE state = 1;"
    "CREATE INDEX inbox_context ON inbox (channel, chat, thread, id, state) WHERE state = 4;"

    "CREATE TABLE schedules (id INTEGER PRIMARY KEY AUTOINCREMENT,"
    " channel TEXT NOT NULL CHECK (length(CAST(channel AS BLOB)) < 32),"
    " chat TEXT NOT NULL CHECK (length(CAST(chat AS BLOB)) < 64),"
    " thread TEXT NOT NULL CHECK (length(CAST(thread AS BLOB)) < 64),"
    " chat_kind INTEGER NOT NULL CHECK (chat_kind BETWEEN 0 AND 2), paused INTEGER NOT NULL, created_ms "
    "INTEGER NOT NULL, next_ms INTEGER NOT NULL, last_ms INTEGER NOT NULL, fired INTEGER NOT NULL, missed "
    "INTEGER NOT NULL, at_ms INTEGER NOT NULL, every_ms INTEGER NOT NULL, cron TEXT, zone TEXT NOT NULL, "
    "person TEXT NOT NULL, person_name TEXT, chat_title TEXT, note TEXT, content TEXT NOT NULL) STRICT;"
    "CREATE INDEX schedules_due ON schedules (next_ms, id, paused) WHERE paused = 0;"
    "CREATE INDEX schedules_chat ON schedules (channel, chat);";

/* over: the chat's next plan gets a new message. shown: the version that the outbox row shows, or will
 * show. */
static const char version_14[] =
    "CREATE TABLE plans (id INTEGER PRIMARY KEY AUTOINCREMENT,"
    " channel TEXT NOT NULL CHECK (length(CAST(channel AS BLOB)) < 32),"
    " chat TEXT NOT NULL CHECK (length(CAST(chat AS BLOB)) < 64),"
    " thread TEXT NOT NULL CHECK (length(CAST(thread AS BLOB)) < 64),"
    " session INTEGER NOT NULL, turn INTEGER NOT NULL, version INTEGER NOT NULL, shown INTEGER NOT NULL, "
    "outbox INTEGER NOT NULL, over INTEGER NOT NULL, created_ms INTEGER NOT NULL, ended_ms INTEGER NOT NULL, "
    "call_id TEXT, steps TEXT NOT NULL) STRICT;"
    "CREATE INDEX plans_chat ON plans (channel, chat, thread, id);"
    "CREATE INDEX plans_late ON plans (id) WHERE shown < version;";

/* Replaces the transcript of a session up to a row. */
static const char version_15[] =
    "CREATE TABLE summaries (id INTEGER PRIMARY KEY AUTOINCREMENT, session INTEGER NOT NULL, upto INTEGER "
    "NOT NULL, created_ms INTEGER NOT NULL, text TEXT NOT NULL, UNIQUE (session, upto)) STRICT;";

/* All settings of one chat are in one row. */
static const char version_16[] =
    "ALTER TABLE chats ADD COLUMN model TEXT;"
    "INSERT INTO chats (channel, chat, queue, model) SELECT channel, chat, 0, name FROM models WHERE true ON "
    "CONFLICT (channel, chat) DO UPDATE SET model = excluded.model;"
    "DROP TABLE models;";

/* Full-text index of what people and the agent said; search_index.c keeps it up to date with the transcript.
 */
static const char version_17[] =
    "CREATE VIRTUAL TABLE said_words USING fts5(text, content='transcript', content_rowid='id', "
    "tokenize='unicode61 remove_diacritics 2');"
    "INSERT INTO said_words (rowid, text) SELECT id, text FROM transcript WHERE role < 2 AND text <> '';";

/* Background jobs. */
static const char version_18[] =
    "CREATE TABLE works (id INTEGER PRIMARY KEY AUTOINCREMENT,"
    " channel TEXT NOT NULL CHECK (length(CAST(channel AS BLOB)) < 32),"
    " chat TEXT NOT NULL CHECK (length(CAST(chat AS BLOB)) < 64),"
    " thread TEXT NOT NULL CHECK (length(CAST(thread AS BLOB)) < 64), session INTEGER NOT NULL, turn INTEGER "
    "NOT NULL, began_ms INTEGER NOT NULL, what TEXT NOT NULL) STRICT;";

/* When the platform confirmed a message, which is before the commit of that. */
static const char version_19[] = "ALTER TABLE outbox ADD COLUMN acked_ms INTEGER NOT NULL DEFAULT 0;";

/* Instructions that an admin gives the model for one chat. */
static const char version_20[] = "ALTER TABLE chats ADD COLUMN instructions TEXT;";

/* Spending by account: scope 0 all, 1 a chat, 2 a person; period 0 total, else a month as 202611 or a day as
 * 20261122. Budgets of an account, -1: no limit; days on which they are lifted; and the warnings sent, in
 * percent of the limit. */
static const char version_21[] =
    "CREATE TABLE spending (id INTEGER PRIMARY KEY AUTOINCREMENT, scope INTEGER NOT NULL, channel TEXT NOT "
    "NULL CHECK (length(CAST(channel AS BLOB)) < 32), who TEXT NOT NULL CHECK (length(CAST(who AS BLOB)) < "
    "64), period INTEGER NOT NULL, turns INTEGER NOT NULL, requests INTEGER NOT NULL, unpriced INTEGER NOT "
    "NULL, input INTEGER NOT NULL, cached INTEGER NOT NULL, written INTEGER NOT NULL, output INTEGER NOT "
    "NULL, cost INTEGER NOT NULL, UNIQUE (scope, channel, who, period)) STRICT;"
    "INSERT INTO spending (scope, channel, who, period, turns, requests, unpriced, input, cached, written, "
    "output, cost) SELECT channel <> '', channel, chat, 0 AS span, 0, sum(requests), sum(requests), "
    "sum(input), sum(cached), 0, sum(output), 0 FROM usage WHERE day = 0 GROUP BY channel, chat;"
    "INSERT INTO spending (scope, channel, who, period, turns, requests, unpriced, input, cached, written, "
    "output, cost) SELECT channel <> '', channel, chat, CAST(strftime('%Y%m', day * 86400, 'unixepoch') AS "
    "INTEGER) AS span, 0, sum(requests), sum(requests), sum(input), sum(cached), 0, sum(output), 0 FROM "
    "usage WHERE day > 0 GROUP BY channel, chat, span ORDER BY span;"
    "INSERT INTO spending (scope, channel, who, period, turns, requests, unpriced, input, cached, written, "
    "output, cost) SELECT channel <> '', channel, chat, CAST(strftime('%Y%m%d', day * 86400, 'unixepoch') "
    "AS INTEGER) AS span, 0, sum(requests), sum(requests), sum(input), sum(cached), 0, sum(output), 0 FROM "
    "usage WHERE day > 0 GROUP BY channel, chat, span ORDER BY span;"
    "DROP TABLE usage;"
    "CREATE TABLE budgets (id INTEGER PRIMARY KEY AUTOINCREMENT, scope INTEGER NOT NULL, channel TEXT NOT "
    "NULL CHECK (length(CAST(channel AS BLOB)) < 32), who TEXT NOT NULL CHECK (length(CAST(who AS BLOB)) < "
    "64), span INTEGER NOT NULL, turns INTEGER NOT NULL, calls INTEGER NOT NULL, tokens INTEGER NOT NULL, "
    "money INTEGER NOT NULL, UNIQUE (scope, channel, who, span)) STRICT;"
    "CREATE TABLE lifts (id INTEGER PRIMARY KEY AUTOINCREMENT, scope INTEGER NOT NULL, channel TEXT NOT "
    "NULL CHECK (length(CAST(channel AS BLOB)) < 32), who TEXT NOT NULL CHECK (length(CAST(who AS BLOB)) < "
    "64), day INTEGER NOT NULL, UNIQUE (scope, channel, who)) STRICT;"
    "CREATE TABLE warnings (id INTEGER PRIMARY KEY AUTOINCREMENT, scope INTEGER NOT NULL, channel TEXT NOT "
    "NULL CHECK (length(CAST(channel AS BLOB)) < 32), who TEXT NOT NULL CHECK (length(CAST(who AS BLOB)) < "
    "64), span INTEGER NOT NULL, measure INTEGER NOT NULL, period INTEGER NOT NULL, most INTEGER NOT NULL, "
    "level INTEGER NOT NULL, UNIQUE (scope, channel, who, span, measure, period, most)) STRICT;";

/* Images shown with a message: references to files. */
static const char version_22[] = "ALTER TABLE transcript ADD COLUMN images TEXT;";

/* Requests whose usage the provider did not report, and seconds of transcribed speech. */
static const char version_23[] = "ALTER TABLE spending ADD COLUMN estimated INTEGER NOT NULL DEFAULT 0;"
				 "ALTER TABLE spending ADD COLUMN seconds INTEGER NOT NULL DEFAULT 0;";

/* A reply that may be missing, of which the person was not told yet. */
static const char version_24[] =
    "ALTER TABLE outbox ADD COLUMN owed INTEGER NOT NULL DEFAULT 0;"
    "CREATE INDEX outbox_owed ON outbox (channel, chat, id, owed) WHERE owed = 1;";

/* Who wrote the message that a message replies to. */
static const char version_25[] = "ALTER TABLE inbox ADD COLUMN reply_sender_id TEXT;"
				 "ALTER TABLE inbox ADD COLUMN reply_sender_name TEXT;";

/* Where a conversation is, for its open turn; the hidden turns of one conversation; what failed, by time; the
 * chats with a queue mode. The full-text index knows which messages have a word, and not where in them, so
 * that the lists of common words stay short; search_index.c fills and merges it. */
static const char version_26[] =
    "CREATE INDEX sessions_place ON sessions (channel, chat, thread);"
    "DROP INDEX turns_hidden;"
    "CREATE INDEX turns_hidden ON turns (session, hidden) WHERE hidden = 1;"
    "DROP INDEX outbox_unsent;"
    "CREATE INDEX outbox_unsent ON outbox (state, updated_ms) WHERE state > 2;"
    "CREATE INDEX chats_queue ON chats (id, queue) WHERE queue > 0;" SCHEMA_COUNTS ";"
    "DROP TABLE said_words;"
    "CREATE VIRTUAL TABLE said_words USING fts5(text, content='transcript', content_rowid='id', detail=none, "
    "tokenize='unicode61 remove_diacritics 2');"
    "INSERT INTO said_words (said_words, rank) VALUES ('automerge', 0), ('usermerge', 16), ('crisismerge', "
    "64);";

/* Spending is written once a day and account. Months and totals have only what was spent on days whose rows
 * are gone. */
static const char version_27[] =
    "UPDATE spending SET (turns, requests, unpriced, input, cached, written, output, cost, estimated, "
    "seconds) = "
    "(SELECT spending.turns - coalesce(sum(d.turns), 0), spending.requests - coalesce(sum(d.requests), 0), "
    "spending.unpriced - coalesce(sum(d.unpriced), 0), spending.input - coalesce(sum(d.input), 0), "
    "spending.cached - coalesce(sum(d.cached), 0), spending.written - coalesce(sum(d.written), 0), "
    "spending.output - coalesce(sum(d.output), 0), spending.cost - coalesce(sum(d.cost), 0), "
    "spending.estimated - coalesce(sum(d.estimated), 0), spending.seconds - coalesce(sum(d.seconds), 0) "
    "FROM spending d WHERE d.scope = spending.scope AND d.channel = spending.channel AND d.who = "
    "spending.who AND "
    "d.period > 999999 AND (spending.period = 0 OR d.period / 100 = spending.period)) WHERE period <= "
    "999999;";

/* A message that a turn has taken is done: what becomes of it is what becomes of the turn. */
static const char version_28[] = "DROP INDEX inbox_taken;"
				 "UPDATE inbox SET state = 2, done_ms = received_ms WHERE state = 1;"
				 "CREATE INDEX inbox_turn ON inbox (turn) WHERE turn > 0;";

/* The program gives the ids of these tables, in blocks: AUTOINCREMENT writes a page more in each commit.
 * Their rows in sqlite_sequence tell what was given, as before. */
static const char version_29[] = SCHEMA_ONLY_SQLITE
    "PRAGMA writable_schema = ON;"
    "UPDATE sqlite_schema SET sql = replace(sql, ' PRIMARY KEY AUTOINCREMENT', ' PRIMARY KEY') WHERE type = "
    "'table' AND name IN ('inbox', 'outbox', 'turns', 'transcript');"
    "PRAGMA writable_schema = RESET;"
    "INSERT INTO sqlite_sequence (name, seq) SELECT name, 0 FROM sqlite_schema WHERE type = 'table' AND name "
    "IN ('inbox', 'outbox', 'turns', 'transcript') AND name NOT IN (SELECT name FROM sqlite_sequence);";

static const char *const steps[] = {version_1, version_2, version_3, version_4, version_5, version_6,
    version_7, version_8, version_9, version_10, version_11, version_12, version_13, version_14, version_15,
    version_16, version_17, version_18, version_19, version_20, version_21, version_22, version_23,
    version_24, version_25, version_26, version_27, version_28, version_29};

const struct schema schema_current = {steps, ARRAY_LEN(steps)};

int schema_get(struct db *db, const char *name, int64_t *value, struct error *err)
{
	*value = 0;
	return db_number(db, "SELECT value FROM meta WHERE name = ?1", DB_ARGS(db_text(name)), value, err) <
		0 ?
	    -1 :
	    0;
}

int schema_set(struct db *db, const char *name, int64_t value, struct error *err)
{
	static const char sql[] = "INSERT INTO meta (name, value) VALUES (?1, ?2)"
				  " ON CONFLICT (name) DO UPDATE SET value = excluded.value";

	return db_run(db, sql, DB_ARGS(db_text(name), db_int(value)), err) < 0 ? -1 : 0;
}

int schema_add(struct db *db, const char *name, int64_t more, struct error *err)
{
	static const char sql[] = "UPDATE meta SET value = value + ?2 WHERE name = ?1";
	static const char of_node[] = "INSERT INTO meta (name, value) VALUES (?1 || '@' || ?3, ?2)"
				      " ON CONFLICT (name) DO UPDATE SET value = meta.value + excluded.value";
	int rc = db->node ?
	    db_run(db, of_node, DB_ARGS(db_text(name), db_int(more), db_text(db->node)), err) :
	    db_run(db, sql, DB_ARGS(db_text(name), db_int(more)), err);

	return rc < 0 ? -1 : 0;
}

int schema_sum(struct db *db, const char *name, int64_t *value, struct error *err)
{
	static const char sql[] = "SELECT CAST(sum(value) AS BIGINT) FROM meta WHERE name = ?1 OR "
				  "name > ?1 || '@' AND name < ?1 || 'A'";

	*value = 0;
	return db_number(db, sql, DB_ARGS(db_text(name)), value, err) < 0 ? -1 : 0;
}

int schema_version(struct db *db, const struct schema *schema, int64_t *version, struct error *err)
{
	int64_t copy = 0;

	if (db->ops->read_version(db, version, err) != 0)
		return -1;
	if (*version != 0 && schema_get(db, "version", &copy, err) != 0)
		return -1;
	if (*version != copy)
		return db_damaged(db, err, "its version is %lld in one place and %lld in another",
		    (long long)*version, (long long)copy);
	if (*version < 0 || *version > (int64_t)schema->count)
		return error_set(err, ERROR_OURS,
		    "the database %s has version %lld, and this program knows %zu: run the newer program "
		    "that "
		    "wrote it",
		    db->path, (long long)*version, schema->count);
	return 0;
}

static int step_up(struct db *db, const char *sql, int64_t from, int64_t to, struct error *err)
{
	if (db_begin(db, err) != 0)
		return -1;
	if (db_script(db, sql, err) != 0 || schema_set(db, "version", to, err) != 0 ||
	    db->ops->write_version(db, to, err) != 0) {
		db_rollback(db);
		return error_prefix(err, "cannot bring the database from version %lld to %lld",
		    (long long)from, (long long)to);
	}
	return db_commit(db, err);
}

int schema_migrate(struct db *db, const struct schema *schema, struct error *err)
{
	bool is_ours = schema->steps == schema_current.steps && schema->count >= SCHEMA_NEW;
	int64_t version;

	if (schema_version(db, schema, &version, err) != 0)
		return -1;
	if (version == 0 && is_ours) {
		if (step_up(db, schema_new, 0, SCHEMA_NEW, err) != 0)
			return -1;
		version = SCHEMA_NEW;
	}
	for (; version < (int64_t)schema->count; version++)
		if (step_up(db, schema->steps[version], version, version + 1, err) != 0)
			return -1;
	return 0;
}
