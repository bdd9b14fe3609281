import { nearestWord } from '../lib/text.ts';
import { UsageError } from './errors.ts';

/** A known deployment of the service. */
interface Profile {
  readonly profile: string;
  readonly name: string;
  readonly baseUrl: string;
  readonly header: string;
  /** How to get a key from the service's pages, as a sentence. */
  readonly keyHint: string;
  /** The page for accounts and keys, an http or https address. */
  readonly page: string;
}

export const profiles: readonly Profile[] = [
  {
    profile: 'track123',
    name: 'Track123',
    baseUrl: 'https://api.track123.com/gateway/open-api',
    header: 'Track123-Api-Secret',
    keyHint: 'The key is in the admin portal, under Developers, API.',
    page: 'https://www.track123.com',
  },
];

export const profileNames: readonly string[] = profiles.map(({ profile }) => profile);

/**
 * Returns the deployment with this name. Throws a {@link UsageError} that names the nearest one, or all, if there is
 * none.
 */
export function profileNamed(name: string): Profile {
  const profile = knownProfile(name);
  if (profile !== null) return profile;
  const nearest = nearestWord(name, profileNames);
  const advice = nearest === null ? `known profiles: ${profileNames.join(', ')}.` : `did you mean ${nearest}?`;
  throw new UsageError(`The profile "${name}" is not known; ${advice}`);
}

/** Returns the deployment with this name, or null. */
export const knownProfile = (name: string): Profile | null => profiles.find(({ profile }) => profile === name) ?? null;
