import type { Parcel } from '../../watchlist/model/parcel.ts';
import type { ShownStage } from '../../watchlist/rules/parcel-stage.ts';
import { rowSigns } from '../status/row-signs.ts';
import { stageLooks } from '../status/stage-look.ts';
import { fitLine } from '../text/cells.ts';
import type { Line } from '../text/line.ts';

/** What is known of a row that is yet to be read. */
export interface RowToReadInput {
  readonly selected: boolean;
  readonly stage: ShownStage;
  /** Cells. */
  readonly width: number;
}

/** The row of a parcel that is yet to be read: where it stands, and that there is more. */
export const rowToRead = ({ unread }: Pick<Parcel, 'unread'>, { selected, stage, width }: RowToReadInput): Line =>
  fitLine(
    [
      { text: selected ? rowSigns.selected : ' ', tone: 'accent', bold: true },
      { text: unread === undefined ? ' ' : rowSigns.unread, tone: 'accent', bold: true },
      { text: `${stageLooks[stage].symbol} …`, tone: 'quiet' },
    ],
    width,
  );
