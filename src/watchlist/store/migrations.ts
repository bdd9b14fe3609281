import type { Migration } from '../document/migration.ts';

/** The version of the files that this program writes. */
export const currentVersion = 1;

/** Steps of `watchlist.json`; none yet, since version 1 is the first. */
export const watchlistMigrations: readonly Migration[] = [];

/** Steps of the files in `history/`. */
export const historyMigrations: readonly Migration[] = [];
