import { setImmediate as othersTurn } from 'node:timers/promises';
import { isJsonObject, type JsonObject } from '../../service/text/json.ts';
import type { Parcel, Watchlist } from '../model/parcel.ts';

/** How many parcels are read or written before everybody else has a turn: a millisecond's worth or two. */
const parcelsInTurn = 200;

const listBegins = '\n  "parcels": [\n';
const lineBegins = '    ';

/**
 * Watchlists as JSON with one line a parcel: a change of one shows as one line, a thousand are half as long as spread
 * out, and of ten thousand only those are read that are not known. Parcels are immutable and change one at a time, so
 * the line of each is kept as long as the parcel is.
 */
export class WatchlistText {
  readonly #lines = new WeakMap<Parcel, string>();
  readonly #usual = new WeakSet<object>();

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

  /**
   * Reads a text that is laid out as here; null for any other, which may be as good. Parcels whose lines are as they
   * were in `known` are the very same objects.
   */
  async parse(text: string, known: readonly Parcel[]): Promise<Readonly<Record<string, unknown>> | null> {
    const begin = text.indexOf(listBegins);
    if (begin === -1) return null;
    const entries: unknown[] = [];
    let next = 0;
    let from = begin + listBegins.length;
    for (;;) {
      const to = text.indexOf('\n', from);
      if (to === -1) return null;
      if (text.startsWith('  ]', from)) break;
      if (!text.startsWith('    {', from)) return null;
      const hasComma = text[to - 1] === ',';
      const line = text.slice(from + lineBegins.length, hasComma ? to - 1 : to);
      // The one that stood here, or the one behind it when that was removed.
      const knownAt = [next, next + 1].find((index) => this.#isLineOf(known[index], line));
      const entry = knownAt === undefined ? parseObject(line) : known[knownAt];
      if (entry == null) return null;
      entries.push(entry);
      const place = knownAt ?? [next, next + 1].find((index) => known[index]?.id === idOf(entry));
      if (place !== undefined) next = place + 1;
      from = to + 1;
      // The last line of a list, and only that, goes without a comma.
      if (hasComma === text.startsWith('  ]', from)) return null;
      if (entries.length % parcelsInTurn === 0) await othersTurn();
    }
    const rest = parseObject(`${text.slice(0, begin)}\n  "parcels": [${text.slice(from + 2)}`);
    return rest === null ? null : { ...rest, parcels: entries };
  }

  /** Whether this object is known to be a parcel, so that nobody need look at it again. */
  isUsual(entry: unknown): entry is Parcel {
    return typeof entry === 'object' && entry !== null && this.#usual.has(entry);
  }

  /** Takes note that an object is a parcel as this program writes it. */
  takeAsUsual(parcel: Parcel): void {
    this.#usual.add(parcel);
  }

  *#list(parcels: readonly Parcel[]): Generator<string> {
    if (parcels.length === 0) {
      yield '[]';
      return;
    }
    for (let from = 0; from < parcels.length; from += parcelsInTurn) {
      const lines = parcels.slice(from, from + parcelsInTurn).map((parcel) => lineBegins + this.#line(parcel));
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

  /** The line is made anew rather than kept from a text that was read, of which it would keep all in memory. */
  #isLineOf(parcel: Parcel | undefined, line: string): boolean {
    return parcel !== undefined && this.#line(parcel) === line;
  }
}

const idOf = (entry: object): unknown => ('id' in entry ? entry.id : undefined);

function parseObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}
