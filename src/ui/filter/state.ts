import { emptyEdit, type TextEdit } from '../field/text-edit.ts';

/** The filter's part of the state. */
export interface FilterState {
  readonly filter: TextEdit;
}

/** All parcels are listed. */
export const freshFilter: FilterState = { filter: emptyEdit };
