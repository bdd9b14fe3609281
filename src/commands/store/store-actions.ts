/** What `store` can do; it says where the watchlist is when it is told nothing. */
export const storeActions = ['show', 'grants', 'copy'] as const;

/** One of them. */
export type StoreAction = (typeof storeActions)[number];
