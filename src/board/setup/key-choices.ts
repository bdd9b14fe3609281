import type { SetupChoice } from './choice-lines.ts';
import type { KeyStore, ServiceChoice, SetPlace, SetupNow } from './setup-effects.ts';

/** Ids of the ways to give the key. */
export const enteredKeyId = 'entered';
export const keyCommandId = 'command';
export const presentKeyId = 'present';

/** The ways to give the key: the one that is set, typing it, a command that prints it. */
export function keyChoices(now: SetupNow | null): readonly SetupChoice[] {
  const set = now?.key ?? null;
  return [
    ...(set === null
      ? []
      : [{ id: presentKeyId, title: 'The key that is set', details: [`${set.place}.`], unusable: null }]),
    {
      id: enteredKeyId,
      title: set === null ? 'Paste or type the key' : 'Another key',
      details: ['It is not shown.'],
      unusable: null,
    },
    {
      id: keyCommandId,
      title: 'A command that prints it',
      details: ['Such as "pass show parcels/key"; run without a shell.'],
      unusable: null,
    },
  ];
}

/** What is wrong with a key as it was entered, as a sentence that does not repeat it; null when it can be sent. */
export function keyProblem(text: string): string | null {
  const key = text.trim();
  if (key === '') return 'There is no key yet. Paste it, or press Tab to go on without.';
  if (/\s/.test(key))
    return 'That holds spaces, which no key has. Copy the key alone, without its name. Ctrl+U empties the line.';
  if (!/^[\x21-\x7e]+$/.test(key)) return 'That holds letters beyond ASCII, which no key has. Ctrl+U empties the line.';
  return null;
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Dots in the place of a secret: one a character, so that one sees that something was typed. */
export const masked = (secret: string): string => '•'.repeat([...graphemes.segment(secret)].length);

/** How long a secret is, in words. */
export function lengthWords(secret: string): string {
  const { length } = [...graphemes.segment(secret.trim())];
  return `${length} ${length === 1 ? 'character' : 'characters'}`;
}

/** Choices of where the key is kept: the stores of this machine. */
export const storeChoices = (stores: readonly KeyStore[]): readonly SetupChoice[] =>
  stores.map(({ detail, id, title, unusable }) => ({ id, title, details: [detail], unusable }));

/** The first store that can be used. */
export const firstStoreChoice = (stores: readonly KeyStore[]): number =>
  Math.max(
    0,
    stores.findIndex(({ unusable }) => unusable === null),
  );

/** What is said when a setting outranks what is about to be written; null when nothing does. */
export function outranked(set: SetPlace | null, what: string): string | null {
  if (set === null || !set.outranksFile) return null;
  return `${set.place} is set and goes before what is saved here: ${what} holds only once it is gone.`;
}

/** Whether a service is the one that is set already; null chooses no other. */
export function isSetService(choice: ServiceChoice | null, now: SetupNow | null): boolean {
  const set = now?.service ?? null;
  if (choice === null || set === null) return choice === null;
  if (choice.kind === 'profile') return set.kind === 'profile' && set.profile === choice.profile;
  return set.kind === 'base-url' && set.baseUrl === choice.baseUrl && set.header === choice.header;
}
