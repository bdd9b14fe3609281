import { printableText } from '../../service/text/clean-text.ts';
import type { Configuration } from '../configuration/configuration.ts';
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
 * Says of settings of `config.json` what holds in their place, a sentence each.
 * @param written the names that were written, without what is below them
 */
export function outrankedSettings(
  written: readonly string[],
  { setBy }: Pick<Configuration, 'setBy'>,
): readonly string[] {
  return decided.flatMap(([name, what, settings]) =>
    settings.some((one) => written.includes(one)) ? sentenceOf(what, setBy[name]) : [],
  );
}

function sentenceOf(what: string, setBy: string | null): readonly string[] {
  if (setBy === null || setBy.startsWith('config.json')) return [];
  return setBy.startsWith('--')
    ? [`This time, ${setBy} outranks the ${what} that was written; leave it out the next time.`]
    : [
        `${setBy} is set in the environment and outranks the ${what} that was written; unset it (and look where your shell sets it).`,
      ];
}
