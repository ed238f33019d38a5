#include "net/fake_dns.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <pthread.h>

#include "base/mem.h"

static struct {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	const char *const *addresses;
	int failure;
	bool held;
	int calls;
} service = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static struct addrinfo *address_new(const char *text, const char *port)
{
	struct addrinfo *ai = xcalloc(1, sizeof(*ai));
	struct sockaddr_storage *sa = xcalloc(1, sizeof(*sa));

	ai->ai_addr = (struct sockaddr *)sa;
	/* libwebsockets 4.3 passes over an address that is longer than one of its family. */
	ai->ai_addrlen = strchr(text, ':') ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
	ai->ai_family = sa->ss_family = strchr(text, ':') ? AF_INET6 : AF_INET;
	if (sa->ss_family == AF_INET6)
		inet_pton(AF_INET6, text, &((struct sockaddr_in6 *)sa)->sin6_addr);
	else
		inet_pton(AF_INET, text, &((struct sockaddr_in *)sa)->sin_addr);
	/* At the same place for both families. */
	if (port)
		((struct sockaddr_in *)sa)->sin_port = htons((uint16_t)strtoul(port, NULL, 10));
	return ai;
}

int getaddrinfo(const char *restrict node, const char *restrict port, const struct addrinfo *restrict hints,
    struct addrinfo **restrict out)
{
	unsigned char bytes[sizeof(struct in6_addr)];
	struct addrinfo **end = out;
	int failure;

	(void)hints;
	*out = NULL;
	if (node && (inet_pton(AF_INET, node, bytes) == 1 || inet_pton(AF_INET6, node, bytes) == 1)) {
		*out = address_new(node, port);
		return 0;
	}
	pthread_mutex_lock(&service.lock);
	service.calls++;
	while (service.held)
		pthread_cond_wait(&service.changed, &service.lock);
	failure = service.failure;
	for (const char *const *a = service.addresses; failure == 0 && *a; a++) {
		*end = address_new(*a, port);
		end = &(*end)->ai_next;
	}
	pthread_mutex_unlock(&service.lock);
	return failure;
}

void freeaddrinfo(struct addrinfo *ai)
{
	while (ai) {
		struct addrinfo *next = ai->ai_next;

		free(ai->ai_addr);
		free(ai);
		ai = next;
	}
}

void fake_dns_set(const char *const *addresses, int failure, bool held)
{
	pthread_mutex_lock(&service.lock);
	service.addresses = addresses;
	service.failure = failure;
	service.held = held;
	pthread_cond_broadcast(&service.changed);
	pthread_mutex_unlock(&service.lock);
}

int fake_dns_calls(void)
{
	int calls;

	pthread_mutex_lock(&service.lock);
	calls = service.calls;
	pthread_mutex_unlock(&service.lock);
	return calls;
}

void fake_dns_reset(void)
{
	pthread_mutex_lock(&service.lock);
	service.calls = 0;
	pthread_mutex_unlock(&service.lock);
}
