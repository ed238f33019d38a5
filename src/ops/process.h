#ifndef OPS_PROCESS_H
#define OPS_PROCESS_H
/* Resource usage of this process, from /proc; 0 where that cannot be read. */
#include <stddef.h>
#include <stdint.h>

int64_t process_memory(void); /* resident, in bytes */
size_t process_files(void);   /* open descriptors */

#endif
