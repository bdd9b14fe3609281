import { Parser } from 'htmlparser2';
import type { JsonValue } from '../../service/text/json.ts';
import type { PlacedLine } from './find-in-lines.ts';

/** Something at a line of an HTML text, from 1. */
interface AtLine<Value> {
  readonly value: Value;
  readonly line: number;
}

/** What a scan reads in HTML. */
export interface HtmlContent {
  /** The text that a person sees, cells of tables separated by tabs. */
  readonly lines: readonly PlacedLine[];
  readonly links: readonly AtLine<string>[];
  /** The texts of JSON-LD. */
  readonly linkedData: readonly AtLine<string>[];
  /** The outermost items of microdata, in the shape of JSON-LD. */
  readonly items: readonly AtLine<JsonValue>[];
}

const blocks = new Set(
  'address article aside blockquote body br center dd div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6 head header hr html li main nav ol option p pre section summary table tbody tfoot thead title tr ul'.split(
    ' ',
  ),
);
const unseen = new Set(['script', 'style', 'template', 'noscript', 'svg', 'object']);

/** An item of microdata that is being read, by property; its type is a text. */
type Item = Record<string, JsonValue[] | string>;

/** A property whose value is the text of an element. */
interface OpenProperty {
  readonly owner: Item;
  readonly names: readonly string[];
  readonly texts: string[];
}

interface OpenElement {
  readonly name: string;
  /** Null for an element that is no item. */
  readonly item: Item | null;
  readonly property: OpenProperty | null;
}

/** Most of a property's text that is kept, in characters. */
const longestProperty = 1_000;
/** Most elements inside each other; pages have some thirty. */
const deepest = 1_000;

/** HTML whose elements are nested deeper than those of any page. */
export class HtmlTooDeepError extends Error {
  override readonly name = 'HtmlTooDeepError';
}

/** Characters that are read before somebody else gets a turn. */
const charactersATurn = 200_000;

/**
 * Reads HTML of any quality. Rejects with an {@link HtmlTooDeepError}.
 * @param giveTurn called now and then, to let somebody else do something; what it rejects with ends the reading
 */
export async function readHtml(html: string, giveTurn: () => Promise<void>): Promise<HtmlContent> {
  const lines: PlacedLine[] = [];
  const links: AtLine<string>[] = [];
  const linkedData: AtLine<string>[] = [];
  const items: AtLine<JsonValue>[] = [];
  const open: OpenElement[] = [];
  const properties: OpenProperty[] = [];
  let hidden = 0;
  let data: { readonly line: number; readonly texts: string[] } | null = null;
  let text: string[] = [];
  let textLine = 1;
  const lineAt = lineCounter(html);

  const endLine = (): void => {
    const whole = text
      .join('')
      .replace(/[ \n\r\f]+/g, ' ')
      // A tab stands before every cell; that of the first separates nothing.
      .replace(/^ ?\t?/, '')
      .trimEnd();
    if (whole.trim() !== '') lines.push({ text: whole, line: textLine });
    text = [];
  };

  const parser = new Parser({
    onopentag(name, attributes) {
      const line = lineAt(parser.startIndex);
      if (blocks.has(name)) endLine();
      else if (name === 'td' || name === 'th') text.push('\t');
      if (unseen.has(name)) hidden += 1;
      const { href, type = '' } = attributes;
      if (href !== undefined && name !== 'link' && name !== 'base') links.push({ value: href.trim(), line });
      if (name === 'script' && /^application\/ld\+json\b/i.test(type.trim())) data = { line, texts: [] };
      if (open.length >= deepest) throw new HtmlTooDeepError(`More than ${deepest} elements are inside each other.`);
      const element = openElement(name, attributes, open, items, line);
      open.push(element);
      if (element.property !== null) properties.push(element.property);
    },
    ontext(piece) {
      if (data !== null) data.texts.push(piece);
      if (hidden > 0) return;
      if (text.length === 0) textLine = lineAt(parser.startIndex);
      text.push(piece);
      properties.at(-1)?.texts.push(piece);
    },
    onclosetag(name) {
      if (unseen.has(name)) hidden -= 1;
      if (name === 'script' && data !== null) {
        linkedData.push({ value: data.texts.join(''), line: data.line });
        data = null;
      }
      if (blocks.has(name)) endLine();
      const at = open.findLastIndex((element) => element.name === name);
      if (at === -1) return;
      for (const { property } of open.splice(at)) {
        if (property === null) continue;
        properties.splice(properties.indexOf(property));
        give(property.owner, property.names, property.texts.join('').slice(0, longestProperty).trim());
      }
    },
  });
  for (let from = 0; from < html.length; from += charactersATurn) {
    if (from > 0) await giveTurn();
    parser.write(html.slice(from, from + charactersATurn));
  }
  parser.end();
  endLine();
  return { lines, links, linkedData, items };
}

function give(owner: Item, names: readonly string[], value: JsonValue): void {
  for (const name of names) {
    const values = Object.hasOwn(owner, name) ? owner[name] : undefined;
    if (Array.isArray(values)) values.push(value);
    else if (name !== '@type' && name !== '__proto__') owner[name] = [value];
  }
}

/** Notes what an element says in microdata. */
function openElement(
  name: string,
  attributes: Readonly<Record<string, string>>,
  open: readonly OpenElement[],
  items: AtLine<JsonValue>[],
  line: number,
): OpenElement {
  const names = attributes['itemprop']?.trim().split(/\s+/) ?? [];
  const owner = names.length === 0 ? null : (open.findLast((element) => element.item !== null)?.item ?? null);
  if (attributes['itemscope'] !== undefined) {
    const item: Item = { '@type': (attributes['itemtype'] ?? '').trim() };
    if (owner === null) items.push({ value: item, line });
    else give(owner, names, item);
    return { name, item, property: null };
  }
  if (owner === null) return { name, item: null, property: null };
  const value = attributes['content'] ?? attributes['href'] ?? attributes['datetime'] ?? attributes['value'];
  if (value === undefined) return { name, item: null, property: { owner, names, texts: [] } };
  give(owner, names, value.slice(0, longestProperty).trim());
  return { name, item: null, property: null };
}

/** Says in which line, from 1, a position stands; positions have to come in order. */
function lineCounter(text: string): (position: number) => number {
  let line = 1;
  let next = text.indexOf('\n');
  return (position) => {
    while (next !== -1 && next < position) {
      line += 1;
      next = text.indexOf('\n', next + 1);
    }
    return line;
  };
}
