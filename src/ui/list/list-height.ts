import { headingRows } from '../../board/list/column-headings.ts';
import type { PaneSize } from '../layout.ts';
import { innerSize } from '../pane/frame.ts';

/** Rows of the list pane that are for parcels and groups. */
export function listHeight(size: PaneSize): number {
  const { height } = innerSize(size);
  return height - headingRows(height);
}
