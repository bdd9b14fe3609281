import type { JsonValue } from './json.ts';

/** A number, outside of a text in the common layouts, that may be beyond what a double keeps. */
const perhapsInexact = /[:[,]\s*-?(?:\d{16}|\d+(?:\.\d+)?[eE])/;

/**
 * Parses JSON; whole numbers beyond 2^53, and numbers beyond any double, come out as text, so that ids keep every
 * digit. Throws a SyntaxError for what is no JSON.
 */
export function parseJson(text: string): JsonValue {
  const withoutMark = text.startsWith('\ufeff') ? text.slice(1) : text;
  const parsed: unknown = JSON.parse(perhapsInexact.test(withoutMark) ? quoteInexactNumbers(withoutMark) : withoutMark);
  return parsed as JsonValue;
}

/**
 * The JSON with quotes around each number that a double does not keep. A reviver would get the digits too, but it
 * runs out of stack in an answer that is nested a few thousand times.
 */
function quoteInexactNumbers(json: string): string {
  const quoteOrNumber = /"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
  const parts: string[] = [];
  let copied = 0;
  for (let match = quoteOrNumber.exec(json); match !== null; match = quoteOrNumber.exec(json)) {
    const [found] = match;
    if (found === '"') quoteOrNumber.lastIndex = endOfText(json, match.index);
    else if (!isKept(Number(found))) {
      parts.push(json.slice(copied, match.index), `"${found}"`);
      copied = quoteOrNumber.lastIndex;
    }
  }
  parts.push(json.slice(copied));
  return parts.join('');
}

const isKept = (number: number): boolean =>
  Number.isSafeInteger(number) || (Number.isFinite(number) && !Number.isInteger(number));

/** Behind the closing quote of the text that begins at `start`; the end of all when it is not closed. */
function endOfText(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (json[end - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return end + 1;
  }
  return json.length;
}
