import { isSameAddress } from '../../service/http/base-url.ts';
import { printableText } from '../../service/text/clean-text.ts';
import { type Configuration, configurationOfFile } from '../configuration/configuration.ts';
import type { SettingChange } from '../configuration/edit-config-text.ts';
import { UsageError } from '../session/errors.ts';
import { readConfigured, type SetupPlaces } from './configured.ts';

/** What can be set in several places, by the settings that say it. */
const decided: readonly (readonly [keyof Configuration['setBy'], what: string, written: readonly string[]])[] = [
  ['baseUrl', 'address', ['baseUrl', 'profile']],
  ['header', 'header of the key', ['service', 'profile']],
  ['key', 'key', ['apiKey', 'apiKeyFile', 'apiKeyCommand']],
  ['store', 'store', ['store']],
  ['zone', 'zone', ['zone']],
];

/**
 * Says of settings that were just written what holds in their place, and what about the file keeps them from being used, a
 * sentence each.
 */
export async function outrankingWarnings(
  places: SetupPlaces,
  changes: readonly SettingChange[],
): Promise<readonly string[]> {
  try {
    const { configuration, doubts } = await readConfigured(places);
    const outranked = outrankedSettings(
      changes.map(({ path }) => path[0]),
      configuration,
    );
    return [...outranked, ...doubts.map(({ found, advice }) => printableText(`${found} ${advice}`))];
  } catch (error) {
    // An option or variable of no use: it does not get better by what was written.
    if (!(error instanceof UsageError)) throw error;
    return [error.message];
  }
}

/**
 * Says of settings of `config.json` what holds in their place, a sentence each; nothing of what says the same.
 * @param written the names that were written, without what is below them
 */
export function outrankedSettings(
  written: readonly string[],
  configuration: Pick<Configuration, 'baseUrl' | 'header' | 'setBy' | 'store' | 'storeSource' | 'zone'>,
): readonly string[] {
  const { setBy } = configuration;
  const concerned = decided.filter(
    ([name, , settings]) => outranks(setBy[name]) && settings.some((one) => written.includes(one)),
  );
  if (concerned.length === 0) return [];
  const ofFile = orNull(() => configurationOfFile(configuration));
  return concerned
    .filter(([name]) => ofFile === null || !saySame[name](configuration, ofFile))
    .flatMap(([name, what]) => sentenceOf(what, setBy[name]));
}

/** Whether a place holds whatever the file says. */
export const outranks = (setBy: string | null): setBy is string => setBy !== null && !setBy.startsWith('config.json');

type Decided = Pick<Configuration, 'baseUrl' | 'header' | 'store' | 'zone'>;

const saySame: Readonly<Record<keyof Configuration['setBy'], (one: Decided, other: Decided) => boolean>> = {
  baseUrl: (one, other) => one.baseUrl !== null && other.baseUrl !== null && isSameAddress(one.baseUrl, other.baseUrl),
  header: (one, other) => one.header.toLowerCase() === other.header.toLowerCase(),
  // Keys are not fetched to be compared.
  key: () => false,
  store: (one, other) => placeOfStore(one) === placeOfStore(other),
  zone: (one, other) => one.zone() === other.zone(),
};

const placeOfStore = ({ store }: Decided): string => (store.kind === 'file' ? store.kind : store.address.place);

/** Null for what the file alone does not settle, as something in it cannot be used. */
function orNull<Answer>(settle: () => Answer): Answer | null {
  try {
    return settle();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return null;
  }
}

function sentenceOf(what: string, setBy: string | null): readonly string[] {
  if (!outranks(setBy)) return [];
  return setBy.startsWith('--')
    ? [`This time, ${setBy} outranks the ${what} that was written; leave it out the next time.`]
    : [
        `${setBy} is set in the environment and outranks the ${what} that was written; unset it (and look where your shell sets it).`,
      ];
}
