import { isSameAddress, parseBaseUrl, UnusableBaseUrlError } from '../../service/http/base-url.ts';
import { isHeaderName } from '../../service/http/header-text.ts';
import type { SetupChoice } from './choice-lines.ts';
import type { KnownService, ServiceChoice, SetupNow } from './setup-effects.ts';

/** Ids of the choices that are no known service. */
export const otherAddressId = 'other address';
export const sandboxId = 'sandbox';

/** What can be chosen as the service: the known ones by name, another address, the sandbox. */
export function serviceChoices(known: readonly KnownService[], now: SetupNow | null): readonly SetupChoice[] {
  const set = now?.service ?? null;
  return [
    ...known.map(({ name, page, profile }): SetupChoice => {
      const place = set?.kind === 'profile' && set.profile === profile ? [`Set now: ${set.place}.`] : [];
      return { id: profile, title: `${name}, the public service`, details: [...place, page], unusable: null };
    }),
    {
      id: otherAddressId,
      title: 'Another address',
      details: [
        ...(set?.kind === 'base-url' ? [`${set.baseUrl}, set now: ${set.place}.`] : []),
        'A deployment of your own, or a sandbox that runs elsewhere.',
      ],
      unusable: null,
    },
    {
      id: sandboxId,
      title: 'The sandbox, to look around first',
      details: ['Invented parcels, no account, no network; nothing of yours is read or written.'],
      unusable: null,
    },
  ];
}

/** The id of the choice that stands for a service; null for none. */
export function serviceChoiceId(service: ServiceChoice | null): string | null {
  return service?.kind === 'profile' ? service.profile : service && otherAddressId;
}

/** What a typed address means, or why it cannot be one, as a sentence. */
export type TypedAddress =
  | { readonly kind: 'address'; readonly baseUrl: string }
  | { readonly kind: 'known'; readonly profile: string }
  | {
      readonly kind: 'unusable';
      readonly problem: string;
      /** What was most likely meant; null when nobody can say. */
      readonly proposal: string | null;
    };

/** Reads an address that was typed; that of a known service stands for it, with the header that it wants. */
export function readAddress(text: string, known: readonly KnownService[]): TypedAddress {
  const proposal = proposalFor(text.trim());
  if (proposal !== null) {
    return { kind: 'unusable', problem: `Did you mean ${proposal}? Enter takes it.`, proposal };
  }
  try {
    const baseUrl = parseBaseUrl(text).href;
    const meant = known.find((service) => isSameAddress(service.baseUrl, baseUrl));
    return meant === undefined ? { kind: 'address', baseUrl } : { kind: 'known', profile: meant.profile };
  } catch (error) {
    if (!(error instanceof UnusableBaseUrlError)) throw error;
    return { kind: 'unusable', problem: error.message, proposal: null };
  }
}

/** Where the paths of the service begin: what is behind it is no part of the address. */
const servicePath = /\/tk(?:\/v\d[^?#]*)?\/?$/i;
const thisMachine = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?=[:/]|$)/i;
/** A host with a dot or a port, and no scheme: a lone word is no address. */
const bareHost = /^(?:[\w-]+(?:\.[\w-]+)+|[\w-]+(?=:\d)|\[[\da-f:.]+\])(?::\d{1,5})?(?:\/|$)/i;

/** A text with a scheme where it has none, and without the paths of the service; null where that changes nothing or is no address. */
function proposalFor(text: string): string | null {
  const isBare = bareHost.test(text) || thisMachine.test(text);
  const whole = isBare ? `${thisMachine.test(text) ? 'http' : 'https'}://${text}` : text;
  const proposed = whole.replace(servicePath, '');
  if (proposed === text) return null;
  try {
    return parseBaseUrl(proposed).href.replace(/\/$/, '');
  } catch (error) {
    if (error instanceof UnusableBaseUrlError) return null;
    throw error;
  }
}

/** What is wrong with the name of a header, as a sentence; null when nothing is. */
export function headerProblem(text: string): string | null {
  if (isHeaderName(text)) return null;
  return 'That cannot be the name of a header: letters, digits and hyphens, no spaces, no colon.';
}

/** A service in a few words. */
export function serviceWords(choice: ServiceChoice, known: readonly KnownService[]): string {
  if (choice.kind === 'base-url') return choice.baseUrl.replace(/\/$/, '');
  return known.find(({ profile }) => profile === choice.profile)?.name ?? choice.profile;
}
