import { isSimple, simpleWidth } from '../../board/text/simple-text.ts';
import { LatestMap } from '../../watchlist/model/latest-map.ts';

/** A row of the screen, cell by cell. The second half of a wide character is an empty text. */
interface RowCells {
  readonly texts: readonly string[];
  /** Whether there is one text for each cell; not where a terminal may draw a character in more cells or fewer. */
  readonly isExact: boolean;
  /** How each cell looks: what is on of colours and the like, and where it leads to; empty for plain. */
  readonly looks: readonly string[];
}

/** A sequence of the terminal in a row: a change of the look, or the beginning or end of a link. */
const sequence = /\u001b\[([\d;]*)m|\u001b\]8;[^;]*;([^\u0007\u001b]*)(?:\u0007|\u001b\\)/g;

const sequenceAlone = /\u001b\[[\d;]*m|\u001b\]8;[^;]*;[^\u0007\u001b]*(?:\u0007|\u001b\\)/;

/** Looks that show on a blank: underlined, reversed, struck through, on a colour, leading somewhere. */
const showsOnBlank = /(?:^|;)(?:4|7|9|21|4[0-8]|53|10[0-7])(?:;|$)|\n/;

/** What a code ends, by the code itself. */
const endedBy: Readonly<Record<string, RegExp>> = {
  22: /^[12]$/,
  23: /^3$/,
  24: /^(?:4|21)$/,
  27: /^7$/,
  28: /^8$/,
  29: /^9$/,
  39: /^(?:3[0-8]|9[0-7])(?:;|$)/,
  49: /^(?:4[0-8]|10[0-7])(?:;|$)/,
};

/** What is on behind a sequence, in order, so that equal looks are equal texts. */
function afterSequence(on: readonly string[], code: string): readonly string[] {
  if (code === '' || code === '0') return [];
  const ended = endedBy[code];
  if (ended !== undefined) return on.filter((other) => !ended.test(other));
  const isColour = (other: string): boolean =>
    ['39', '49'].some((end) => endedBy[end]?.test(other) && endedBy[end].test(code));
  return [...new Set([...on.filter((other) => !isColour(other)), code])].toSorted();
}

/** A row of the screen taken apart. */
function rowCells(row: string): RowCells {
  // Between two changes of the look, where a mark would stand alone.
  const isExact = row.split(sequenceAlone).every(isSimple);
  const texts: string[] = [];
  const looks: string[] = [];
  let on: readonly string[] = [];
  let link = '';
  const take = (text: string): void => {
    const codes = on.join(';');
    const look = link === '' ? codes : `${codes}\n${link}`;
    const blankLook = showsOnBlank.test(look) ? look : '';
    for (const character of text) {
      const width = isExact ? simpleWidth(character) : 1;
      if (width === 0) texts[texts.length - 1] += character;
      else {
        texts.push(character);
        looks.push(character === ' ' ? blankLook : look);
        if (width === 2) {
          texts.push('');
          looks.push(look);
        }
      }
    }
  };
  let at = 0;
  for (const match of row.matchAll(sequence)) {
    take(row.slice(at, match.index));
    at = match.index + match[0].length;
    const [, code, address] = match;
    if (code === undefined) link = address ?? '';
    else on = afterSequence(on, code);
  }
  take(row.slice(at));
  return { texts, looks, isExact };
}

/** As many rows as a large window has. */
const mostKept = 100;

/** Rows taken apart. What stands on the screen is what was written last, so a row is mostly needed again when it changes. */
export class KeptCells {
  readonly #rows = new LatestMap<string, RowCells>(mostKept);

  of(row: string): RowCells {
    const cells = this.#rows.get(row) ?? rowCells(row);
    this.#rows.set(row, cells);
    return cells;
  }
}

/** From cell to cell, the last one not included. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** Equal cells between two changes that are written again, since to go past them takes as many bytes. */
const mostBetween = 8;

/** Where two rows differ; beyond its end, a row is blank. */
function differences(before: RowCells, after: RowCells): readonly Span[] {
  const length = Math.max(before.texts.length, after.texts.length);
  const differs = (at: number): boolean =>
    (before.texts[at] ?? ' ') !== (after.texts[at] ?? ' ') || (before.looks[at] ?? '') !== (after.looks[at] ?? '');
  const isHalf = (at: number): boolean => before.texts[at] === '' || after.texts[at] === '';
  const spans: Span[] = [];
  for (let at = 0; at < length; at += 1) {
    if (!differs(at)) continue;
    let from = at;
    while (isHalf(from)) from -= 1;
    let to = at + 1;
    while (to < length && (differs(to) || isHalf(to))) to += 1;
    at = to - 1;
    const last = spans.at(-1);
    if (last !== undefined && from - last.to <= mostBetween) spans[spans.length - 1] = { from: last.from, to };
    else spans.push({ from, to });
  }
  return spans;
}

const endLink = '\u001b]8;;\u001b\\';

/** Cells as they are written, from plain to plain. */
function written({ texts, looks }: RowCells, { from, to }: Span): string {
  let whole = '';
  let current = '';
  const turnTo = (look: string): void => {
    const [codes = '', link] = look.split('\n');
    const [codesBefore = '', linkBefore] = current.split('\n');
    if (link !== linkBefore && linkBefore !== undefined) whole += endLink;
    if (codes !== codesBefore)
      whole += codesBefore === '' ? `\u001b[${codes}m` : codes === '' ? '\u001b[m' : `\u001b[0;${codes}m`;
    if (link !== linkBefore && link !== undefined) whole += `\u001b]8;;${link}\u001b\\`;
    current = look;
  };
  for (let at = from; at < to; at += 1) {
    const look = looks[at] ?? '';
    const isUnseen = texts[at] === ' ' && look === '' && !showsOnBlank.test(current);
    if (look !== current && !isUnseen) turnTo(look);
    whole += texts[at] ?? ' ';
  }
  if (current !== '') turnTo('');
  return whole;
}

const moveTo = (row: number, column: number): string => `\u001b[${row + 1};${column + 1}H`;
const eraseToEnd = '\u001b[K';

/**
 * What makes one row of the screen another: only the cells that differ, and nothing where both look the same.
 * @param row counted from 0
 * @param before what stands there; null where that is not known
 * @param kept rows that were taken apart before
 */
export function rowUpdate(row: number, before: string | null, after: string, kept = new KeptCells()): string {
  if (before === after) return '';
  const whole = `${moveTo(row, 0)}${eraseToEnd}${after}`;
  if (before === null) return whole;
  const [cellsBefore, cellsAfter] = [kept.of(before), kept.of(after)];
  const spans = differences(cellsBefore, cellsAfter);
  if (spans.length > 0 && !(cellsBefore.isExact && cellsAfter.isExact)) return whole;
  const end = cellsAfter.texts.length;
  return spans
    .map(({ from, to }) => {
      const cells = written(cellsAfter, { from, to: Math.min(to, end) });
      return `${moveTo(row, from)}${cells}${to > end ? eraseToEnd : ''}`;
    })
    .join('');
}
