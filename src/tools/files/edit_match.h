#ifndef TOOLS_FILES_EDIT_MATCH_H
#define TOOLS_FILES_EDIT_MATCH_H
/* Finds a text in a file's bytes, and the nearest lines when it is missing. */
#include <stddef.h>
#include <stdint.h>

struct buf;

#define EDIT_SPOTS_MAX 5

/* Bytes, borrowed. */
struct edit_text {
	const char *data;
	size_t len;
};

/* Lines of a file to report. */
struct edit_spots { /* zeroed before first use */
	size_t count;
	int64_t lines[EDIT_SPOTS_MAX]; /* from 1 */
	char *texts[EDIT_SPOTS_MAX];   /* sanitized; long ones cut */
};

void edit_spots_clear(struct edit_spots *spots);
/* Counts the occurrences of what (not empty) in file, without overlaps; 2 when the only other occurrence
 * overlaps the first. */
size_t edit_count(struct edit_text file, struct edit_text what);
/* Finds the first lines where what begins. */
void edit_find_lines(struct edit_text file, struct edit_text what, struct edit_spots *out);
/* Finds the lines most similar to the first line of what, nearest first. */
void edit_find_similar(struct edit_text file, struct edit_text what, struct edit_spots *out);
/* Returns the only difference between what and a part of the file, as a sentence after a blank; "" for
 * none. */
const char *edit_difference(struct edit_text file, struct edit_text what);
/* Appends file with every occurrence of what replaced, at most `most` of them. Returns their
 * number. */
size_t edit_replace(
    struct buf *out, struct edit_text file, struct edit_text what, struct edit_text by, size_t most);

#endif
