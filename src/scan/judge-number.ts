import type { Certainty } from './found-number.ts';
import { type FormatMatch, isUnmistakable } from './number-formats.ts';

/** The beginnings of words for tracking numbers in many languages, in lower case and without accents. */
const parcelNumberWords = `
track, trace, tracing, parcel, package, shipment, shipped, shipping, consignment, waybill, way bill, air waybill, awb, dispatch, courier, carrier, delivery number, delivery no
sendung, paket, versand, sendenummer, sendungsverfolgung, colis, suivi, expedi, envoi, seguimiento, rastre, envio, paquete, localizador, guia, codigo de objeto, encomenda
tracciamento, spedizione, pacco, lettera di vettura, codice spedizione, zending, pakket, barcode, verzendcode, pakke, forsendelse, sporing, sparing, kolli, sandning, forsandelse
paketti, lahetys, lahetystunnus, seuranta, saadetis, przesyl, paczk, list przewozowy, numer listu, zasilk, zasielk, balik, sledov, csomag, kuldemeny, kovetesi, colet, expedi, awb, livrare
kargo, gonderi, takip, siunt, sutij, posiljk, paket, broj posiljke, pratka, dostav, αποστολ, αριθμος αποστολ, трек, отслежив, посылк, отправлен, накладн, відправлен, посилк, ттн, пратка
快递, 快遞, 运单, 運單, 单号, 單號, 物流, 追跡, 追蹤, 伝票, 送り状, 問い合わせ番号, 荷物, 宅配, 운송장, 송장, 등기, 배송, تتبع, شحن, بوليصة, מעקב, משלוח, พัสดุ, van don, resi, nomor resi
`;

/** The same for words that introduce other numbers. */
const otherNumberWords = `
order, invoice, receipt, phone, mobile, tel., tel:, tel , telephone, fax, call , whatsapp, customer, account, iban, bic, vat, tax, isbn, ean, sku, upc, asin, gtin, zip, postcode, postal code, price, total, amount, reference, ref, quantity
ticket, case , case:, case #, article, item no, item num, item #, product, registration, company, member, pin , pin:, payment, transaction, card, serial, model, imei, batch, quote, contract, policy
bestell, rechnung, kunden, telefon, plz, artikel, auftrag, ust, hrb, steuer, konto, beleg, vertrag, kundennummer, commande, facture, client, siret, siren, tva, code postal, pedido, factura, nif, cif, ordine, fattura, partita iva, numero d'ordine
factuur, klant, kvk, btw, ordre, faktura, kunde, tilaus, zamowien, faktur, klient, nip, objednavk, rendeles, szamla, comanda, siparis, fatura, bestellung
заказ, счет, телефон, инн, замовлен, 订单, 訂單, 电话, 電話, 注文, 発注, 주문, 전화, طلب, הזמנה
`;

export type NumberContext = 'parcel' | 'other' | null;

/** Maximum distance between a number and a word that describes it, in UTF-16 units. */
export const contextReach = 70;

const alternation = (words: string): string =>
  words
    .trim()
    .replaceAll('.', '\\.')
    .replace(/\s*[,\n]\s*/g, '|');

/** Latin words match only at the start of a word. Other scripts may not separate words. */
const contextWord = new RegExp(
  `(?:(?<![a-z])|(?=[\\u0250-\\uffff]))(?=(?<parcel>${alternation(parcelNumberWords)})|(?:${alternation(otherNumberWords)}))`,
  'g',
);

/** Returns the last word that describes the number which follows the text, or null. */
export function lastContextWord(text: string): { readonly kind: 'parcel' | 'other'; readonly from: number } | null {
  const near = normaliseContext(text.slice(-contextReach));
  const last = [...near.matchAll(contextWord)].at(-1);
  if (last === undefined) return null;
  const kind = last.groups?.['parcel'] === undefined ? 'other' : 'parcel';
  return { kind, from: text.length - near.length + last.index };
}

function normaliseContext(text: string): string {
  const lowerCase = text.toLowerCase();
  if (/^[\x00-\x7f]*$/.test(lowerCase)) return lowerCase;
  return lowerCase
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]+/g, '')
    .replaceAll('ł', 'l')
    .replaceAll('ø', 'o');
}

interface Surroundings {
  readonly context: NumberContext;
  /** Whether the line or cell contains nothing else. */
  readonly isAlone: boolean;
}

/** Whether words that are a number except for their check digit were probably meant as one. */
export function isLikelyMistyped({ count, isEven, text }: WordGroups, { context, isAlone }: Surroundings): boolean {
  if (!isUnmistakable(text)) return (count === 1 || (isEven && count > 2)) && context !== 'other';
  // Letters in the last word may belong to the text.
  return count === 1 || isAlone || context === 'parcel' || (isEven && (count > 2 || !/[A-Z]$/.test(text)));
}

/**
 * Returns null if the words are more likely something else.
 * @param best the most specific matching format, or null
 */
export function judgeCertainty(
  { count, digits, isEven, text }: WordGroups,
  best: FormatMatch | null,
  { context, isAlone }: Surroundings,
): Certainty | null {
  if (best?.isVerified === true && best.isDistinctive) return context === 'other' ? 'likely' : 'sure';
  if (best?.isDistinctive === true) {
    // Letters at the end may be a separate word, and uneven groups may be anything.
    if (count > 1 && (!isEven || /[A-Z]$/.test(text)) && context !== 'parcel') return null;
    return context === 'other' ? 'doubtful' : 'likely';
  }
  if (count > 1) {
    // Phone numbers are written in groups as well.
    if (best?.isVerified !== true || !isEven || context === 'other') return null;
    if (context === 'parcel') return 'likely';
    return isAlone && digits >= 12 ? 'doubtful' : null;
  }
  if (best?.isVerified === true) {
    if (context === 'other') return isAlone || isUnmistakable(text) ? 'doubtful' : null;
    if (context === 'parcel' || isAlone) return 'likely';
    return digits >= 12 ? 'doubtful' : null;
  }
  const isDate = /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])(?:\d{4}|\d{6})?$/.test(text);
  const isHash = text.length >= 32 && /^[0-9A-F]+$/.test(text) && /[A-F]/.test(text);
  if (context === 'other' || digits * 2 < text.length || isDate || isHash) return null;
  if (context === 'parcel') return 'likely';
  if (!isAlone) return null;
  return text.length >= 9 ? 'likely' : 'doubtful';
}

export interface TextWord {
  readonly text: string;
  readonly digits: number;
  /** Position in the line, in UTF-16 units. */
  readonly from: number;
  readonly to: number;
}

const maxWordLength = 50;

/** Words that contain a digit, and words of up to four capital letters, which may be at either end of a number. */
const numberWord = /(?<![A-Za-z0-9])(?=[A-Za-z]*\d|[A-Z]{1,4}(?![A-Za-z0-9]))[A-Za-z0-9]{1,50}(?![A-Za-z0-9])/g;

export const findWords = (line: string): readonly TextWord[] =>
  [...line.matchAll(numberWord)].map(({ 0: word, index }) => ({
    text: word.toUpperCase(),
    digits: word.replace(/\D+/g, '').length,
    from: index,
    to: index + word.length,
  }));

/** Adjacent words that may be the groups of one number. */
export interface WordGroups {
  readonly text: string;
  readonly raw: string;
  readonly count: number;
  readonly digits: number;
  /** Whether all separators are the same, and all groups except the first and the last have the same size. */
  readonly isEven: boolean;
  readonly to: number;
}

/** If there are more groups of a single character, they are a row of digits, not a number. */
const maxSingles = 3;

/** Returns the numbers that may start at a word, longest first. They can include the words after it. */
export function groupWords(line: string, words: readonly TextWord[], index: number): readonly WordGroups[] {
  const first = words[index];
  if (first === undefined) return [];
  const groups: WordGroups[] = [{ ...first, raw: first.text, count: 1, isEven: true }];
  let { digits, text } = first;
  let singles = text.length === 1 ? 1 : 0;
  let separator: string | null = null;
  let isEven = true;
  let size = 0;
  for (let next = index + 1; next < words.length; next += 1) {
    const previous = words[next - 1];
    const word = words[next];
    if (previous === undefined || word === undefined) break;
    const between = line.slice(previous.to, word.from).replace('  ', ' ');
    if (between !== ' ' && between !== '-') break;
    if (text.length + word.text.length > maxWordLength) {
      if (first.digits === first.text.length) groups.length = 1;
      break;
    }
    if (word.text.length === 1) singles += 1;
    if (singles > maxSingles) break;
    if (next > index + 1) {
      if (size === 0) size = previous.text.length;
      else if (previous.text.length !== size) isEven = false;
    }
    separator ??= between;
    if (between !== separator) isEven = false;
    text += word.text;
    digits += word.digits;
    const raw = separator === '-' ? line.slice(first.from, word.to).toUpperCase() : text;
    groups.push({ text, raw, count: next - index + 1, digits, isEven, to: word.to });
  }
  return groups.reverse();
}
