#ifndef PLAYGROUND_MODEL_TRANSCRIBE_H
#define PLAYGROUND_MODEL_TRANSCRIBE_H
/*
 * POST /v1/audio/transcriptions, as OpenAI's API has it in 2026. Nothing is listened to: what stands as text
 * in the file, behind "OggS" if it begins so, is what was said; other bytes are "(sound of N bytes)".
 */
struct exchange;
struct model;
struct task;

void transcribe_serve(struct task *t, struct model *m, struct exchange *ex);

#endif
