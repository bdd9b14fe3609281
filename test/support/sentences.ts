/** Counts the sentences of a message: each ends at the end of the text or before a capital letter. */
export const countSentences = (text: string): number => text.match(/[.!?]["”)]?(?= \p{Lu}|$)/gu)?.length ?? 0;
