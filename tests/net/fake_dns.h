#ifndef TESTS_NET_FAKE_DNS_H
#define TESTS_NET_FAKE_DNS_H
/* A name service for tests: its getaddrinfo and freeaddrinfo replace the C library's in the linking
 * program, also for libuv's threads and curl. */
#include <stdbool.h>

/* What every name (an address is itself) resolves to (NULL-terminated), or else the failure (EAI_…). While
 * held, nothing is answered. */
void fake_dns_set(const char *const *addresses, int failure, bool held);
/* Returns the number of lookups since the last reset. */
int fake_dns_calls(void);
void fake_dns_reset(void);

#endif
