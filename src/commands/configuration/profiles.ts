import { nearestWord } from '../../service/text/nearest-word.ts';
import { UsageError } from '../session/errors.ts';

/** A known deployment of the service. */
export interface Profile {
  readonly baseUrl: string;
  /** Name of the header that carries the key. */
  readonly header: string;
  /** As people know it. */
  readonly title: string;
  /** How its user gets a key, as a sentence. */
  readonly wayToKey: string;
  /** Its public pages, the one on which to begin first. */
  readonly pages: readonly { readonly title: string; readonly address: string }[];
}

const profiles: Readonly<Record<string, Profile>> = {
  track123: {
    baseUrl: 'https://api.track123.com/gateway/open-api',
    header: 'Track123-Api-Secret',
    title: 'Track123',
    wayToKey: 'Log in to the admin portal, then Developers, API: the key is there.',
    pages: [
      { title: 'Track123', address: 'https://www.track123.com' },
      { title: 'Guide to the interface', address: 'https://docs.track123.com/reference' },
    ],
  },
};

/** The names of all known deployments. */
export const profileNames: readonly string[] = Object.keys(profiles);

/** The deployment of a name. Throws a {@link UsageError} that names the nearest, or all, when there is none. */
export function profileNamed(name: string): Profile {
  const profile = knownProfile(name);
  if (profile !== null) return profile;
  const meant = nearestWord(name, profileNames);
  const advice = meant === null ? `there is: ${profileNames.join(', ')}.` : `did you mean ${meant}?`;
  throw new UsageError(`The profile "${name}" is not known; ${advice}`);
}

/** The deployment of a name; null when there is none. */
export function knownProfile(name: string): Profile | null {
  return Object.hasOwn(profiles, name) ? (profiles[name] ?? null) : null;
}
