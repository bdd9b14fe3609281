import { dirname } from 'node:path';
import { printableText } from '../../service/text/clean-text.ts';
import type { Configuration } from '../configuration/configuration.ts';
import type { SettingChange } from '../configuration/edit-config-text.ts';
import type { ProgramPaths } from '../configuration/paths.ts';
import { UsageError } from '../session/errors.ts';
import { readConfigured, type SetupPlaces } from './configured.ts';

/** The folder of `config.json`. */
export const configFolder = ({ config }: Pick<ProgramPaths, 'config'>): string => dirname(config);

/** What holds in the place of a setting that was just written: an option or a variable of the environment. */
interface Outranked {
  readonly what: string;
  readonly setBy: string | null;
}

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
  { apiKey, setBy, store }: Pick<Configuration, 'apiKey' | 'setBy' | 'store'>,
): readonly string[] {
  const isWritten = (...names: readonly string[]): boolean => names.some((name) => written.includes(name));
  const outranked: readonly Outranked[] = [
    ...(isWritten('baseUrl', 'profile') ? [{ what: 'address', setBy: setBy.baseUrl }] : []),
    ...(isWritten('service', 'profile') ? [{ what: 'header of the key', setBy: setBy.header }] : []),
    ...(isWritten('apiKey', 'apiKeyFile', 'apiKeyCommand')
      ? [{ what: 'key', setBy: apiKey.kind === 'none' ? null : apiKey.setBy }]
      : []),
    ...(isWritten('store') ? [{ what: 'store', setBy: store.setBy }] : []),
    ...(isWritten('zone') ? [{ what: 'zone', setBy: setBy.zone }] : []),
  ];
  return outranked.flatMap(sentenceOf);
}

function sentenceOf({ what, setBy }: Outranked): readonly string[] {
  if (setBy === null || setBy.startsWith('config.json')) return [];
  return setBy.startsWith('--')
    ? [`This time, ${setBy} outranks the ${what} that was written; leave it out the next time.`]
    : [
        `${setBy} is set in the environment and outranks the ${what} that was written; unset it (and look where your shell sets it).`,
      ];
}
