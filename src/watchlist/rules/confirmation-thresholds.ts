/** Up to this many registrations are made without a word about what they cost. */
export const noticeThreshold = 10;

/**
 * More registrations than this are confirmed first. The board confirms early, since there one key press too many adds a whole
 * clipboard; a command line with more than ten numbers was meant, and its cost is printed first anyway.
 */
export const confirmThreshold = { board: noticeThreshold, commandLine: 100 } as const;

/** More parcels than this are moved to another courier after a question: they have been paid for once, and undo brings nothing back. */
export const moveThreshold = 1;
