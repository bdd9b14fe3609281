const dayMs = 24 * 60 * 60_000;

/** Noon on a Thursday in winter: the default start of a test run's clock. */
export const quietNoon = '2026-11-19T12:00:00Z';

/** Instants at which programs often fail: midnight, the new year, leap days, daylight saving changes. */
export const testInstants: Readonly<Record<string, string>> = {
  noon: quietNoon,
  'half-past-midnight': '2026-11-22T00:30:00Z',
  morning: '2026-12-05T06:00:00Z',
  'early-afternoon': '2027-01-15T13:00:00Z',
  'before-midnight': '2027-04-30T23:58:00Z',
  'leap-day': '2028-02-29T11:00:00Z',
  'berlin-spring': '2027-03-28T00:58:00Z',
  'berlin-autumn': '2027-10-31T00:58:00Z',
  'new-york-spring': '2027-03-14T06:58:00Z',
  'new-york-autumn': '2027-11-07T05:58:00Z',
  'new-year': '2026-12-31T23:59:30Z',
};

/**
 * When the test clock starts, in milliseconds since 1970, or null for the machine's own clock. `setting` is a name in
 * {@link testInstants}, an instant (ISO 8601), `day` for a name that depends on the day, or `machine`. Throws an error
 * that lists the valid values if `setting` is invalid.
 */
export function testInstant(setting: string, machineNow: number): number | null {
  if (setting === 'machine') return null;
  const names = Object.keys(testInstants);
  const name = setting === 'day' ? names[Math.floor(machineNow / dayMs) % names.length] : setting;
  const at = Date.parse(testInstants[name ?? ''] ?? (/^\d{4}-\d\d-\d\dT.*Z$/.test(setting) ? setting : ''));
  if (Number.isNaN(at)) {
    throw new Error(
      `TEST_CLOCK must be machine, day, an instant such as ${quietNoon}, or one of ${names.join(', ')}; not "${setting}".`,
    );
  }
  return at;
}
