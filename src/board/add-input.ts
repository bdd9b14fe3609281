import { cleanTextOrNull } from '../service/text.ts';
import { normaliseTrackNo } from '../watchlist/track-number.ts';

/** What the input bar holds. */
export type AddInput =
  | {
      readonly kind: 'ok';
      /** In the form in which numbers are kept. */
      readonly trackNo: string;
      readonly courierCode: string | null;
      readonly label: string | null;
    }
  | { readonly kind: 'empty' }
  | {
      readonly kind: 'problem';
      /** A sentence for the user that says what to do. */
      readonly message: string;
      /** Where in the text the trouble begins, in UTF-16 units. */
      readonly at?: number;
    };

/** An `@courier` token; positions in UTF-16 units of the text. */
export interface CourierToken {
  /** Position of the `@`. */
  readonly from: number;
  /** Position after the token. */
  readonly to: number;
}

/** The `@courier` token that is being typed. */
export interface CourierQuery extends CourierToken {
  /** What stands between the `@` and the cursor. */
  readonly query: string;
}

interface Token extends CourierToken {
  readonly kind: 'number' | 'courier' | 'label';
  /** Without `@` and quotes. */
  readonly text: string;
}

/** Straight, curly, low, angled and full-width double quotes: any of them opens and closes a label. */
const quotes = '"\u201C\u201D\u201E\u201F\u00AB\u00BB\uFF02';
const atSigns = '@\uFF20';
/** A label up to its closing quote or the end; a courier up to white space or a quote; everything else. */
const tokenPattern = new RegExp(
  `[${quotes}](?<label>[^${quotes}]*)[${quotes}]?|[${atSigns}](?<courier>[^\\s${quotes}${atSigns}]*)|[^${quotes}${atSigns}]+`,
  'gu',
);

/**
 * Reads `NUMBER`, `NUMBER @courier` and an optional `"label"`. All text outside `@courier` and quotes is the number:
 * spaces inside it go. A quote that is not closed reaches to the end.
 */
export function parseAddInput(text: string): AddInput {
  if (text.trim() === '') return { kind: 'empty' };
  const tokens = tokensOf(text);
  const numbers = tokens.filter((token) => token.kind === 'number' && token.text.trim() !== '');
  const couriers = tokens.filter((token) => token.kind === 'courier');
  const labels = tokens.filter((token) => token.kind === 'label');
  const [courier, secondCourier] = couriers;
  const [label, secondLabel] = labels;
  if (secondCourier !== undefined) return problem('Name one courier only: remove the second @.', secondCourier.from);
  if (secondLabel !== undefined)
    return problem('Give one label only: remove the second pair of quotes.', secondLabel.from);
  if (courier?.text === '')
    return problem('Type the courier after the @, or remove the @ to let the service find it.', courier.from);
  const first = numbers[0];
  if (first === undefined) return problem('Type the tracking number first.', 0);
  const secondLine = secondLineAt(numbers);
  if (secondLine !== null)
    return problem('One number at a time here; to add many, use "parcel-monitor import".', secondLine);
  const check = normaliseTrackNo(numbers.map((token) => token.text).join(' '));
  if (!check.ok) return problem(check.message, first.from + (first.text.length - first.text.trimStart().length));
  return {
    kind: 'ok',
    trackNo: check.trackNo,
    courierCode: courier === undefined ? null : courier.text.normalize('NFKC').toLowerCase(),
    label: cleanTextOrNull(label?.text),
  };
}

/** The `@courier` token that the cursor is in or right behind; null when it is elsewhere. */
export function activeCourierQuery(text: string, cursorIndex: number): CourierQuery | null {
  const token = tokensOf(text).find(
    ({ kind, from, to }) => kind === 'courier' && from < cursorIndex && cursorIndex <= to,
  );
  if (token === undefined) return null;
  return { from: token.from, to: token.to, query: text.slice(token.from + 1, cursorIndex) };
}

/** Puts a courier's code in place of a token, with a space behind it; answers the text and where the cursor goes. */
export function replaceCourier(text: string, token: CourierToken, code: string): { text: string; cursor: number } {
  const before = `${text.slice(0, token.from)}@${code} `;
  return { text: before + text.slice(token.to).trimStart(), cursor: before.length };
}

function tokensOf(text: string): Token[] {
  return [...text.matchAll(tokenPattern)].map((match) => {
    const { label, courier } = match.groups ?? {};
    const from = match.index;
    const to = from + match[0].length;
    if (label !== undefined) return { kind: 'label', text: label, from, to };
    if (courier !== undefined) return { kind: 'courier', text: courier, from, to };
    return { kind: 'number', text: match[0], from, to };
  });
}

/** Where a second line with a number begins; null when all numbers stand on one line. */
function secondLineAt(numbers: readonly Token[]): number | null {
  let seen = false;
  for (const token of numbers) {
    for (const row of token.text.matchAll(/[^\r\n]+/g)) {
      if (row[0].trim() === '') continue;
      const startsLine = row.index > 0;
      if (seen && startsLine) return token.from + row.index;
      seen = true;
    }
  }
  return null;
}

function problem(message: string, at: number): AddInput {
  return { kind: 'problem', message, at };
}
