import type { ListRow } from '../../../src/board/list/list-rows.ts';

/** Identifies a row within a list. */
export const rowKey = (row: ListRow): string => (row.kind === 'heading' ? `group ${row.key}` : row.parcel.id);
