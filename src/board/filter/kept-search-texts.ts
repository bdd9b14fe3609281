import type { Parcel } from '../../watchlist/model/parcel.ts';
import type { Viewing } from '../status/status-now.ts';
import { changingText, lastingText, type SearchedTexts } from './search-text.ts';

/**
 * Keeps what the words of a filter are looked for in: for a long list, putting it together takes longer than a frame, and
 * it is looked through again with every letter.
 */
export class KeptSearchTexts {
  readonly #lasting = new WeakMap<Parcel, string>();
  #viewing: Viewing | null = null;
  #changing = new WeakMap<Parcel, string>();

  /** The texts as they are read now. */
  at(viewing: Viewing): SearchedTexts {
    const before = this.#viewing;
    if (before?.now !== viewing.now || before.zone !== viewing.zone || before.usual !== viewing.usual) {
      this.#viewing = viewing;
      this.#changing = new WeakMap();
    }
    const changing = this.#changing;
    return {
      lasting: (parcel) => kept(this.#lasting, parcel, lastingText),
      changing: (parcel) => kept(changing, parcel, (one) => changingText(one, viewing)),
    };
  }
}

function kept(texts: WeakMap<Parcel, string>, parcel: Parcel, make: (parcel: Parcel) => string): string {
  const before = texts.get(parcel);
  if (before !== undefined) return before;
  const text = make(parcel);
  texts.set(parcel, text);
  return text;
}
