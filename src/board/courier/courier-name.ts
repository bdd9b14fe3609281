import type { Courier } from '../../service/record/record.ts';
import { fold } from '../text/fold.ts';

/** A page of the public carriers list, in any language, or the page about its interface below it. */
const carrierPage = /\/carriers\/([A-Za-z0-9._-]+)(?:\/api)?\/?$/i;

/**
 * The courier code that the address of a courier's page in the public carriers list names, in small letters: it is the
 * last part of its path. Null for any other text.
 */
export function courierOfPage(text: string): string | null {
  const address = addressOf(text);
  return address === null ? null : (carrierPage.exec(address.pathname)?.[1]?.toLowerCase() ?? null);
}

/**
 * The code of the courier that a person means by a text: a code, the address of its page in the public carriers list, its
 * home page, or its exact English or Chinese name, whatever its case and accents. Null where that is none, or several.
 */
export function courierMeant(text: string, couriers: readonly Courier[]): string | null {
  const ofPage = courierOfPage(text);
  if (ofPage !== null) return ofPage;
  const wanted = fold(text);
  const site = siteOf(text);
  const fits: readonly ((courier: Courier) => boolean)[] = [
    ({ code }) => fold(code) === wanted,
    ({ nameEN, nameCN }) => wanted !== '' && (fold(nameEN ?? '') === wanted || fold(nameCN ?? '') === wanted),
    ({ homePage }) => site !== null && homePage !== null && siteOf(homePage) === site,
  ];
  for (const fit of fits) {
    const codes = new Set(couriers.filter(fit).map(({ code }) => code));
    const [only] = codes;
    if (only !== undefined) return codes.size === 1 ? only : null;
  }
  return null;
}

/** An address as people paste it, with or without its scheme. */
function addressOf(text: string): URL | null {
  const trimmed = text.normalize('NFKC').trim();
  if (!/^(?:https?:\/\/)?[^\s/]+\.[^\s/]+/i.test(trimmed)) return null;
  const address = /^https?:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`;
  return URL.canParse(address) ? new URL(address) : null;
}

/** Host and path of a home page, as far as they tell it from another one's. */
function siteOf(text: string): string | null {
  const address = addressOf(text);
  return address === null ? null : `${address.host.replace(/^www\./, '')}${address.pathname.replace(/\/+$/, '')}`;
}
