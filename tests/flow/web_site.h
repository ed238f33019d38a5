#ifndef TESTS_FLOW_WEB_SITE_H
#define TESTS_FLOW_WEB_SITE_H
/*
 * Two ports of this machine, served by a thread: a site, which shows one page, leads away from /away to the
 * other port and counts requests that are no GET; and one that nobody may reach, where connections are
 * counted.
 */

void site_start(void);
void site_stop(void);
unsigned site_port(void);
unsigned site_nobodys_port(void);
/* What every page shows from now on; nobody may ask for one at the same time. Copied. */
void site_show(const char *text);
unsigned site_writes(void);      /* since the start */
unsigned site_connections(void); /* to nobody's port, since the start */

#endif
