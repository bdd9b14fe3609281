import { dirname } from 'node:path';
import type { ServiceError } from '../../service/failures/errors.ts';
import { NotAFileError, type StoreError } from '../../watchlist/errors.ts';
import { leftToAdministrator } from '../../watchlist/files/left-to-administrator.ts';
import { shellWord } from '../../watchlist/files/shell-word.ts';
import { configFileContent } from '../config/config-file-content.ts';
import { type SettingsSource, settledSetting } from '../config/settled-settings.ts';
import { settingProblems, unusableByMeaning } from '../configuration/check-settings.ts';
import type { GlobalOptions } from '../configuration/configuration.ts';
import type { CommandContext } from '../session/context.ts';
import { UsageError } from '../session/errors.ts';

/** The command that sets the program up anew, and proves each step while one watches. */
export const setUp = 'parcel-monitor setup';

/** With the file that was named, where one was. */
const configCommand = (words: string, options: Pick<GlobalOptions, 'config'>): string =>
  `parcel-monitor config ${words}${options.config === undefined ? '' : ` --config ${shellWord(options.config)}`}`;

/** The command that mends a configuration that cannot be used. */
export async function mendConfiguration(
  { environment }: Pick<CommandContext, 'environment'>,
  options: GlobalOptions,
  path: string,
): Promise<string> {
  let source: SettingsSource;
  try {
    source = { options, environment, file: await configFileContent(path) };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    if (error.cause instanceof NotAFileError) return `mv ${shellWord(path)} ${shellWord(`${path}.old`)}`;
    return /cannot be read/.test(error.message) ? `chmod u+rw ${shellWord(path)}` : configCommand('edit', options);
  }
  for (const { name, isUsable } of unusableByMeaning) {
    const { origin, value } = settledSetting([name.split('.')[0] ?? name, ...name.split('.').slice(1)], source);
    if (origin === null || typeof value !== 'string' || isUsable(value.trim())) continue;
    if (origin === 'config.json') return unsetOrSetUp(name, options);
    return origin.startsWith('--') ? 'parcel-monitor doctor' : `unset ${origin}`;
  }
  const [problem] = settingProblems(source.file);
  return problem === undefined ? configCommand('edit', options) : unsetOrSetUp(problem.name, options);
}

/** Without an address or a key nothing works, so those are asked for. */
const unsetOrSetUp = (name: string, options: GlobalOptions): string =>
  /^(?:baseUrl|profile|apiKey)/.test(name) ? setUp : configCommand(`unset ${shellWord(name)}`, options);

/** The command that takes a setting out of the file of which a warning is; null when it is about none. */
export function mendWarning(
  warning: string,
  names: readonly string[],
  options: Pick<GlobalOptions, 'config'>,
): string | null {
  const name = names.find((one) => warning.includes(`"${one}"`));
  return name === undefined ? null : configCommand(`unset ${shellWord(name)}`, options);
}

/** The command that mends what the disk refuses. */
export function mendStore(error: StoreError, platform: string): string {
  const path = shellWord(error.path);
  if (error instanceof NotAFileError) return `mv ${path} ${shellWord(`${error.path}.old`)}`;
  switch (error.kind) {
    case 'newer-version':
      return 'npm install --global parcel-monitor@latest';
    case 'damaged':
      return 'parcel-monitor restore';
    case 'disk-full':
      return `df -h ${shellWord(dirname(error.path))}`;
    case 'locked':
      return 'parcel-monitor doctor';
    default:
      return mendFolder(error.path, platform);
  }
}

/** The command that makes a file or folder the user's again, or shows what is in the way. */
export function mendFolder(path: string, platform: string, code: string | null = null): string {
  if (platform === 'win32') return `icacls "${path}"`;
  if (code === 'ENOSPC' || code === 'EDQUOT') return `df -h ${shellWord(path)}`;
  return leftToAdministrator(path)?.command ?? `chmod u+rwX ${shellWord(path)}`;
}

/** The command that mends what the service answers when it is asked for its couriers. */
export function mendService({ kind }: ServiceError): string {
  switch (kind) {
    case 'operation-missing':
      return 'parcel-monitor config set service.operations.couriers.path PATH';
    case 'quota-exhausted':
    case 'rate-limited':
    case 'service-trouble':
    case 'cancelled':
      return 'parcel-monitor doctor';
    default:
      return setUp;
  }
}
