#ifndef TESTS_NET_FAKE_DNS_H
#define TESTS_NET_FAKE_DNS_H
/*
 * A name service for tests: getaddrinfo and freeaddrinfo of the program that links this
 * stand in for the C library's, for libuv's threads and for curl too.
 */
#include <stdbool.h>

/* What every name (an address is itself) resolves to (NULL-terminated), or else the failure (EAI_…). While
 * held, nothing is answered. */
void fake_dns_set(const char *const *addresses, int failure, bool held);
/* How many lookups there were since the last reset. */
int fake_dns_calls(void);
void fake_dns_reset(void);

#endif
