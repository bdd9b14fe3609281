import { Parser } from 'htmlparser2';
import type { JsonValue } from '../lib/json.ts';
import type { PlacedLine } from './find-in-lines.ts';

/** Something at a line of an HTML text, from 1. */
interface AtLine<Value> {
  readonly value: Value;
  readonly line: number;
  /** Present where a person does not see it. */
  readonly isHidden?: true;
}

/** A line of a page. */
export interface HtmlLine extends PlacedLine {
  /** Present where a person does not see it. */
  readonly isHidden?: true;
}

/** What a scan reads in HTML. */
export interface HtmlContent {
  /** The text that a person sees, and what is hidden from them, which is said; cells of tables separated by tabs. */
  readonly lines: readonly HtmlLine[];
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

const nothing = '(?:0+(?:\\.0*)?|\\.0+)(?:px|pt|em|rem|%)?\\s*(?:[;!]|$)';
/** Most of a style that is looked at, in characters. */
const longestStyle = 2_000;
const property = '(?:^|[;\\s])';
/** Styles that take an element and all that is in it out of sight. */
const goneStyle = new RegExp(
  `${property}(?:display\\s*:\\s*none|visibility\\s*:\\s*(?:hidden|collapse)|mso-hide\\s*:\\s*all|(?:opacity|max-height|max-width)\\s*:\\s*${nothing})`,
  'i',
);
const flatStyle = new RegExp(`${property}(?:height|width)\\s*:\\s*${nothing}`, 'i');
const clippedStyle = /overflow(?:-[xy])?\s*:\s*hidden/i;
/** Mails give a frame no size of letters, and what is in it one: the innermost counts. */
const lettersStyle = new RegExp(`${property}font-size\\s*:\\s*(?:(${nothing})|[a-z0-9.])`, 'i');

/** Why a person does not see what is in an element. */
interface Sight {
  readonly isGone: boolean;
  /** Whether letters have no size. */
  readonly isSizeless: boolean;
}

/** How an element in another one is seen. */
function sightOf({ hidden, style: whole = '' }: Readonly<Record<string, string>>, outer: Sight): Sight {
  if (whole === '' && hidden === undefined) return outer;
  const style = whole.slice(0, longestStyle).replace(/\/\*.*?\*\//gs, '');
  const isFlat = flatStyle.test(style) && clippedStyle.test(style);
  const [isSized, isSizeless] = lettersStyle.exec(style) ?? [];
  return {
    isGone: outer.isGone || hidden !== undefined || isFlat || goneStyle.test(style),
    isSizeless: isSized === undefined ? outer.isSizeless : isSizeless !== undefined,
  };
}

const inSight: Sight = { isGone: false, isSizeless: false };

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

/** An element that is open, with how it is seen. */
interface SeenElement extends OpenElement {
  readonly sight: Sight;
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
  const lines: HtmlLine[] = [];
  const links: AtLine<string>[] = [];
  const linkedData: AtLine<string>[] = [];
  const items: AtLine<JsonValue>[] = [];
  const open: SeenElement[] = [];
  const properties: OpenProperty[] = [];
  let hidden = 0;
  let data: { readonly line: number; readonly texts: string[] } | null = null;
  let text: string[] = [];
  let textLine = 1;
  let isTextHidden = false;
  const isOutOfSight = ({ isGone, isSizeless }: Sight): boolean => isGone || isSizeless;
  const isHidden = (): boolean => isOutOfSight(open.at(-1)?.sight ?? inSight);
  const lineAt = lineCounter(html);

  const endLine = (): void => {
    const whole = text
      .join('')
      .replace(/[ \n\r\f]+/g, ' ')
      // A tab stands before every cell; that of the first separates nothing.
      .replace(/^ ?\t?/, '')
      .trimEnd();
    if (whole.trim() !== '') lines.push({ text: whole, line: textLine, ...(isTextHidden ? { isHidden: true } : {}) });
    text = [];
  };

  const parser = new Parser({
    onopentag(name, attributes) {
      const line = lineAt(parser.startIndex);
      if (blocks.has(name)) endLine();
      else if (name === 'td' || name === 'th') text.push('\t');
      if (unseen.has(name)) hidden += 1;
      const { href, type = '' } = attributes;
      if (name === 'script' && /^application\/ld\+json\b/i.test(type.trim())) data = { line, texts: [] };
      if (open.length >= deepest) throw new HtmlTooDeepError(`More than ${deepest} elements are inside each other.`);
      const sight = sightOf(attributes, open.at(-1)?.sight ?? inSight);
      if (href !== undefined && name !== 'link' && name !== 'base') {
        links.push({ value: href.trim(), line, ...(isOutOfSight(sight) ? { isHidden: true } : {}) });
      }
      const element = { ...openElement(name, attributes, open, items, line), sight };
      open.push(element);
      if (element.property !== null) properties.push(element.property);
    },
    ontext(piece) {
      if (data !== null) data.texts.push(piece);
      if (hidden > 0) return;
      // What is hidden stands in lines of its own.
      if (isTextHidden !== isHidden() && piece.trim() !== '') {
        endLine();
        isTextHidden = isHidden();
      }
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
