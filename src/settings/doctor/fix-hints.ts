import { dirname } from 'node:path';
import type { Check } from '../../board/json-schemas.ts';
import type { JsonObject } from '../../lib/json.ts';
import { shellWord } from '../../lib/paths.ts';
import { findRootOwned, NotAFileError, type StoreError, systemCode, TooLargeError } from '../../lib/store-errors.ts';
import { nearestWord } from '../../lib/text.ts';
import type { ServiceError } from '../../service/port.ts';
import { settingProblems, valueChecks } from '../check-settings.ts';
import { configFileContent } from '../config-file.ts';
import type { GlobalOptions } from '../configuration.ts';
import { UsageError } from '../errors.ts';
import { profileNames } from '../service-address.ts';
import type { CommandContext } from '../session/context.ts';
import { resolvedSetting } from '../setting-values.ts';

export function ok(name: string, found: string): Check {
  return { name, status: 'ok', found, advice: null };
}

export function warn(name: string, found: string, advice: string): Check {
  return { name, status: 'warn', found, advice };
}

/**
 * Returns a failed check, for a problem that keeps the program from working. The command fixes the problem or shows its
 * cause.
 */
export function fail(name: string, found: string, advice: string, command: string): Check {
  return { name, status: 'fail', found, advice: withCommand(advice, command) };
}

/** Appends a command to advice, unless it already quotes that command. */
export const withCommand = (advice: string, command: string): string =>
  advice.includes(`"${command}"`) ? advice : `${advice} Run: ${command}`;

export const setupCommand = 'parcel-monitor setup';

const configCommand = (words: string, options: Pick<GlobalOptions, 'config'>, platform: string): string =>
  `parcel-monitor config ${words}${options.config === undefined ? '' : ` --config ${shellWord(options.config, platform)}`}`;

export const fixForVariable = (name: string, platform: string): string =>
  platform === 'win32' ? `Remove-Item Env:${name} (in cmd: set ${name}=)` : `unset ${name}`;

function moveAside(path: string, platform: string): string {
  const [from, to] = [path, `${path}.old`].map((name) => shellWord(name, platform));
  return `${platform === 'win32' ? 'move' : 'mv'} ${from} ${to}`;
}

const diskSpaceCommand = (folder: string, platform: string): string =>
  `${platform === 'win32' ? 'fsutil volume diskfree' : 'df -h'} ${shellWord(folder, platform)}`;

export async function fixForConfiguration(
  { environment, platform }: Pick<CommandContext, 'environment' | 'platform'>,
  options: GlobalOptions,
  path: string,
): Promise<string> {
  let file: JsonObject;
  try {
    file = await configFileContent(path);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    if (error.cause instanceof NotAFileError) return moveAside(path, platform);
    return systemCode(error.cause) !== null
      ? grantAccess(path, platform, 'u+rw')
      : configCommand('edit', options, platform);
  }
  for (const { describeProblem, name, path: names } of valueChecks) {
    const { origin, value } = resolvedSetting(names, { options, environment, file });
    if (origin === null || describeProblem(value) === null) continue;
    if (origin === 'config.json') return fixForSetting(name, options, platform, value);
    return origin.startsWith('--') ? 'parcel-monitor doctor' : fixForVariable(origin, platform);
  }
  const [problem] = settingProblems(file);
  return problem === undefined
    ? configCommand('edit', options, platform)
    : fixForSetting(problem.name, options, platform);
}

/** Settings with many entries. Removing the setting because of one invalid entry would lose the others. */
const compositeSettings: ReadonlySet<string> = new Set(['views', 'keys', 'commands', 'phrases']);

/**
 * Returns the command that fixes a setting in the file. This is never `setup`, which would fail too.
 * @param value a likely replacement
 */
export function fixForSetting(
  name: string,
  options: Pick<GlobalOptions, 'config'>,
  platform: string,
  value?: unknown,
): string {
  if (name === '' || compositeSettings.has(name)) return configCommand('edit', options, platform);
  const nearest = name === 'profile' && typeof value === 'string' ? nearestWord(value, profileNames) : null;
  return configCommand(
    nearest === null ? `unset ${shellWord(name, platform)}` : `set ${name} ${nearest}`,
    options,
    platform,
  );
}

/** Installs the package from a file, because someone else may own its name on a registry. */
export const installNewer = 'npm install --global ./parcel-monitor-VERSION.tgz';

export function fixForStore(error: StoreError, platform: string): string {
  if (error instanceof NotAFileError || error instanceof TooLargeError) return moveAside(error.path, platform);
  switch (error.kind) {
    case 'newer-version':
      return installNewer;
    case 'damaged':
      return 'parcel-monitor restore';
    case 'disk-full':
      return diskSpaceCommand(dirname(error.path), platform);
    case 'locked':
      return 'parcel-monitor doctor';
    default:
      return fixForFolder(error.path, platform);
  }
}

export function fixForFolder(path: string, platform: string, code: string | null = null): string {
  if (code === 'ENOSPC' || code === 'EDQUOT') return diskSpaceCommand(path, platform);
  return findRootOwned(path)?.command ?? grantAccess(path, platform, 'u+rwX');
}

/** Returns the command that gives the user access to a file or folder. On Windows, it only shows the permissions. */
const grantAccess = (path: string, platform: string, mode: string): string =>
  platform === 'win32' ? `icacls ${shellWord(path, platform)}` : `chmod ${mode} ${shellWord(path)}`;

/** Returns the command that fixes a failed request for the courier list. */
export function fixForService({ kind }: ServiceError): string {
  switch (kind) {
    case 'operation-missing':
      return 'parcel-monitor config set service.operations.couriers.path PATH';
    case 'key-refused':
    case 'answer-too-large':
    case 'redirect-refused':
    case 'request-refused':
      return setupCommand;
    default:
      return 'parcel-monitor doctor';
  }
}
