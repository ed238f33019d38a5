#ifndef GATEWAY_SD_NOTIFY_H
#define GATEWAY_SD_NOTIFY_H
/*
 * Tells the service manager how we are, by sd_notify(3)'s protocol: datagrams to the socket of
 * $NOTIFY_SOCKET. Where there is none nothing happens. The watchdog is fed from the loop: when that does not
 * turn any more, we are ended and begun anew.
 */

/* Takes NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID out of the environment, so that nobody whom we start
 * has them. */
void sd_notify_begin(void);
/* All parts run. status: a line for `systemctl status`. */
void sd_notify_ready(const char *status);
void sd_notify_stopping(void);
void sd_notify_end(void);

#endif
