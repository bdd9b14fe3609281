import { dirname } from 'node:path';
import type { ServiceError } from '../../service/failures/errors.ts';
import { nearestWord } from '../../service/text/nearest-word.ts';
import { NotAFileError, type StoreError, TooLargeError } from '../../watchlist/errors.ts';
import { leftToAdministrator } from '../../watchlist/files/left-to-administrator.ts';
import { shellWord } from '../../watchlist/files/shell-word.ts';
import { configFileContent } from '../config/config-file-content.ts';
import { type SettingsSource, settledSetting } from '../config/settled-settings.ts';
import { settingProblems, usedByMeaning } from '../configuration/check-settings.ts';
import type { GlobalOptions } from '../configuration/configuration.ts';
import { profileNames } from '../configuration/profiles.ts';
import type { CommandContext } from '../session/context.ts';
import { UsageError } from '../session/errors.ts';

/** The command that sets the program up anew, and proves each step while one watches. */
export const setUp = 'parcel-monitor setup';

/** With the file that was named, where one was. */
const configCommand = (words: string, options: Pick<GlobalOptions, 'config'>, platform: string): string =>
  `parcel-monitor config ${words}${options.config === undefined ? '' : ` --config ${shellWord(options.config, platform)}`}`;

/** The command that takes a variable out of the shell that one is in. */
export const mendVariable = (name: string, platform: string): string =>
  platform === 'win32' ? `Remove-Item Env:${name} (in cmd: set ${name}=)` : `unset ${name}`;

/** The command that puts something out of the way. */
function moveAside(path: string, platform: string): string {
  const [from, to] = [path, `${path}.old`].map((one) => shellWord(one, platform));
  return `${platform === 'win32' ? 'move' : 'mv'} ${from} ${to}`;
}

/** The command that shows how much room there is. */
const showRoom = (folder: string, platform: string): string =>
  `${platform === 'win32' ? 'fsutil volume diskfree' : 'df -h'} ${shellWord(folder, platform)}`;

/** The command that mends a configuration that cannot be used. */
export async function mendConfiguration(
  { environment, platform }: Pick<CommandContext, 'environment' | 'platform'>,
  options: GlobalOptions,
  path: string,
): Promise<string> {
  let source: SettingsSource;
  try {
    source = { options, environment, file: await configFileContent(path) };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    if (error.cause instanceof NotAFileError) return moveAside(path, platform);
    return /cannot be read/.test(error.message)
      ? openUp(path, platform, 'u+rw')
      : configCommand('edit', options, platform);
  }
  for (const { name, complaintAbout } of usedByMeaning) {
    const { origin, value } = settledSetting([name.split('.')[0] ?? name, ...name.split('.').slice(1)], source);
    if (origin === null || complaintAbout(value) === null) continue;
    if (origin === 'config.json') return mendSetting(name, options, platform, value);
    return origin.startsWith('--') ? 'parcel-monitor doctor' : mendVariable(origin, platform);
  }
  const [problem] = settingProblems(source.file);
  return problem === undefined
    ? configCommand('edit', options, platform)
    : mendSetting(problem.name, options, platform);
}

/**
 * The command that mends a setting of the file: setting the program up reads it, too, and would stop at the same.
 * @param value what it is, where somebody may have meant another one
 */
export function mendSetting(
  name: string,
  options: Pick<GlobalOptions, 'config'>,
  platform: string,
  value?: unknown,
): string {
  if (name === '') return configCommand('edit', options, platform);
  const meant = name === 'profile' && typeof value === 'string' ? nearestWord(value, profileNames) : null;
  return configCommand(
    meant === null ? `unset ${shellWord(name, platform)}` : `set ${name} ${meant}`,
    options,
    platform,
  );
}

/** The command that installs a newer version, as the README does: from the package itself, not from whoever has its name in a registry. */
export const installNewer = 'npm install --global ./parcel-monitor-VERSION.tgz';

/** The command that mends what the disk refuses. */
export function mendStore(error: StoreError, platform: string): string {
  if (error instanceof NotAFileError || error instanceof TooLargeError) return moveAside(error.path, platform);
  switch (error.kind) {
    case 'newer-version':
      return installNewer;
    case 'damaged':
      return 'parcel-monitor restore';
    case 'disk-full':
      return showRoom(dirname(error.path), platform);
    case 'locked':
      return 'parcel-monitor doctor';
    default:
      return mendFolder(error.path, platform);
  }
}

/** The command that makes a file or folder the user's again, or shows what is in the way. */
export function mendFolder(path: string, platform: string, code: string | null = null): string {
  if (code === 'ENOSPC' || code === 'EDQUOT') return showRoom(path, platform);
  return leftToAdministrator(path)?.command ?? openUp(path, platform, 'u+rwX');
}

/** The command that opens a file or folder to the user; on Windows, one that shows who may do what. */
const openUp = (path: string, platform: string, rights: string): string =>
  platform === 'win32' ? `icacls ${shellWord(path, platform)}` : `chmod ${rights} ${shellWord(path)}`;

/** The command that mends what the service answers when it is asked for its couriers. */
export function mendService({ kind }: ServiceError): string {
  switch (kind) {
    case 'operation-missing':
      return 'parcel-monitor config set service.operations.couriers.path PATH';
    case 'quota-exhausted':
    case 'rate-limited':
    case 'service-trouble':
    case 'cancelled':
    case 'unreachable':
    case 'timeout':
    case 'bad-answer':
      return 'parcel-monitor doctor';
    default:
      return setUp;
  }
}
