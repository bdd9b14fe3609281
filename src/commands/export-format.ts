export const exportFormats = ['json', 'csv', 'ics', 'md'] as const;
export type ExportFormat = (typeof exportFormats)[number];

export const exportHelp = `
Formats:
  json  everything about each parcel, and what "import" needs to lose nothing that you entered
  csv   the same as a table, RFC 4180; a cell that a spreadsheet would run as a formula begins with '
  ics   a calendar: deliveries, pick-ups, last events and expected deliveries, where the service gives their time
  md    tables by stage for an issue or a mail; times are on your clock (--zone)

json and csv hold postal codes, phone digits and what else you gave along; ics and md do not, and are made to be shared.
Timelines are not included: the service sends them again.`;

export const parcelColumns = [
  'stage',
  'number',
  'label',
  'courier',
  'status',
  'place',
  'expected',
  'age',
  'next',
  'tags',
  'order-no',
] as const;
export type ParcelColumn = (typeof parcelColumns)[number];
