/** How many parcels one JSON file serves well: with each change all of it is written. */
export const mostInOneFile = 10_000;

/** What is said of a watchlist that has become too long for one file; null for one that has not. Archived parcels count. */
export function largeWatchlistAdvice(parcels: number): string | null {
  if (parcels <= mostInOneFile) return null;
  const [count, most] = [parcels, mostInOneFile].map((number) => (number ?? 0).toLocaleString('en'));
  return `The watchlist holds ${count} parcels, archived ones included. It is one JSON file, which is written anew with every change and gets slow above ${most}; a PostgreSQL database serves such a list better: "parcel-monitor store copy postgres://user@host/database" takes it there, then set store to that address. Or remove what you need no more; archived parcels take room in the file, but no checks.`;
}
