#ifndef GATEWAY_SD_NOTIFY_H
#define GATEWAY_SD_NOTIFY_H
/*
 * Notifies the service manager by the protocol of sd_notify(3): datagrams to the socket of
 * $NOTIFY_SOCKET; no effect without one. The loop feeds the watchdog: when the loop hangs, the manager
 * restarts us.
 */

/* Removes NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID from the environment, so that child processes do
 * not get them. */
void sd_notify_begin(void);
/* All parts run. status: a line for `systemctl status`. */
void sd_notify_ready(const char *status);
void sd_notify_stopping(void);
void sd_notify_end(void);

#endif
