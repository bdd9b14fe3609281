import { normaliseTrackNo, trackNoForm } from '../lib/track-number.ts';
import { courierFromHost, couriersForFormats, createCandidates, type ScanCouriers } from './couriers.ts';
import { type FoundNumber, plainNumber } from './found-number.ts';
import { matchFormats } from './number-formats.ts';

/** Query parameters that only ever contain tracking numbers, reduced to lower-case letters and digits. */
const numberParameters = `
tracknum tracknums tracknumber tracknumbers trackno tracknos trackingno trackingnos trackingnum trackingnums trackingnumber trackingnumbers trackingid trackingids trackingcode
trackid trackcode trknbr trknbrs tracknbr tracking trackids numtracking tlabels strorigtracknum inquirynumber inquirynumber1 awb awbs awbno awbnumber waybill waybillno waybillnumber waybillcodes
parcelnumber parcelnumbers parcelno parcelid parcel pacelnumber packageid shipmentnumber shipmentid shipmentno shipment consignment consignmentnumber consignmentno connote con cons conno
barcode barcodes barcodenumber piececode idc objeto objetos mailno mailnolist mailnum itemcode itemid sendungsnummer paketnummer snr formsendungsnummer zendingnummer kolli kollinummer
numerodeenvio numeroenvio numenvio numeroexpedition expedition exp chronono chrononumbers listechrononumero colis codecolis numerocolis suivi numero numer numerprzesylki zasilka cislozasilky
billcode txtbill nums trackingnr sendungsnr lstrackno reqcodeno1 postcode1no okurijono number01 trackingnumberinput searchvalue searchfor parcelcode codigo codigos guia guias referencia
`;

/** Query parameters that may also contain other values. Trusted only on the sites of couriers and trackers. */
const looseParameters = `
id q s n no nr num number numbers code codes search searchid key ref reference refnumber tid match query value item items track t p pid nummer kod details waybillid shipmentreference
`;

const trackingPathWords = `
track trace suivi suivre seguimiento rastre localizador localiza tracking sendung verfolg paket tracc cerca sporing sporen spor zending volg sledovani zasilk przesyl parcel shipment colis lahetys
`;

const trackerSites = `
17track.net track123.com aftership.com aftership.io parcelsapp.com trackingmore.com ship24.com parcelmonitor.com parcelperform.com parcellab.com narvar.com narvar.eu pkge.net ordertracker.com
postal.ninja trackglobal.com packageradar.com parcelradar.com packagetrackr.com route.com shippo.com goshippo.com easypost.com shipstation.com sendcloud.sc sendcloud.com shipup.co wonderment.com
malomo.com gotrackier.com parcelpanel.com 24track.com parceltrack.de paketda.de parcello.org trackcourier.io
`;

const courierParameters = `courier carrier couriercode carriercode slug provider fc carriername couriername logistics`;

const splitWords = (words: string): readonly string[] => words.trim().split(/\s+/);
const numberNames = new Set(splitWords(numberParameters));
const looseNames = new Set(splitWords(looseParameters));
const courierNames = new Set(splitWords(courierParameters));
const trackers = new Set(splitWords(trackerSites));
const pathWords = splitWords(trackingPathWords);

const maxLinkLength = 3_000;
const maxNested = 4;
const minDigits = 6;
const maxInLink = 50;

/**
 * Finds numbers in links to couriers' pages, which also identify the courier, in links to sites that track any
 * courier's parcels, and in tracking parameters of other links. Also looks at the target inside redirect links.
 */
export function findInLink(couriers: ScanCouriers, link: string): readonly FoundNumber[] {
  if (link.length > maxLinkLength) return [];
  for (const address of listAddresses(link)) {
    const numbers = findInAddress(couriers, address);
    if (numbers.length > 0) return numbers.slice(0, maxInLink);
  }
  return [];
}

function listAddresses(link: string): readonly URL[] {
  const texts = new Set<string>();
  let text = unwrapProofpoint(link);
  for (let round = 0; round < maxNested; round += 1) {
    texts.add(text);
    for (const { index } of text.matchAll(/https?:\/\//gi)) {
      if (texts.size < maxNested * maxNested) texts.add(text.slice(index));
    }
    const decoded = decodeOnce(text);
    if (decoded === text) break;
    text = decoded;
  }
  if (text.replace(/\D+/g, '').length < minDigits) return [];
  return [...texts].reverse().flatMap((text) => URL.parse(text) ?? []);
}

/** Restores a link that Proofpoint (v2 or v3) rewrote. */
function unwrapProofpoint(link: string): string {
  if (/^https?:\/\/urldefense\.com\/v3\/__/i.test(link))
    return link.slice(link.indexOf('__') + 2).replace(/__;.*$/, '');
  if (!/^https?:\/\/urldefense\.(?:proofpoint\.)?com\/v2\//i.test(link)) return link;
  const [, encodedLink = ''] = /[?&]u=([^&]*)/.exec(link) ?? [];
  return decodeOnce(encodedLink.replaceAll('-', '%').replaceAll('_', '/'));
}

function decodeOnce(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (part) => {
    try {
      return decodeURIComponent(part);
    } catch {
      return part;
    }
  });
}

interface AddressPart {
  /** Reduced to lower-case letters and digits. Null for a segment of the path. */
  readonly name: string | null;
  readonly value: string;
}

function findInAddress(couriers: ScanCouriers, address: URL): readonly FoundNumber[] {
  if (address.protocol !== 'https:' && address.protocol !== 'http:') return [];
  const parts = splitAddress(address);
  const labels = address.host.toLowerCase().split('.');
  const isTracker = labels.some((_, index) => trackers.has(labels.slice(index).join('.')));
  const site = courierFromHost(address.host);
  const page = {
    courier: site ?? (isTracker ? findNamedCourier(couriers, parts) : null),
    isKnown: site !== null || isTracker,
    isTracking: pathWords.some((word) =>
      `${address.host}${address.pathname}${address.hash}`.toLowerCase().includes(word),
    ),
  };
  const found = new Map<string, FoundNumber>();
  for (const { name, value } of parts) {
    for (const text of value.split(/[\s,;|]+/).slice(0, maxInLink)) {
      const number = judgeNumber(couriers, name, text, page);
      if (number !== null && !found.has(number.trackNo)) found.set(number.trackNo, number);
    }
  }
  const numbers = [...found.values()];
  const inLink = numbers.filter(({ evidence }) => evidence === 'link');
  return inLink.length > 0 ? inLink : numbers;
}

function findNamedCourier(couriers: ScanCouriers, parts: readonly AddressPart[]): string | null {
  for (const { name, value } of parts) {
    const isName = name === null ? /[a-z]/i.test(value) && !/\d{4}/.test(value) : courierNames.has(name);
    const key = isName ? (couriers.keyForName(value.replaceAll('-', ' ')) ?? couriers.keyForName(value)) : null;
    if (key !== null) return key;
  }
  return null;
}

/** Includes the fragment, because many sites use it for routing. */
function splitAddress(address: URL): readonly AddressPart[] {
  const fragment = address.hash.slice(1);
  const [path = '', query] = fragment.includes('?')
    ? fragment.split('?', 2)
    : fragment.includes('=')
      ? ['', fragment]
      : [fragment];
  const parameters = [...address.searchParams, ...new URLSearchParams(query ?? '')].map(
    ([name, value]): AddressPart => ({ name: name.toLowerCase().replace(/[^a-z0-9]/g, ''), value }),
  );
  const segments = [...address.pathname.split('/'), ...path.split('/')].map(
    (value): AddressPart => ({ name: null, value: decodeOnce(value) }),
  );
  return [...parameters, ...segments].filter(({ value }) => value !== '');
}

interface LinkPage {
  readonly courier: string | null;
  readonly isKnown: boolean;
  readonly isTracking: boolean;
}

function judgeNumber(couriers: ScanCouriers, name: string | null, text: string, page: LinkPage): FoundNumber | null {
  // Some pages append the country and the postal code, which are private.
  const [first = ''] = text.split('-', 1);
  const check = normaliseTrackNo(first !== text && matchFormats(trackNoForm(first)).length > 0 ? first : text);
  if (!check.ok || check.trackNo.length < 6) return null;
  const matches = matchFormats(check.trackNo);
  const [best] = matches;
  const digits = check.trackNo.replace(/\D/g, '').length;
  const isSure = best?.isVerified === true && best.isDistinctive;
  const isNumber =
    digits >= minDigits &&
    check.trackNo.length >= 8 &&
    digits * 3 >= check.trackNo.length &&
    /^[A-Z0-9-]+$/.test(check.trackNo);
  const isNamed = name !== null && numberNames.has(name);
  const isLoose = name === null || looseNames.has(name);
  const keys = couriersForFormats(matches);
  const { courier, isKnown } = page;
  const base = {
    ...plainNumber,
    trackNo: best?.trackNo ?? check.trackNo,
    evidence: 'link',
    courierCode: courier === null ? null : couriers.codeForKey(courier),
    candidates: createCandidates(couriers, courier === null ? keys : [courier, ...keys]),
  } as const;
  const isPlausible = isNamed || (isLoose && (page.isTracking || digits >= 12));
  if (isKnown && (isSure || (isPlausible && isNumber))) return { ...base, certainty: 'sure' };
  if (isSure) return { ...base, evidence: 'check-digit', certainty: 'likely' };
  if (!isKnown && isNamed && isNumber) return { ...base, certainty: 'likely' };
  const isMeant = isNumber && (isNamed || (isLoose && page.isTracking));
  return isMeant ? { ...base, certainty: 'doubtful', issue: 'unknown-form' } : null;
}

const linkPattern = /\bhttps?:\/\/[^\s<>"'`|\\^{}]{4,3000}/gi;

export function splitLinks(line: string): { readonly links: readonly string[]; readonly rest: string } {
  if (!line.includes('://')) return { links: [], rest: line };
  const links: string[] = [];
  const rest = line.replace(linkPattern, (link) => {
    links.push(link.replace(/[.,;:!?)\]]+$/, ''));
    return ' '.repeat(link.length);
  });
  return { links, rest };
}
