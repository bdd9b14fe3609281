/** Most minutes that `polling.leastMinutes` can be: a day. */
export const longestLeastMinutes = 24 * 60;

/** The environment variable that outranks `polling.leastMinutes`. */
export const leastMinutesVariable = 'PARCEL_MONITOR_LEAST_MINUTES';

/** The minutes that a text says; null where it is not a number from 0 to {@link longestLeastMinutes}. */
export function parseLeastMinutes(text: string): number | null {
  const minutes = text.trim() === '' ? Number.NaN : Number(text);
  return minutes >= 0 && minutes <= longestLeastMinutes ? minutes : null;
}
