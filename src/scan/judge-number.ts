import { fittingCouriers, type NamedCourier, type ScanCouriers } from './couriers.ts';
import { type FormatMatch, type FormatMatcher, isUnmistakable } from './match-formats.ts';
import type { ScanTrust } from './scanned-number.ts';
import type { TextWord, WordGroups } from './text-words.ts';

/**
 * Beginnings of words for tracking numbers, in small letters without accents, in the languages in which shops and couriers
 * write.
 */
const parcelNumberWords = `
track, trace, tracing, parcel, package, shipment, shipped, shipping, consignment, waybill, way bill, air waybill, awb, dispatch, courier, carrier, delivery number, delivery no
sendung, paket, versand, sendenummer, sendungsverfolgung, colis, suivi, expedi, envoi, seguimiento, rastre, envio, paquete, localizador, guia, codigo de objeto, encomenda
tracciamento, spedizione, pacco, lettera di vettura, codice spedizione, zending, pakket, barcode, verzendcode, pakke, forsendelse, sporing, sparing, kolli, sandning, forsandelse
paketti, lahetys, lahetystunnus, seuranta, saadetis, przesyl, paczk, list przewozowy, numer listu, zasilk, zasielk, balik, sledov, csomag, kuldemeny, kovetesi, colet, expedi, awb, livrare
kargo, gonderi, takip, siunt, sutij, posiljk, paket, broj posiljke, pratka, dostav, αποστολ, αριθμος αποστολ, трек, отслежив, посылк, отправлен, накладн, відправлен, посилк, ттн, пратка
快递, 快遞, 运单, 運單, 单号, 單號, 物流, 追跡, 追蹤, 伝票, 送り状, 問い合わせ番号, 荷物, 宅配, 운송장, 송장, 등기, 배송, تتبع, شحن, بوليصة, מעקב, משלוח, พัสดุ, van don, resi, nomor resi
`;

/** Beginnings of words for what else is numbered. */
const otherNumberWords = `
order, invoice, receipt, phone, mobile, tel., tel:, tel , telephone, fax, call , whatsapp, customer, account, iban, bic, vat, tax, isbn, ean, sku, upc, asin, gtin, zip, postcode, postal code, price, total, amount, reference, ref, quantity
ticket, case , case:, case #, article, item no, item num, item #, product, registration, company, member, pin , pin:, payment, transaction, card, serial, model, imei, batch, quote, contract, policy
bestell, rechnung, kunden, telefon, plz, artikel, auftrag, ust, hrb, steuer, konto, beleg, vertrag, kundennummer, commande, facture, client, siret, siren, tva, code postal, pedido, factura, nif, cif, ordine, fattura, partita iva, numero d'ordine
factuur, klant, kvk, btw, ordre, faktura, kunde, tilaus, zamowien, faktur, klient, nip, objednavk, rendeles, szamla, comanda, siparis, fatura, bestellung
заказ, счет, телефон, инн, замовлен, 订单, 訂單, 电话, 電話, 注文, 発注, 주문, 전화, طلب, הזמנה
`;

/** What the text around a number says that it is. */
export type NumberContext = 'parcel' | 'other' | null;

/** How much of the text before a number says what it is, in characters. */
export const contextReach = 70;

/** The words of one kind by their first two characters. */
type WordIndex = ReadonlyMap<string, readonly string[]>;

const indexed = (words: string): WordIndex =>
  Map.groupBy(words.trim().split(/\s*[,\n]\s*/), (word) => word.slice(0, 2));
const parcelIndex = indexed(parcelNumberWords);
const otherIndex = indexed(otherNumberWords);

/** A word that says what a number is, and how far before the end of the text it begins, in characters. */
interface ContextWord {
  readonly kind: 'parcel' | 'other';
  readonly distance: number;
}

/** What a text before a number, or a heading above it, says that it is; what stands last decides. */
export const contextOf = (text: string): NumberContext => lastContextWord(text)?.kind ?? null;

/** The last word of a text that says what a number is; null where none does. */
export function lastContextWord(text: string): ContextWord | null {
  const near = contextForm(text.slice(-contextReach));
  for (let at = near.length - 2; at >= 0; at -= 1) {
    if (!mayBegin(near, at)) continue;
    const start = near.slice(at, at + 2);
    if (begins(parcelIndex.get(start), near, at)) return { kind: 'parcel', distance: near.length - at };
    if (begins(otherIndex.get(start), near, at)) return { kind: 'other', distance: near.length - at };
  }
  return null;
}

const begins = (words: readonly string[] | undefined, text: string, at: number): boolean =>
  words?.some((word) => text.startsWith(word, at)) === true;

/** Latin words are compared from their beginning; other scripts are written without spaces. */
function mayBegin(text: string, at: number): boolean {
  if (text.charCodeAt(at) >= 0x250) return true;
  return at === 0 || !/[a-z]/.test(text[at - 1] ?? '');
}

/** Small letters without accents. */
function contextForm(text: string): string {
  const small = text.toLowerCase();
  if (/^[\x00-\x7f]*$/.test(small)) return small;
  return small
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]+/g, '')
    .replaceAll('ł', 'l')
    .replaceAll('ø', 'o');
}

/** What stands around words that may be a number. */
interface Surroundings {
  readonly context: NumberContext;
  /** Whether the words are all that stands in their line, or in their cell of a table. */
  readonly isAlone: boolean;
}

/** For what would be a number with another check digit; it is never more than doubtful. */
export function trustInMistyped(
  { count, isEven, isUniform, text }: WordGroups,
  mistyped: FormatMatch,
  { context, isAlone }: Surroundings,
): ScanTrust | null {
  if (mistyped.isDistinctive) {
    if (count === 1 || isAlone || context === 'parcel') return 'doubtful';
    // The letters of two words may be a word of the text.
    return isEven && (count > 2 || !/[A-Z]$/.test(text)) ? 'doubtful' : null;
  }
  if (context === 'other') return null;
  return count === 1 || (isUniform && count > 2) ? 'doubtful' : null;
}

/**
 * How far words can be relied on to be a number; null when they are rather something else.
 * @param best the most telling of the formats that they have; null for none
 */
export function trustIn(groups: WordGroups, best: FormatMatch | null, around: Surroundings): ScanTrust | null {
  const { context } = around;
  if (best?.isVerified === true && best.isDistinctive) return context === 'other' ? 'likely' : 'sure';
  if (best?.isDistinctive === true) {
    // Letters at the end may be a word of the text, and groups of any size may be anything.
    if (groups.count > 1 && (!groups.isEven || /[A-Z]$/.test(groups.text)) && context !== 'parcel') return null;
    return context === 'other' ? 'doubtful' : 'likely';
  }
  if (groups.count > 1) return trustInGroups(groups, best, around);
  if (best?.isVerified === true) {
    if (context === 'other') return around.isAlone || isUnmistakable(groups.text) ? 'doubtful' : null;
    if (context === 'parcel' || around.isAlone) return 'likely';
    return groups.digits >= 12 ? 'doubtful' : null;
  }
  return context === 'other' ? null : trustInLooks(groups, around);
}

/** For digits in groups, which a telephone number has, too. */
function trustInGroups(
  { digits, isEven }: WordGroups,
  best: FormatMatch | null,
  { context, isAlone }: Surroundings,
): ScanTrust | null {
  if (best?.isVerified !== true || !isEven || context === 'other') return null;
  if (context === 'parcel') return 'likely';
  return isAlone && digits >= 12 ? 'doubtful' : null;
}

/** For what has no check digit that would tell it from other numbers. */
function trustInLooks({ digits, text }: WordGroups, { context, isAlone }: Surroundings): ScanTrust | null {
  const isDate = /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])(?:\d{4}|\d{6})?$/.test(text);
  const isHash = text.length >= 32 && /^[0-9A-F]+$/.test(text) && /[A-F]/.test(text);
  if (digits < 6 || text.length < 8 || digits * 2 < text.length || isDate || isHash) return null;
  if (context === 'parcel') return 'likely';
  if (!isAlone) return null;
  return text.length >= 9 ? 'likely' : 'doubtful';
}

/** The couriers that are named near a number, nearest place first; each place holds at least one. */
type NearCouriers = readonly (readonly NamedCourier[])[];

/** A line with all that is named in it and above it. */
export interface NamingLine {
  readonly line: string;
  readonly words: readonly TextWord[];
  readonly named: readonly NamedCourier[];
  /** What the heading above it names. */
  readonly above: readonly NamedCourier[];
}

/** How far from a number a courier's name may stand to be nearer than the rest of the line, in characters. */
const reach = 120;

/** Where a number stands, and where the one before it in the line ended; 0 for the first. */
interface NumberSpan {
  readonly last: number;
  readonly from: number;
  readonly to: number;
}

/** The couriers near a number: before it, behind it, elsewhere in its line, in the heading above. */
export function nearCouriers({ above, line, named, words }: NamingLine, { from, last, to }: NumberSpan): NearCouriers {
  if (named.length === 0) return above.length === 0 ? [] : [above];
  // A name in brackets belongs to the number that it follows.
  const bracket = last === 0 ? 0 : (/^ ?[([][^)\]]{0,80}[)\]]/.exec(line.slice(last, last + 100))?.[0].length ?? 0);
  const start = Math.max(last + bracket, from - reach);
  const before = named.filter((each) => each.from >= start && each.to <= from);
  const next = words.find((word) => word.from >= to && word.digits >= 3)?.from ?? line.length;
  const behind = named.filter(
    (each) =>
      each.from >= to &&
      each.from <= to + reach &&
      each.to <= next &&
      // What stands right before the next number belongs to that.
      (next === line.length || /[^\s:#-]/.test(line.slice(each.to, next))),
  );
  return [before, behind, named, above].filter((place) => place.length > 0);
}

/** What the form of words and the couriers that are named near them say together. */
export interface WeighedForm {
  /** The most telling of the formats that they have; null for none. */
  readonly best: FormatMatch | null;
  /** The format that they would have with another check digit; null where they have one, or none at all. */
  readonly mistyped: FormatMatch | null;
  /** Keys of the couriers that fit, likeliest first. */
  readonly fitting: readonly string[];
  /** Whether one of them is named near. */
  readonly isNamed: boolean;
}

/** What knows formats and couriers. */
interface Knowledge {
  readonly formats: FormatMatcher;
  readonly couriers: ScanCouriers;
}

/**
 * Weighs the formats of words. A courier that is named near leaves those that its formats allow; one whose formats do not
 * allow them counts only where no check digit speaks for another.
 */
export function weighFormats(
  { couriers, formats }: Knowledge,
  groups: WordGroups,
  matches: readonly FormatMatch[],
  near: NearCouriers,
): WeighedForm {
  const named = narrowed(couriers, matches, near);
  if (named !== null) return { best: named.matches[0] ?? null, mistyped: null, fitting: named.fitting, isNamed: true };
  const best = matches.find(({ isVerified }) => isVerified) ?? matches[0] ?? null;
  if (best?.isVerified === true) {
    const verified = matches.filter(({ isVerified }) => isVerified);
    return { best, mistyped: null, fitting: fittingCouriers(couriers, verified), isNamed: false };
  }
  const almost = near.length > 0 || isUnmistakable(groups.text) ? allOf(formats.mistyped, groups) : [];
  const meant = narrowed(couriers, almost, near);
  if (meant !== null) return { best: null, mistyped: meant.matches[0] ?? null, fitting: meant.fitting, isNamed: true };
  const plain = almost.filter(({ isDistinctive }) => isDistinctive);
  const [first] = plain;
  if (first !== undefined) {
    return { best: null, mistyped: first, fitting: fittingCouriers(couriers, plain), isNamed: false };
  }
  const nearest = near[0]?.at(-1);
  if (nearest !== undefined && best?.isDistinctive !== true) {
    return { best: null, mistyped: null, fitting: [nearest.key], isNamed: true };
  }
  return { best, mistyped: null, fitting: fittingCouriers(couriers, matches), isNamed: false };
}

/** The formats that words have, as they are written or without what separates them. */
export const allOf = (match: FormatMatcher['match'], { raw, text }: WordGroups): readonly FormatMatch[] =>
  raw === text ? match(text) : [...match(raw), ...match(text)];

interface Narrowed {
  readonly matches: readonly FormatMatch[];
  readonly fitting: readonly string[];
}

/** The formats of the couriers that are named at the nearest place that names one of theirs; null where none does. */
function narrowed(couriers: ScanCouriers, matches: readonly FormatMatch[], near: NearCouriers): Narrowed | null {
  if (matches.length === 0) return null;
  for (const place of near) {
    const keys = new Set(place.flatMap((named) => named.keys));
    const left = matches.filter((match) => fittingCouriers(couriers, [match]).some((key) => keys.has(key)));
    if (left.length === 0) continue;
    return { matches: left, fitting: fittingCouriers(couriers, left).filter((key) => keys.has(key)) };
  }
  return null;
}
