/** Lets everybody else have a turn. Node's own promise of it takes longer to load than a turn lasts. */
export const othersTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
