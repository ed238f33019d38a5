#include "session/turn/attachments.h"

#include <stdlib.h>
#include <string.h>

#include "agent/ask_model.h"
#include "agent/budget.h"
#include "base/buf.h"
#include "base/config/config.h"
#include "base/error.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/task.h"
#include "base/time/clock.h"
#include "base/wrong.h"
#include "bus/bus.h"
#include "llm/image.h"
#include "llm/vision.h"
#include "llm/audio.h"
#include "llm/transcribe.h"
#include "session/turn/coalesce.h"
#include "session/session_internal.h"
#include "session/turn/turn.h"
#include "store/store.h"
#include "tools/files/image_copy.h"
#include "tools/files/incoming_files.h"
#include "tools/tools.h"

#define TRIES          4
#define RETRY_FIRST_MS 500
#define RETRY_LAST_MS  8000
/* When a platform asks for a longer wait, the download is not retried. */
#define LIMITED_MAX_MS 30000

static const struct config_key keys[] = {
    {.name = "at_once",
	.type = CONFIG_INT,
	.offset = offsetof(struct files_settings, at_once),
	.fallback = "4",
	.min = 1,
	.max = 64,
	.help = "Maximum number of files that are downloaded, and images that are scaled down, at the same "
		"time in all chats; each is in memory meanwhile."},
    {.name = "chat_limit",
	.type = CONFIG_SIZE,
	.offset = offsetof(struct files_settings, chat_max),
	.fallback = "1 GiB",
	.min = 0,
	.max = INT64_C(1) << 40,
	.help = "Maximum size of all stored files of one chat; beyond that, files are refused until some are "
		"removed. 0: no limit."},
    {.name = "count_limit",
	.type = CONFIG_INT,
	.offset = offsetof(struct files_settings, count_max),
	.fallback = "10",
	.min = 0,
	.max = 100,
	.help = "Maximum number of files accepted from one message or album. 0: none."},
    {.name = "file_limit",
	.type = CONFIG_SIZE,
	.offset = offsetof(struct files_settings, file_max),
	.fallback = "20 MiB",
	.min = 1024,
	.max = 256 * 1024 * 1024,
	.help = "Maximum size of one file. Platforms have limits of their own: a Telegram bot can download "
		"20 MB."},
    {.name = "timeout",
	.type = CONFIG_DURATION,
	.offset = offsetof(struct files_settings, timeout_ms),
	.fallback = "2 min",
	.min = 1000,
	.max = 3600 * 1000,
	.help = "Longest time of one download."},
    {.name = "turn_limit",
	.type = CONFIG_SIZE,
	.offset = offsetof(struct files_settings, turn_max),
	.fallback = "50 MiB",
	.min = 1024,
	.max = INT64_C(4) << 30,
	.help = "Maximum size of all files of one message or album."},
};

const struct config_section files_section = {
    .path = "files",
    .keys = keys,
    .key_count = ARRAY_LEN(keys),
    .help = "Files that people send. They are stored under files/CHANNEL-CHAT in the folder of the workspace "
	    "that the chat uses (tools.workspace_scope). The agent "
	    "learns which files there are, and which were refused and why.",
};

/* The files of one turn. */
struct fetch {
	struct session *s;
	const struct files_settings *settings;
	const struct coalesced *coalesced;
	struct tools *tools; /* the files of the turn */
	size_t count;        /* handled so far */
	int64_t bytes;       /* loaded so far */
};

/* One download. */
struct load {
	struct buf bytes;
	int64_t most;
	bool too_large;
};

static int take(const char *data, size_t len, void *arg)
{
	struct load *l = arg;

	if ((int64_t)(l->bytes.len + len) > l->most) {
		l->too_large = true;
		return -1;
	}
	buf_add(&l->bytes, data, len);
	return 0;
}

static int refuse_large(const struct fetch *f, int64_t most, struct error *err)
{
	bool own = most == f->settings->file_max, mega = most >= 1 << 20;

	return error_set(err, ERROR_REFUSED, "%s than the %.4g %s that %s",
	    own ? "It is larger" : "It needs more", (double)most / (mega ? 1 << 20 : 1),
	    mega ? "MB" : "bytes", own ? "one file may have here" : "are left for the files of this message");
}

/* Waits until another download may run. */
static int enter(struct task *t, struct sessions *all, struct error *err)
{
	int rc = 0;

	while (rc == 0 && all->loading >= (size_t)all->options.files->at_once)
		rc = task_cond_wait(t, &all->loaded, err);
	all->loading += rc == 0;
	return rc;
}

static void leave(struct sessions *all)
{
	all->loading--;
	task_cond_signal(&all->loaded);
}

static int try_once(struct task *t, struct fetch *f, struct channel *ch, const struct attachment *a,
    struct load *l, struct error *err)
{
	struct attachment_sink sink = {
	    .max_bytes = l->most, .total_ms = (uint64_t)f->settings->timeout_ms, .data = take, .arg = l};
	int rc;

	if (enter(t, f->s->all, err) < 0)
		return -1;
	buf_reset(&l->bytes);
	/* A turn that goes on after a restart can be faster than its channel. */
	rc = ch->state ? ch->ops->fetch(t, ch, a, &sink, err) :
			 error_set(err, ERROR_NETWORK, "the channel has not started yet");
	leave(f->s->all);
	return l->too_large ? refuse_large(f, l->most, err) : rc;
}

static int load(struct task *t, struct fetch *f, struct channel *ch, const struct attachment *a,
    struct load *l, struct error *err)
{
	struct backoff wait = {.base_ms = RETRY_FIRST_MS, .max_ms = RETRY_LAST_MS};

	for (int tries = 1; try_once(t, f, ch, a, l, err) < 0; tries++) {
		bool passes = err->kind == ERROR_NETWORK || err->kind == ERROR_LIMITED;
		if (task_check(t, NULL) < 0 || !passes || tries == TRIES || err->retry_ms > LIMITED_MAX_MS)
			return -1;
		uint64_t ms = backoff_next(&wait);
		log_info("session", "a file could not be loaded, trying again: %s", err->text);
		if (task_sleep(t, err->retry_ms > ms ? err->retry_ms : ms, err) < 0)
			return -1;
	}
	return 0;
}

static int download(struct task *t, struct fetch *f, const struct message *m, const struct attachment *a,
    struct load *l, struct error *err)
{
	struct channel *ch = bus_channel_of(f->s->all->options.agent->bus, &m->from);
	int64_t left = f->settings->turn_max - f->bytes;

	if (!ch || !ch->ops->fetch || !a->ref)
		return error_set(err, ERROR_REFUSED, "Files of this kind cannot be loaded from here");
	l->most = left < f->settings->file_max ? left : f->settings->file_max;
	if (a->size > l->most)
		return refuse_large(f, l->most, err);
	if (a->size > 0)
		buf_reserve(&l->bytes, (size_t)a->size);
	return load(t, f, ch, a, l, err);
}

/* Stored at once: if a crash comes before the turn begins, the file is transcribed, and paid for, again. */
static void note_spent(struct task *t, const struct session *s, const struct store_usage *spent)
{
	struct store *store = s->all->options.agent->store;
	struct error err = {0};
	int64_t session;

	if (spent->requests == 0)
		return;
	task_shield(t);
	if (store_session(t, store, &s->where, &session, &err) < 0 ||
	    store_usage_add(t, store, session, spent, &err) < 0)
		log_error("session", "what a transcription cost is not stored: %s", err.text);
	task_unshield(t);
}

/* As ask_model_transcribe, on the sender's budget. */
static int transcribe(struct task *t, struct session *s, const struct message *m,
    const struct llm_audio *audio, struct buf *words, struct error *err)
{
	bool counted = s->runner.turn && s->runner.turn->counted;
	struct store_usage spent = {0};
	struct budget_spender who = session_spender(s, m);

	who.counted = &counted;
	who.spent = &spent;
	int rc = ask_model_transcribe(t, &who, audio, words, err);

	note_spent(t, s, &spent);
	return rc;
}

static void add_transcript(
    struct task *t, struct fetch *f, const struct message *m, struct attachment *a, const struct buf *bytes)
{
	const char *slash = strrchr(a->path, '/');
	const struct llm_audio audio = {.name = slash ? slash + 1 : a->path,
	    .mime = a->mime,
	    .bytes = bytes,
	    .stated_seconds = a->seconds};
	struct buf words = BUF_INIT;
	struct error err = {0};

	if (!llm_can_transcribe(f->s->all->options.agent->llm)) {
		a->note = xstrdup("What is said in it is not known: no service that turns speech into text "
				  "is set up here (llm.transcribe)");
		return;
	}
	int rc = transcribe(t, f->s, m, &audio, &words, &err);
	if (rc == 0)
		a->transcription = xstrdup(words.data);
	else
		a->note =
		    xasprintf(rc == BUDGET_REFUSED ? "It was kept, but not turned into text: %s" :
						     "What is said in it could not be turned into text: %s",
			err.text);
	if (rc != 0)
		log_warn("session", "a voice message was not transcribed: %s", err.text);
	buf_clear(&words);
}

static bool may_be_image(const struct attachment *a)
{
	return a->kind == ATTACHMENT_IMAGE || (a->mime && strncasecmp(a->mime, "image/", 6) == 0);
}

/* Makes the copy of an image that models get. */
static void add_shown_image(
    struct task *t, struct fetch *f, const struct message *m, struct attachment *a, const struct buf *bytes)
{
	const struct agent *agent = f->s->all->options.agent;
	const struct llm_vision_settings *limits = llm_vision(agent->llm);
	const struct image_copy_source from = {
	    .chat = &m->from, .path = a->path, .folder_max = f->settings->chat_max};
	struct llm_image image = {0};
	struct error err = {0};

	if (limits->count == 0 ||
	    (a->kind != ATTACHMENT_IMAGE && !image_copy_supports(bytes->data, bytes->len)))
		return;
	if (enter(t, f->s->all, &err) < 0)
		return;
	int rc = image_copy_make(t, f->tools, limits, &from, bytes, &image, &err);
	leave(f->s->all);
	if (rc == 0)
		a->model_view = llm_images_text(&image, 1);
	else
		a->note = xasprintf("It cannot be shown to you: %s", err.text);
	if (rc < 0)
		log_info("session", "an image is not shown: %s inbound=%lld", err.text, (long long)m->id);
	llm_image_clear(&image);
}

/* A file left from before a crash is complete, and is not loaded again. */
static int obtain(struct task *t, struct fetch *f, const struct message *m, struct attachment *a,
    const char *path, struct load *l, struct error *err)
{
	struct buf *wanted = a->kind == ATTACHMENT_VOICE || may_be_image(a) ? &l->bytes : NULL;
	int there = incoming_file_read(t, f->tools, path, f->settings->file_max, wanted, err);

	if (there != 0)
		return there < 0 ? -1 : 0;
	if (download(t, f, m, a, l, err) < 0 ||
	    incoming_file_store(t, f->tools, path, &l->bytes, f->settings->chat_max, err) < 0)
		return -1;
	f->bytes += (int64_t)l->bytes.len;
	a->size = (int64_t)l->bytes.len;
	if (!a->mime)
		a->mime = xstrdup(attachment_guess_mime(a->name, l->bytes.data, l->bytes.len));
	return 0;
}

static void fetch_one(struct task *t, struct fetch *f, const struct message *m, size_t i)
{
	struct attachment *a = &m->attachments[i];
	char *key = xasprintf("%s %s %zu", m->account, m->event_id,
		 i + (WRONG("upload-named-anew") ? (size_t)clock_wall() : 0)),
	     *path = incoming_file_path(&m->from, a, key);
	struct load l = {.bytes = BUF_INIT};
	struct error err = {0};
	int rc;

	if ((int64_t)f->count++ >= f->settings->count_max)
		rc = error_set(&err, ERROR_REFUSED, "At most %lld files are taken at once",
		    (long long)f->settings->count_max);
	else
		rc = obtain(t, f, m, a, path, &l, &err);
	if (rc == 0) {
		a->path = xstrdup(path);
		if (a->kind == ATTACHMENT_VOICE)
			add_transcript(t, f, m, a, &l.bytes);
		else if (may_be_image(a))
			add_shown_image(t, f, m, a, &l.bytes);
	} else {
		a->note = xstrdup(task_check(t, NULL) < 0 ? "Stopped before it was loaded" : err.text);
		log_info("session", "a file was not taken: %s inbound=%lld", a->note, (long long)m->id);
	}
	buf_clear(&l.bytes);
	free(path);
	free(key);
}

static void fetch_task(struct task *t, void *arg)
{
	struct fetch *f = arg;

	for (size_t i = 0; i < f->coalesced->count; i++) {
		const struct message *m = f->coalesced->items[i]->m;
		for (size_t k = 0; k < m->attachment_count; k++)
			if (!m->attachments[k].path && !m->attachments[k].note)
				fetch_one(t, f, m, k);
	}
	/* Cleared here, because a task that has ended must not be cancelled. */
	f->s->fetching = NULL;
}

static bool has_files(const struct coalesced *b)
{
	for (size_t i = 0; i < b->count; i++)
		if (b->items[i]->m->attachment_count > 0)
			return true;
	return false;
}

/* Clears the notes: when the process stops, files not loaded yet stay undecided. */
static void forget_notes(const struct coalesced *b)
{
	for (size_t i = 0; i < b->count; i++)
		for (size_t k = 0; k < b->items[i]->m->attachment_count; k++) {
			struct attachment *a = &b->items[i]->m->attachments[k];
			free(a->note);
			a->note = NULL;
		}
}

void attachments_stop(struct session *s)
{
	if (s->fetching)
		task_cancel(s->fetching);
}

int attachments_download(struct task *t, struct session *s, const struct coalesced *b, struct error *err)
{
	struct fetch f = {.s = s, .settings = s->all->options.files, .coalesced = b};
	struct task_group group;

	if (!has_files(b))
		return 0;
	f.tools = session_tools_pin(s->all, &s->where, coalesced_person(b));
	task_group_init(&group);
	s->fetching = task_start(&group, "files", fetch_task, &f);
	if (s->runner.stop_requested)
		task_cancel(s->fetching);
	if (task_group_wait(t, &group, NULL) < 0)
		task_group_finish(t, &group);
	tools_unpin(f.tools);
	if (task_check(t, err) == 0)
		return 0;
	forget_notes(b);
	return -1;
}
