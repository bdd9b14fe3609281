/** Signs of one cell before the glyph of a row's stage. */
export const rowSigns = {
  /** The selected row. */
  selected: '▌',
  /** A parcel that the user marked, to act on several. */
  marked: '■',
  /** A parcel with changes that nobody has looked at. */
  unread: '•',
} as const;
