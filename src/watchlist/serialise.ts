import type { Parcel, Watchlist } from './parcel.ts';

/** How many parcels make a piece: it is made and written in a millisecond or so. */
const parcelsInPiece = 100;

/**
 * Writes watchlists as JSON, one line a parcel: so a change of one shows as one line, and a thousand are read and written
 * in half the time. Parcels are immutable and change one at a time, so the text of each is kept as long as it is.
 */
export class WatchlistText {
  readonly #lines = new WeakMap<Parcel, string>();

  /** The text in pieces, each made when it is asked for. */
  *pieces(watchlist: Watchlist, version: number): Generator<string> {
    let comma = '';
    yield '{';
    for (const [key, value] of Object.entries({ ...watchlist, version })) {
      yield `${comma}\n  ${JSON.stringify(key)}: `;
      comma = ',';
      if (key === 'parcels') yield* this.#list(watchlist.parcels);
      else yield JSON.stringify(value, null, 2).replaceAll('\n', '\n  ');
    }
    yield '\n}\n';
  }

  *#list(parcels: readonly Parcel[]): Generator<string> {
    if (parcels.length === 0) {
      yield '[]';
      return;
    }
    for (let from = 0; from < parcels.length; from += parcelsInPiece) {
      const lines = parcels.slice(from, from + parcelsInPiece).map((parcel) => `    ${this.#line(parcel)}`);
      yield `${from === 0 ? '[' : ','}\n${lines.join(',\n')}`;
    }
    yield '\n  ]';
  }

  #line(parcel: Parcel): string {
    const known = this.#lines.get(parcel);
    if (known !== undefined) return known;
    const line = JSON.stringify(parcel);
    this.#lines.set(parcel, line);
    return line;
  }
}
