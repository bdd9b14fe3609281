import { cleanText } from '../lib/clean-text.ts';
import { fold } from '../lib/text.ts';
import type { Courier } from '../service/port.ts';

const carrierPage = /\/carriers\/([A-Za-z0-9._-]+)(?:\/api)?\/?$/i;

/**
 * Extracts the courier code, in lower case, from the URL of a page in the public list of carriers. Returns null for
 * anything else.
 */
export function courierCodeFromUrl(text: string): string | null {
  const address = parseAddress(text);
  return address === null ? null : (carrierPage.exec(address.pathname)?.[1]?.toLowerCase() ?? null);
}

type CourierMatch =
  | { readonly kind: 'one'; readonly code: string }
  | { readonly kind: 'several'; readonly codes: readonly string[] }
  | { readonly kind: 'none' };

/**
 * Finds the courier for a code, a page in the public list of carriers, an exact English or Chinese name, a home page,
 * or a unique part of a name. Ignores case and accents. A part is one or more whole words, or at least two Chinese
 * characters.
 */
export function matchCourier(text: string, couriers: readonly Courier[]): CourierMatch {
  const codeFromUrl = courierCodeFromUrl(text);
  if (codeFromUrl !== null) return { kind: 'one', code: codeFromUrl };
  const query = fold(text);
  const site = siteFromUrl(text);
  const part = foldWords(text);
  const isPart = /^[\p{Script=Han}]{2,}$/u.test(query);
  const names = ({ nameCN, nameEN }: Courier): readonly string[] => [nameEN ?? '', nameCN ?? ''];
  const criteria: readonly ((courier: Courier) => boolean)[] = [
    ({ code }) => fold(code) === query,
    (courier) => query !== '' && names(courier).some((name) => fold(name) === query),
    ({ homePage }) => site !== null && homePage !== null && siteFromUrl(homePage) === site,
    (courier) =>
      part.trim() !== '' &&
      names(courier).some((name) => foldWords(name).includes(part) || (isPart && fold(name).includes(query))),
  ];
  for (const criterion of criteria) {
    const matches = couriers.filter(criterion);
    const codes = [...new Set(matches.toSorted((a, b) => nameLength(a) - nameLength(b)).map(({ code }) => code))];
    const [only] = codes;
    if (only !== undefined) return codes.length === 1 ? { kind: 'one', code: only } : { kind: 'several', codes };
  }
  return { kind: 'none' };
}

const maxSuggestions = 5;

export const ambiguousCourierMessage = (text: string, codes: readonly string[]): string =>
  `"${cleanText(text)}" matches several couriers. Use one of these codes: ${codes.slice(0, maxSuggestions).join(', ')}${codes.length > maxSuggestions ? ', …' : ''}.`;

const nameLength = ({ nameCN, nameEN }: Courier): number => (nameEN ?? nameCN ?? '').length;

/** Folds text into words, each with a space on either side. */
const foldWords = (text: string): string =>
  ` ${fold(text)
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '')
    .join(' ')} `;

/** Parses a URL with or without its scheme. */
function parseAddress(text: string): URL | null {
  const trimmed = text.normalize('NFKC').trim();
  if (!/^(?:https?:\/\/)?[^\s/]+\.[^\s/]+/i.test(trimmed)) return null;
  const address = /^https?:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`;
  return URL.canParse(address) ? new URL(address) : null;
}

function siteFromUrl(text: string): string | null {
  const address = parseAddress(text);
  return address === null ? null : `${address.host.replace(/^www\./, '')}${address.pathname.replace(/\/+$/, '')}`;
}
