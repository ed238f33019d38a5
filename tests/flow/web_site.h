#ifndef TESTS_FLOW_WEB_SITE_H
#define TESTS_FLOW_WEB_SITE_H
/* Two ports of this machine, served by a thread: a site with one page, which redirects /away to the other
 * port and counts requests other than GET; and a forbidden port, which counts connections. */

void site_start(void);
void site_stop(void);
unsigned site_port(void);
unsigned site_nobodys_port(void);
/* Sets the content of every page; no request may run meanwhile. Copies text. */
void site_show(const char *text);
unsigned site_writes(void);      /* since the start */
unsigned site_connections(void); /* to the forbidden port, since the start */

#endif
