#ifndef TOOLS_FILES_EDIT_MATCH_H
#define TOOLS_FILES_EDIT_MATCH_H
/* Where a text stands in a file's bytes, and what comes near when it does not. */
#include <stddef.h>
#include <stdint.h>

struct buf;

#define EDIT_SPOTS_MAX 5

/* Bytes, borrowed. */
struct edit_text {
	const char *data;
	size_t len;
};

/* Lines of a file that are told. */
struct edit_spots { /* zeroed before first use */
	size_t count;
	int64_t lines[EDIT_SPOTS_MAX]; /* from 1 */
	char *texts[EDIT_SPOTS_MAX];   /* cleaned; long ones cut */
};

void edit_spots_clear(struct edit_spots *spots);
/* How often what, which is not empty, stands in file: without overlaps, but 2 when there is only one place
 * beside one that it overlaps. */
size_t edit_count(struct edit_text file, struct edit_text what);
/* The first lines in which what begins. */
void edit_find_lines(struct edit_text file, struct edit_text what, struct edit_spots *out);
/* The lines most like the first line of what, nearest first. */
void edit_find_similar(struct edit_text file, struct edit_text what, struct edit_spots *out);
/* What is the only difference between what and a part of the file: a sentence after a blank, or "". */
const char *edit_difference(struct edit_text file, struct edit_text what);
/* Appends file with every what, or the first alone, replaced; how many were. */
size_t edit_replace(
    struct buf *out, struct edit_text file, struct edit_text what, struct edit_text by, size_t most);

#endif
