import { Parser } from 'htmlparser2';
import { cleanTextOrNull } from '../lib/clean-text.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../lib/json.ts';
import { normaliseTrackNo } from '../lib/track-number.ts';
import { couriersForFormats, createCandidates, type ScanCouriers } from './couriers.ts';
import { findInLink } from './find-in-link.ts';
import { type FoundNumber, plainNumber } from './found-number.ts';
import { matchFormats } from './number-formats.ts';

interface Located<Value> {
  readonly value: Value;
  readonly line: number;
  /** Set if the text is invisible on the page. */
  readonly isHidden?: true;
}

interface HtmlContent {
  /** The text of the page. Table cells are separated by tabs. */
  readonly lines: readonly Located<string>[];
  readonly links: readonly Located<string>[];
  readonly linkedData: readonly Located<string>[];
  readonly items: readonly Located<MicrodataItem>[];
}

/** Structured like JSON-LD. */
type MicrodataItem = Record<string, JsonValue[]>;

const blocks = new Set(
  'address article aside blockquote body br center dd div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6 head header hr html li main nav ol option p pre section summary table tbody tfoot thead title tr ul'.split(
    ' ',
  ),
);
const invisibleElements = new Set(['script', 'style', 'template', 'noscript', 'svg', 'object']);

const zeroLength = '(?:0+(?:\\.0*)?|\\.0+)(?:px|pt|em|rem|%)?\\s*(?:[;!]|$)';
const maxStyleLength = 2_000;
const propertyStart = '(?:^|[;\\s])';
const hiddenStyle = new RegExp(
  `${propertyStart}(?:display\\s*:\\s*none|visibility\\s*:\\s*(?:hidden|collapse)|mso-hide\\s*:\\s*all|(?:opacity|max-height|max-width)\\s*:\\s*${zeroLength})`,
  'i',
);
const zeroSizeStyle = new RegExp(`${propertyStart}(?:height|width)\\s*:\\s*${zeroLength}`, 'i');
const clippedStyle = /overflow(?:-[xy])?\s*:\s*hidden/i;
/** Emails set the font size of a container to 0 and give its content a different size, so the innermost size counts. */
const fontSizeStyle = new RegExp(`${propertyStart}font-size\\s*:\\s*(?:(${zeroLength})|[a-z0-9.])`, 'i');

interface Visibility {
  readonly isHidden: boolean;
  readonly isSizeless: boolean;
}

function computeVisibility(
  { hidden, style: whole = '' }: Readonly<Record<string, string>>,
  outer: Visibility,
): Visibility {
  if (whole === '' && hidden === undefined) return outer;
  const style = whole.slice(0, maxStyleLength).replace(/\/\*.*?\*\//gs, '');
  const isCollapsed = zeroSizeStyle.test(style) && clippedStyle.test(style);
  const [isSized, isSizeless] = fontSizeStyle.exec(style) ?? [];
  return {
    isHidden: outer.isHidden || hidden !== undefined || isCollapsed || hiddenStyle.test(style),
    isSizeless: isSized === undefined ? outer.isSizeless : isSizeless !== undefined,
  };
}

const initialVisibility: Visibility = { isHidden: false, isSizeless: false };

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
  readonly property?: { readonly addValue: (value: string) => void; readonly texts: string[] };
}

/** Elements on real pages are nested about thirty levels deep. */
const maxDepth = 1_000;

export class HtmlTooDeepError extends Error {
  override readonly name = 'HtmlTooDeepError';
}

const charactersPerTurn = 200_000;

/**
 * Reads any HTML, however malformed. Rejects with an {@link HtmlTooDeepError}, or with the error of `yieldToEventLoop`.
 * @param yieldToEventLoop called regularly so that other work can run; may reject to cancel
 */
export async function readHtml(html: string, yieldToEventLoop: () => Promise<void>): Promise<HtmlContent> {
  const lines: Located<string>[] = [];
  const links: Located<string>[] = [];
  const linkedData: Located<string>[] = [];
  const items: Located<MicrodataItem>[] = [];
  const open: OpenElement[] = [];
  let invisibleDepth = 0;
  let data: { readonly line: number; readonly texts: string[] } | null = null;
  let text: string[] = [];
  let textLine = 1;
  let isTextHidden = false;
  const isInvisible = ({ isHidden: isGone, isSizeless }: Visibility): boolean => isGone || isSizeless;
  const isHidden = (): boolean => isInvisible(open.at(-1)?.visibility ?? initialVisibility);
  const lineAt = lineCounter(html);

  const endLine = (): void => {
    const line = text
      .join('')
      .replace(/[ \n\r\f]+/g, ' ')
      // Every cell is preceded by a tab, which is superfluous before the first one.
      .replace(/^ ?\t?/, '')
      .trimEnd();
    if (line.trim() !== '') lines.push({ value: line, line: textLine, ...(isTextHidden ? { isHidden: true } : {}) });
    text = [];
  };

  const parser = new Parser({
    onopentag(name, attributes) {
      const line = lineAt(parser.startIndex);
      if (blocks.has(name)) endLine();
      else if (name === 'td' || name === 'th') text.push('\t');
      if (invisibleElements.has(name)) invisibleDepth += 1;
      const { href, type = '' } = attributes;
      if (name === 'script' && /^application\/ld\+json\b/i.test(type.trim())) data = { line, texts: [] };
      if (open.length >= maxDepth) throw new HtmlTooDeepError(`Elements are nested more than ${maxDepth} levels deep.`);
      const visibility = computeVisibility(attributes, open.at(-1)?.visibility ?? initialVisibility);
      if (href !== undefined && name !== 'link' && name !== 'base') {
        links.push({ value: href.trim(), line, ...(isInvisible(visibility) ? { isHidden: true } : {}) });
      }
      const owner = open.at(-1)?.item ?? null;
      const names =
        owner === null ? [] : (attributes['itemprop']?.split(/\s+/) ?? []).filter((name) => usedProperties.has(name));
      const addValue = (value: JsonValue): void => {
        if (owner === null) return;
        for (const property of names) {
          const values = owner[property] ?? [];
          values.push(value);
          owner[property] = values;
        }
      };
      if (attributes['itemscope'] !== undefined) {
        const item: MicrodataItem = { '@type': [(attributes['itemtype'] ?? '').trim()] };
        items.push({ value: item, line });
        addValue(item);
        open.push({ name, visibility, item });
        return;
      }
      const value = attributes['content'] ?? href ?? attributes['datetime'] ?? attributes['value'];
      const isText = names.length > 0 && value === undefined;
      if (value !== undefined) addValue(value.slice(0, maxPropertyLength).trim());
      open.push({ name, visibility, item: owner, ...(isText ? { property: { addValue, texts: [] } } : {}) });
    },
    ontext(piece) {
      if (data !== null) data.texts.push(piece);
      if (invisibleDepth > 0) return;
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
      if (invisibleElements.has(name)) invisibleDepth -= 1;
      if (name === 'script' && data !== null) {
        linkedData.push({ value: data.texts.join(''), line: data.line });
        data = null;
      }
      if (blocks.has(name)) endLine();
      const at = open.findLastIndex((element) => element.name === name);
      for (const { property } of at === -1 ? [] : open.splice(at)) {
        property?.addValue(property.texts.join('').slice(0, maxPropertyLength).trim());
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

/** Returns a function that converts a position into a line number, counted from 1. Positions must not decrease. */
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
    ...readParcelDelivery(couriers, value),
    ...Object.values(value).flatMap((item) => findParcelDeliveries(couriers, item, depth + 1)),
  ];
}

const isParcelDelivery = (value: JsonObject): boolean =>
  toArray(value['@type']).some(
    (type) => typeof type === 'string' && /^(?:https?:\/\/schema\.org\/|schema:)?ParcelDelivery$/i.test(type),
  );

const toArray = (value: JsonValue | undefined): readonly JsonValue[] =>
  value === undefined || value === null ? [] : Array.isArray(value) ? value : [value];

/** Does not look for deliveries in nested objects. Empty unless the object is a `ParcelDelivery`. */
export function readParcelDelivery(couriers: ScanCouriers, delivery: JsonObject): readonly FoundNumber[] {
  if (!isParcelDelivery(delivery)) return [];
  const links = toArray(delivery['trackingUrl']).flatMap((link) =>
    typeof link === 'string' ? findInLink(couriers, link) : [],
  );
  const [name] = ['carrier', 'provider', 'deliveryProvider'].flatMap((key) => readNames(delivery[key]));
  const courier = name === undefined ? null : couriers.keyForName(name);
  const linkWithCourier = links.find(({ courierCode }) => courierCode !== null);
  const label = cleanTextOrNull(readNames(delivery['itemShipped']).slice(0, 3).join(', '));
  const orderNo = cleanTextOrNull(readNames(delivery['partOfOrder'], 'orderNumber')[0]);
  const numbers = toArray(delivery['trackingNumber']).flatMap((value) => {
    const check = typeof value === 'string' || typeof value === 'number' ? normaliseTrackNo(String(value)) : null;
    return check?.ok === true ? [check.trackNo] : [];
  });
  const trackNos = numbers.length > 0 ? numbers : links.map(({ trackNo }) => trackNo);
  return [...new Set(trackNos)].map((trackNo) => {
    const keys = couriersForFormats(matchFormats(trackNo));
    return {
      ...plainNumber,
      trackNo,
      evidence: 'parcel-delivery',
      certainty: 'sure',
      courierCode: courier === null ? (linkWithCourier?.courierCode ?? null) : couriers.codeForKey(courier),
      candidates:
        courier === null
          ? (linkWithCourier?.candidates ?? createCandidates(couriers, keys))
          : createCandidates(couriers, [courier, ...keys]),
      label,
      orderNo,
    };
  });
}

function readNames(value: JsonValue | undefined, key = 'name'): readonly string[] {
  return toArray(value).flatMap((item) => {
    const name = isJsonObject(item) ? toArray(item[key])[0] : item;
    return typeof name === 'string' && cleanTextOrNull(name) !== null ? [name] : [];
  });
}
