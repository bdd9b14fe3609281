import { isSameAddress } from '../../service/http/base-url.ts';
import { isKeyText } from '../../service/http/header-text.ts';
import { counted } from '../text/counted.ts';
import type { SetupChoice } from './choice-lines.ts';
import type { ServiceChoice, SetPlace, SetupNow } from './setup-effects.ts';

/**
 * The ways to give the key of a service: the one that is set, typing it, a command that prints it. Each has the kind of its
 * `KeySource` as its id. A key that is set for
 * another address is the last of them, and says where it would be sent.
 */
export function keyChoices(now: SetupNow | null, service: ServiceChoice | null): readonly SetupChoice[] {
  const set = now?.key ?? null;
  const isOwn = isKeyOf(service, now);
  const sent = isOwn ? [] : [`It is the key of another address: Enter sends it to ${hostWords(service)} all the same.`];
  const present =
    set === null
      ? []
      : [{ id: 'present', title: 'The key that is set', details: [`${set.place}.`, ...sent], unusable: null }];
  return [
    ...(isOwn ? present : []),
    {
      id: 'entered',
      title: set === null ? 'Paste or type the key' : 'Another key',
      details: ['It is not shown.'],
      unusable: null,
    },
    {
      id: 'command',
      title: 'A command that prints it',
      details: ['Such as "pass show parcels/key"; run without a shell.'],
      unusable: null,
    },
    ...(isOwn ? [] : present),
  ];
}

/** Where the key of a service goes, in a few words. */
export function hostWords(service: ServiceChoice | null): string {
  if (service === null) return 'the service';
  return service.kind === 'profile' ? service.profile : (urlOf(service)?.host ?? service.baseUrl);
}

/**
 * Whether the key that is set may go to a service without a question: it is set for its address, or for none. Of a
 * profile and an address it is not known that they mean the same.
 */
export function isKeyOf(service: ServiceChoice | null, now: SetupNow | null): boolean {
  const set = now?.service ?? null;
  if (service === null || set === null) return true;
  if (service.kind === 'profile') return set.kind === 'profile' && set.profile === service.profile;
  return set.kind === 'base-url' && isSameAddress(set.baseUrl, service.baseUrl);
}

const urlOf = ({ baseUrl }: { readonly baseUrl: string }): URL | null =>
  URL.canParse(baseUrl) ? new URL(baseUrl) : null;

/** What is wrong with a key as it was entered, as a sentence that does not repeat it; null when it can be sent. */
export function keyProblem(text: string): string | null {
  const key = text.trim();
  if (key === '') return 'There is no key yet. Paste it, or press Tab to go on without.';
  if (/\s/.test(key))
    return 'That holds spaces, which no key has. Copy the key alone, without its name. Ctrl+U empties the line.';
  if (!isKeyText(key)) return 'That holds letters beyond ASCII, which no key has. Ctrl+U empties the line.';
  return null;
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Dots in the place of a secret: one a character, so that one sees that something was typed. */
export const masked = (secret: string): string => '•'.repeat([...graphemes.segment(secret)].length);

/** How long a secret is, in words. */
export const lengthWords = (secret: string): string =>
  counted([...graphemes.segment(secret.trim())].length, 'character');

/** What is said when a setting outranks what is about to be written; null when nothing does. */
export function outranked(set: SetPlace | null, what: string): string | null {
  if (set === null || !set.outranksFile) return null;
  return `${set.place} is set and goes before what is saved here: ${what} holds only once it is gone.`;
}

/** Whether a service is the one that is set already; null chooses no other. */
export function isSetService(choice: ServiceChoice | null, now: SetupNow | null): boolean {
  const set = now?.service ?? null;
  return isSameService(choice, set) || choice === null;
}

/** Whether two choices are of one service, with the same header. */
export function isSameService(one: ServiceChoice | null, other: ServiceChoice | null): boolean {
  if (one === null || other === null) return one === other;
  if (one.kind === 'profile') return other.kind === 'profile' && other.profile === one.profile;
  return other.kind === 'base-url' && isSameAddress(other.baseUrl, one.baseUrl) && other.header === one.header;
}
