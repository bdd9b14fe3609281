import type { Grouping } from '../board/statistics.ts';
export const exportFormats = ['json', 'csv', 'ics', 'md'] as const;
export type ExportFormat = (typeof exportFormats)[number];

export const digestFormats = ['text', 'md', 'html'] as const;
export type DigestFormat = (typeof digestFormats)[number];

export const exportHelp = `
Formats:
  json  all fields of each parcel; "import" restores what you entered
  csv   the same as a table (RFC 4180); cells that would run as formulas start with '
  ics   a calendar of deliveries, pick-ups, newest events and expected deliveries, if their time is known
  md    a table per stage for an issue or an email, in your time zone (--zone)

json and csv include postal codes, phone digits and other private data; ics and md do not, so you can share them.
Timelines are not included, because the service sends them again.`;

/** Values of `stats --by`. They are defined here so that the help does not load the statistics. */
export const groupings = ['courier', 'country', 'tag', 'week'] as const satisfies readonly Grouping[];
