/** Signs of one cell before the glyph of a row's stage. */
export const rowSigns = {
  /** The selected row. */
  selected: '▌',
  /** A parcel with changes that nobody has looked at. */
  unread: '•',
} as const;
