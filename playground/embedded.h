#ifndef PLAYGROUND_EMBEDDED_H
#define PLAYGROUND_EMBEDDED_H
/* Files of this folder that the build turns into strings (embed.sh). */
extern const char embedded_page[];   /* page.html */
extern const char embedded_script[]; /* default-script.json */

#endif
