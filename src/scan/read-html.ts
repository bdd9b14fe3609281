import { Parser } from 'htmlparser2';
import { cleanTextOrNull } from '../lib/clean-text.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../lib/json.ts';
import { normaliseTrackNo } from '../lib/track-number.ts';
import { candidatesOf, fittingCouriers, type ScanCouriers } from './couriers.ts';
import { findInLink } from './find-in-link.ts';
import { type FoundNumber, plainNumber } from './found-number.ts';
import { matchFormats } from './number-formats.ts';

interface AtLine<Value> {
  readonly value: Value;
  readonly line: number;
  /** Set if the text is invisible on the page. */
  readonly isHidden?: true;
}

interface HtmlContent {
  /** The text of the page. Table cells are separated by tabs. */
  readonly lines: readonly AtLine<string>[];
  readonly links: readonly AtLine<string>[];
  readonly linkedData: readonly AtLine<string>[];
  readonly items: readonly AtLine<MicrodataItem>[];
}

/** In the structure of JSON-LD. */
type MicrodataItem = Record<string, JsonValue[]>;

const blocks = new Set(
  'address article aside blockquote body br center dd div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6 head header hr html li main nav ol option p pre section summary table tbody tfoot thead title tr ul'.split(
    ' ',
  ),
);
const invisibleElements = new Set(['script', 'style', 'template', 'noscript', 'svg', 'object']);

const nothing = '(?:0+(?:\\.0*)?|\\.0+)(?:px|pt|em|rem|%)?\\s*(?:[;!]|$)';
const maxStyleLength = 2_000;
const property = '(?:^|[;\\s])';
const goneStyle = new RegExp(
  `${property}(?:display\\s*:\\s*none|visibility\\s*:\\s*(?:hidden|collapse)|mso-hide\\s*:\\s*all|(?:opacity|max-height|max-width)\\s*:\\s*${nothing})`,
  'i',
);
const flatStyle = new RegExp(`${property}(?:height|width)\\s*:\\s*${nothing}`, 'i');
const clippedStyle = /overflow(?:-[xy])?\s*:\s*hidden/i;
/** Emails set the font size of a frame to 0 and give its content a different size, so the innermost size counts. */
const lettersStyle = new RegExp(`${property}font-size\\s*:\\s*(?:(${nothing})|[a-z0-9.])`, 'i');

interface Visibility {
  readonly isHidden: boolean;
  readonly isSizeless: boolean;
}

function visibilityOf({ hidden, style: whole = '' }: Readonly<Record<string, string>>, outer: Visibility): Visibility {
  if (whole === '' && hidden === undefined) return outer;
  const style = whole.slice(0, maxStyleLength).replace(/\/\*.*?\*\//gs, '');
  const isFlat = flatStyle.test(style) && clippedStyle.test(style);
  const [isSized, isSizeless] = lettersStyle.exec(style) ?? [];
  return {
    isHidden: outer.isHidden || hidden !== undefined || isFlat || goneStyle.test(style),
    isSizeless: isSized === undefined ? outer.isSizeless : isSizeless !== undefined,
  };
}

const visible: Visibility = { isHidden: false, isSizeless: false };

/** The properties that we use from a `ParcelDelivery` and its nested objects. */
const usedProperties = new Set(
  'trackingNumber trackingUrl carrier provider deliveryProvider itemShipped partOfOrder orderNumber name'.split(' '),
);
const maxPropertyLength = 1_000;

interface OpenElement {
  readonly name: string;
  readonly visibility: Visibility;
  /** The innermost microdata item that the element is or belongs to. */
  readonly item: MicrodataItem | null;
  /** Set if the text of the element is the value of properties. */
  readonly property?: { readonly give: (value: string) => void; readonly texts: string[] };
}

/** Elements on real pages are nested about thirty levels deep. */
const maxDepth = 1_000;

export class HtmlTooDeepError extends Error {
  override readonly name = 'HtmlTooDeepError';
}

const charactersPerTurn = 200_000;

/**
 * Reads any HTML. Rejects with an {@link HtmlTooDeepError}, or with the error of `yieldToEventLoop`.
 * @param yieldToEventLoop called regularly so that other work can run; may reject to cancel
 */
export async function readHtml(html: string, yieldToEventLoop: () => Promise<void>): Promise<HtmlContent> {
  const lines: AtLine<string>[] = [];
  const links: AtLine<string>[] = [];
  const linkedData: AtLine<string>[] = [];
  const items: AtLine<MicrodataItem>[] = [];
  const open: OpenElement[] = [];
  let hidden = 0;
  let data: { readonly line: number; readonly texts: string[] } | null = null;
  let text: string[] = [];
  let textLine = 1;
  let isTextHidden = false;
  const isInvisible = ({ isHidden: isGone, isSizeless }: Visibility): boolean => isGone || isSizeless;
  const isHidden = (): boolean => isInvisible(open.at(-1)?.visibility ?? visible);
  const lineAt = lineCounter(html);

  const endLine = (): void => {
    const whole = text
      .join('')
      .replace(/[ \n\r\f]+/g, ' ')
      // Every cell is preceded by a tab, which is superfluous before the first one.
      .replace(/^ ?\t?/, '')
      .trimEnd();
    if (whole.trim() !== '') lines.push({ value: whole, line: textLine, ...(isTextHidden ? { isHidden: true } : {}) });
    text = [];
  };

  const parser = new Parser({
    onopentag(name, attributes) {
      const line = lineAt(parser.startIndex);
      if (blocks.has(name)) endLine();
      else if (name === 'td' || name === 'th') text.push('\t');
      if (invisibleElements.has(name)) hidden += 1;
      const { href, type = '' } = attributes;
      if (name === 'script' && /^application\/ld\+json\b/i.test(type.trim())) data = { line, texts: [] };
      if (open.length >= maxDepth) throw new HtmlTooDeepError(`Elements are nested more than ${maxDepth} levels deep.`);
      const visibility = visibilityOf(attributes, open.at(-1)?.visibility ?? visible);
      if (href !== undefined && name !== 'link' && name !== 'base') {
        links.push({ value: href.trim(), line, ...(isInvisible(visibility) ? { isHidden: true } : {}) });
      }
      const owner = open.at(-1)?.item ?? null;
      const names =
        owner === null ? [] : (attributes['itemprop']?.split(/\s+/) ?? []).filter((name) => usedProperties.has(name));
      const give = (value: JsonValue): void => {
        if (owner === null) return;
        for (const each of names) {
          const values = owner[each] ?? [];
          values.push(value);
          owner[each] = values;
        }
      };
      if (attributes['itemscope'] !== undefined) {
        const item: MicrodataItem = { '@type': [(attributes['itemtype'] ?? '').trim()] };
        items.push({ value: item, line });
        give(item);
        open.push({ name, visibility, item });
        return;
      }
      const value = attributes['content'] ?? href ?? attributes['datetime'] ?? attributes['value'];
      const isText = names.length > 0 && value === undefined;
      if (value !== undefined) give(value.slice(0, maxPropertyLength).trim());
      open.push({ name, visibility, item: owner, ...(isText ? { property: { give, texts: [] } } : {}) });
    },
    ontext(piece) {
      if (data !== null) data.texts.push(piece);
      if (hidden > 0) return;
      // Keeps hidden text on separate lines.
      if (isTextHidden !== isHidden() && piece.trim() !== '') {
        endLine();
        isTextHidden = isHidden();
      }
      if (text.length === 0) textLine = lineAt(parser.startIndex);
      text.push(piece);
      if (open.at(-1)?.item != null)
        open.findLast(({ property }) => property !== undefined)?.property?.texts.push(piece);
    },
    onclosetag(name) {
      if (invisibleElements.has(name)) hidden -= 1;
      if (name === 'script' && data !== null) {
        linkedData.push({ value: data.texts.join(''), line: data.line });
        data = null;
      }
      if (blocks.has(name)) endLine();
      const at = open.findLastIndex((element) => element.name === name);
      for (const { property } of at === -1 ? [] : open.splice(at)) {
        property?.give(property.texts.join('').slice(0, maxPropertyLength).trim());
      }
    },
  });
  for (let from = 0; from < html.length; from += charactersPerTurn) {
    if (from > 0) await yieldToEventLoop();
    parser.write(html.slice(from, from + charactersPerTurn));
  }
  parser.end();
  endLine();
  return { lines, links, linkedData, items };
}

/** Returns a function that gives the line of a position, counted from 1. Positions must not decrease. */
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

const maxNesting = 40;

export function findParcelDeliveries(couriers: ScanCouriers, value: JsonValue, depth = 0): readonly FoundNumber[] {
  if (typeof value !== 'object' || value === null || depth >= maxNesting) return [];
  if (Array.isArray(value)) return value.flatMap((item) => findParcelDeliveries(couriers, item, depth + 1));
  if (!isJsonObject(value)) return [];
  return [
    ...numbersOfDelivery(couriers, value),
    ...Object.values(value).flatMap((item) => findParcelDeliveries(couriers, item, depth + 1)),
  ];
}

const isParcelDelivery = (value: JsonObject): boolean =>
  valuesOf(value['@type']).some(
    (type) => typeof type === 'string' && /^(?:https?:\/\/schema\.org\/|schema:)?ParcelDelivery$/i.test(type),
  );

const valuesOf = (value: JsonValue | undefined): readonly JsonValue[] =>
  value === undefined || value === null ? [] : Array.isArray(value) ? value : [value];

/** Does not look for deliveries in nested objects. Empty unless the object is a `ParcelDelivery`. */
export function numbersOfDelivery(couriers: ScanCouriers, delivery: JsonObject): readonly FoundNumber[] {
  if (!isParcelDelivery(delivery)) return [];
  const links = valuesOf(delivery['trackingUrl']).flatMap((link) =>
    typeof link === 'string' ? findInLink(couriers, link) : [],
  );
  const [name] = ['carrier', 'provider', 'deliveryProvider'].flatMap((key) => namesOf(delivery[key]));
  const courier = name === undefined ? null : couriers.ofName(name);
  const linked = links.find(({ courierCode }) => courierCode !== null);
  const label = cleanTextOrNull(namesOf(delivery['itemShipped']).slice(0, 3).join(', '));
  const orderNo = cleanTextOrNull(namesOf(delivery['partOfOrder'], 'orderNumber')[0]);
  const numbers = valuesOf(delivery['trackingNumber']).flatMap((value) => {
    const check = typeof value === 'string' || typeof value === 'number' ? normaliseTrackNo(String(value)) : null;
    return check?.ok === true ? [check.trackNo] : [];
  });
  const trackNos = numbers.length > 0 ? numbers : links.map(({ trackNo }) => trackNo);
  return [...new Set(trackNos)].map((trackNo) => {
    const fitting = fittingCouriers(matchFormats(trackNo));
    return {
      ...plainNumber,
      trackNo,
      evidence: 'parcel-delivery',
      certainty: 'sure',
      courierCode: courier === null ? (linked?.courierCode ?? null) : couriers.codeOf(courier),
      candidates:
        courier === null
          ? (linked?.candidates ?? candidatesOf(couriers, fitting))
          : candidatesOf(couriers, [courier, ...fitting]),
      label,
      orderNo,
    };
  });
}

function namesOf(value: JsonValue | undefined, key = 'name'): readonly string[] {
  return valuesOf(value).flatMap((item) => {
    const name = isJsonObject(item) ? valuesOf(item[key])[0] : item;
    return typeof name === 'string' && cleanTextOrNull(name) !== null ? [name] : [];
  });
}
