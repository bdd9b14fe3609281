/** What a measure came to. All but times and totals have to be 0. */
export interface Measure {
  readonly measure: string;
  /** Parcels, changes or lines of the change log that were written and are gone. */
  readonly lost: number;
  /** Parcels or lines that are there twice. */
  readonly doubled: number;
  /** Files that were not whole, histories that do not go with the index, and lines whose numbers do not follow each other. */
  readonly damaged: number;
  readonly [detail: string]: number | string;
}
