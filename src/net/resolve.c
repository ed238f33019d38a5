#include "net/resolve.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <strings.h>
#include <uv.h>

#include "base/time/clock.h"
#include "base/error.h"
#include "base/list.h"
#include "base/mem.h"
#include "base/open_files.h"
#include "base/task.h"

#define KEEP_MS        (60 * 1000)
#define KEEP_FAILED_MS (5 * 1000)
#define KEEP_STALE_MS  (10 * 60 * 1000)
#define WAIT_MS        (10 * 1000)
#define WAIT_STALE_MS                                                                         \
	(2 * 1000) /* where an old answer is at hand: name servers that are down delay nobody \
		    */
#define NAMES_MAX 256

/* A name with its answer and the tasks that wait for it. */
struct name {
	struct list link;
	char *host;
	struct resolve_answer answer; /* count 0: never resolved */
	uint64_t answered_at, failed_at;
	int failure;              /* result of the last lookup, a uv error code; 0: it succeeded */
	uv_getaddrinfo_t *lookup; /* lookup in flight; NULL for none */
	bool forgotten;           /* removed from the table; freed when the lookup ends */
	struct list waiters;      /* a list: they get the answer even when the name is forgotten */
};

/* On the stack of the waiting task. */
struct waiter {
	struct list link;
	struct task *task;
	bool done;
	int failure;
	struct resolve_answer *answer;
};

/* Most recently used last. */
static struct list names = LIST_INIT(names);
static size_t name_count;

/* Returns the family of a literal address, which may be in brackets, as IPv6 is in a URL; 0: it is none. */
static int literal_family(const char *host, unsigned char bytes[sizeof(struct in6_addr)])
{
	char bare[INET6_ADDRSTRLEN];
	size_t len = strlen(host);

	if (inet_pton(AF_INET, host, bytes) == 1)
		return AF_INET;
	if (len > 2 && host[0] == '[' && host[len - 1] == ']' && len - 2 < sizeof(bare)) {
		memcpy(bare, host + 1, len - 2);
		bare[len - 2] = '\0';
		host = bare;
	}
	return inet_pton(AF_INET6, host, bytes) == 1 ? AF_INET6 : 0;
}

static bool literal_address(const char *host, char out[INET6_ADDRSTRLEN])
{
	unsigned char bytes[sizeof(struct in6_addr)];
	int family = literal_family(host, bytes);

	return family != 0 && inet_ntop(family, bytes, out, INET6_ADDRSTRLEN);
}

bool resolve_is_literal(const char *host)
{
	unsigned char bytes[sizeof(struct in6_addr)];

	return literal_family(host, bytes) != 0;
}

bool resolve_is_loopback(const char *host)
{
	char address[INET6_ADDRSTRLEN];

	if (strcasecmp(host, "localhost") == 0)
		return true;
	return literal_address(host, address) &&
	    (strncmp(address, "127.", 4) == 0 || strcmp(address, "::1") == 0);
}

static bool answer_at_once(const char *host, struct resolve_answer *answer)
{
	*answer = (struct resolve_answer){0};
	if (strcasecmp(host, "localhost") == 0) {
		*answer = (struct resolve_answer){2, {"127.0.0.1", "::1"}};
		return true;
	}
	answer->count = literal_address(host, answer->address[0]) ? 1 : 0;
	return answer->count > 0;
}

static void name_free(struct name *name)
{
	free(name->host);
	free(name);
}

static void name_forget(struct name *name)
{
	list_remove(&name->link);
	name_count--;
	name->forgotten = true;
	if (!name->lookup)
		name_free(name);
}

static struct name *name_get(const char *host)
{
	struct name *name;

	list_each(&names, it, next) {
		name = list_entry(it, struct name, link);
		if (strcasecmp(name->host, host) == 0) {
			list_remove(&name->link);
			list_append(&names, &name->link);
			return name;
		}
	}
	if (name_count == NAMES_MAX)
		name_forget(list_entry(list_first(&names), struct name, link));
	name = xcalloc(1, sizeof(*name));
	name->host = xstrdup(host);
	list_init(&name->waiters);
	list_append(&names, &name->link);
	name_count++;
	return name;
}

static bool younger(uint64_t since, uint64_t ms)
{
	return clock_now() - since < ms;
}

static bool name_has_stale(const struct name *name)
{
	return name->answer.count > 0 && younger(name->answered_at, KEEP_STALE_MS);
}

/* After a failure: uses the old answer while it is valid, else returns the failure. */
static int name_fall_back(const struct name *name, int failure, struct resolve_answer *answer)
{
	if (failure != 0 && !name_has_stale(name))
		return failure;
	*answer = name->answer;
	return 0;
}

static void answer_add(struct resolve_answer *answer, const struct sockaddr *sa)
{
	char *out = answer->address[answer->count];
	const void *bytes = NULL;

	if (sa->sa_family == AF_INET)
		bytes = &((const struct sockaddr_in *)(const void *)sa)->sin_addr;
	else if (sa->sa_family == AF_INET6)
		bytes = &((const struct sockaddr_in6 *)(const void *)sa)->sin6_addr;
	if (!bytes || !inet_ntop(sa->sa_family, bytes, out, sizeof(answer->address[0])))
		return;
	for (size_t i = 0; i < answer->count; i++) {
		if (strcmp(answer->address[i], out) == 0)
			return;
	}
	answer->count++;
}

static int name_learn(struct name *name, int status, const struct addrinfo *list)
{
	struct resolve_answer answer = {0};

	for (const struct addrinfo *ai = list; status == 0 && ai && answer.count < RESOLVE_MAX;
	     ai = ai->ai_next)
		answer_add(&answer, ai->ai_addr);
	if (status == 0 && answer.count == 0)
		status = UV_EAI_NODATA;
	name->failure = status;
	if (status != 0) {
		name->failed_at = clock_now();
		return status;
	}
	name->answer = answer;
	name->answered_at = clock_now();
	return 0;
}

static void on_lookup(uv_getaddrinfo_t *lookup, int status, struct addrinfo *list)
{
	struct name *name = lookup->data;
	int failure = name_learn(name, status, list);

	uv_freeaddrinfo(list);
	free(lookup);
	name->lookup = NULL;
	list_each(&name->waiters, it, next) {
		struct waiter *w = list_entry(it, struct waiter, link);

		list_remove(&w->link);
		w->failure = name_fall_back(name, failure, w->answer);
		w->done = true;
		task_wake(w->task);
	}
	if (name->forgotten)
		name_free(name);
}

static int name_look_up(struct name *name)
{
	/* ADDRCONFIG: no IPv6 addresses if the machine has none. */
	const struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_ADDRCONFIG};
	uv_getaddrinfo_t *lookup = xmalloc(sizeof(*lookup));
	int rc;

	lookup->data = name;
	rc = uv_getaddrinfo(uv_default_loop(), lookup, on_lookup, name->host, NULL, &hints);
	if (rc != 0) {
		free(lookup);
		return rc;
	}
	name->lookup = lookup;
	return 0;
}

/* A lookup that takes longer than we wait continues, and serves the next caller. */
static int name_wait(
    struct task *t, struct name *name, struct resolve_answer *answer, int *failure, struct error *err)
{
	struct waiter w = {.task = t, .answer = answer};
	uint64_t due = clock_now() + (name_has_stale(name) ? WAIT_STALE_MS : WAIT_MS);
	int rc = 0;

	list_append(&name->waiters, &w.link);
	while (!w.done && rc == 0)
		rc = task_wait_until(t, due, err);
	if (w.done) {
		*failure = w.failure;
		return rc < 0 ? -1 : 0;
	}
	list_remove(&w.link);
	if (rc > 0)
		*failure = name_fall_back(name, UV_ETIMEDOUT, answer);
	return rc < 0 ? -1 : 0;
}

static int failed(const char *host, int failure, struct error *err)
{
	static const struct {
		int code;
		const char *text;
	} texts[] = {
	    {UV_ETIMEDOUT, "the name servers did not answer in time"},
	    {UV_EAI_AGAIN, "the name servers do not answer"},
	    {UV_EAI_NODATA, "the name has no address"},
	    {UV_EAI_NONAME, "there is no such name"},
	};
	const char *text = uv_strerror(failure);

	if (open_files_used_up(err))
		return error_prefix(err, "\"%s\" was not resolved", host);
	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		if (texts[i].code == failure)
			text = texts[i].text;
	error_set(err, ERROR_NETWORK, "\"%s\" was not resolved: %s", host, text);
	if (err)
		err->unanswered = true;
	return -1;
}

int resolve_name(struct task *t, const char *host, struct resolve_answer *answer, struct error *err)
{
	struct name *name;
	int failure = 0;

	if (answer_at_once(host, answer))
		return 0;
	name = name_get(host);
	if (name->failure == 0 && name->answer.count > 0 && younger(name->answered_at, KEEP_MS)) {
		*answer = name->answer;
		return 0;
	}
	if (name->failure != 0 && younger(name->failed_at, KEEP_FAILED_MS)) {
		failure = name_fall_back(name, name->failure, answer);
		return failure == 0 ? 0 : failed(host, failure, err);
	}
	if (!name->lookup && (failure = name_look_up(name)) != 0)
		return error_set(
		    err, ERROR_OURS, "\"%s\" cannot be looked up: %s", host, uv_strerror(failure));
	if (name_wait(t, name, answer, &failure, err) != 0)
		return -1;
	return failure == 0 ? 0 : failed(host, failure, err);
}

void resolve_forget_all(void)
{
	list_each(&names, it, next)
		name_forget(list_entry(it, struct name, link));
}
