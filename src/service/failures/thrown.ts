/** What was thrown, as an error. */
export const toError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));

/** What it says. */
export const messageOf = (thrown: unknown): string => toError(thrown).message;
