import type { Parcel } from '../../watchlist/model/parcel.ts';
import type { Viewing } from '../status/status-now.ts';
import { fold } from '../text/fold.ts';
import { changingText, lastingText, type SearchedTexts } from './search-text.ts';

/** Texts that are longer are of one parcel alone; shorter ones are often the same: couriers, places, states. */
const longestShared = 40;

/** To look through as many for the texts of those that stay takes no time. */
const shortList = 2_000;

/** Texts of so many parcels that a long list has no more are kept along: to take them out, all have to be looked through. */
const mostStale = 1_000;

/**
 * Keeps what the words of a filter are looked for in: for a long list, putting it together takes longer than a frame, and
 * it is looked through again with every letter.
 */
export class KeptSearchTexts {
  #viewing: Viewing;
  #parcels: readonly Parcel[] = [];
  #texts = new Map<Parcel, SearchedTexts>();
  #folded = new Map<string, string>();

  constructor(viewing: Viewing) {
    this.#viewing = viewing;
  }

  /** Has the texts read at another time, for these parcels; what is kept of others is let go. */
  show(parcels: readonly Parcel[], viewing: Viewing): void {
    this.#viewing = viewing;
    this.#folded = new Map();
    if (parcels === this.#parcels) return;
    this.#parcels = parcels;
    const before = this.#texts;
    // Mostly nothing has been looked for, and the list may be long.
    if (before.size === 0 || (parcels.length > shortList && before.size <= parcels.length + mostStale)) return;
    this.#texts = new Map();
    for (const parcel of parcels) {
      const texts = before.get(parcel);
      if (texts !== undefined) this.#texts.set(parcel, texts);
    }
  }

  /** How many of these parcels' texts are yet to be put together; of a long list that changes, about as many. */
  get missing(): number {
    return Math.max(0, this.#parcels.length - this.#texts.size);
  }

  /** The texts of a parcel. */
  readonly of = (parcel: Parcel): SearchedTexts => {
    const before = this.#texts.get(parcel);
    if (before !== undefined) return before;
    let [changing, readAt]: [string, Viewing | null] = ['', null];
    const texts: SearchedTexts = {
      lasting: lastingText(parcel, this.fold),
      // Put together again when it is read at another time.
      changing: () => {
        if (readAt !== this.#viewing) changing = changingText(parcel, this.#viewing, this.fold);
        readAt = this.#viewing;
        return changing;
      },
    };
    this.#texts.set(parcel, texts);
    return texts;
  };

  /** Folds a text, short ones once. */
  readonly fold = (text: string): string => {
    if (text.length > longestShared) return fold(text);
    const before = this.#folded.get(text);
    if (before !== undefined) return before;
    const folded = fold(text);
    this.#folded.set(text, folded);
    return folded;
  };
}
