#ifndef BUS_TYPING_H
#define BUS_TYPING_H
/* The typing indicator of a chat: repeated while somebody wants it, and always stopped. Private to the bus. */
struct bus;

void typing_stop_all(struct bus *b);

#endif
