import type { ListRow } from '../../../src/board/list/list-rows.ts';

/** What names a row among all of a list. */
export const rowKey = (row: ListRow): string => (row.kind === 'heading' ? `group ${row.key}` : row.parcel.id);
