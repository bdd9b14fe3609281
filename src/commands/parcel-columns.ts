/** The columns of a printed table of parcels, as `list --columns` names them; left to right when no others are wanted, up to `next`. */
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
