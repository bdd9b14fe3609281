import type { ServiceChoice, SetPlace, SetupNow } from '../../board/setup/setup-effects.ts';
import { nonEmpty } from '../../process/environment.ts';
import { defaultKeyHeader } from '../../service/operations.ts';
import { printableText } from '../../service/text/clean-text.ts';
import { readConfigFile } from '../configuration/config-file.ts';
import type { ConfigFile } from '../configuration/config-schema.ts';
import {
  type Configuration,
  type GlobalOptions,
  resolveConfiguration,
  settledBy,
  usableBaseUrl,
  usableHeader,
} from '../configuration/configuration.ts';
import type { Doubt } from '../configuration/file-trust.ts';
import type { ProgramPaths } from '../configuration/paths.ts';
import { profileNamed } from '../configuration/profiles.ts';
import { commandLineOf } from '../configuration/split-command.ts';
import type { CommandContext } from '../session/context.ts';
import { UsageError } from '../session/errors.ts';
import { createSession } from '../session/open-session.ts';
import { type Session, styleOf } from '../session/session.ts';

/** What the conversation changes and looks at. */
export interface SetupPlaces {
  readonly context: CommandContext;
  readonly options: GlobalOptions;
  readonly paths: ProgramPaths;
  /** Told which key a command has printed: who runs the program need not be asked for it again. */
  readonly keyFound?: (command: readonly string[], key: string) => void;
}

/** The configuration as it is, and the file of it. */
export interface Configured {
  readonly configuration: Configuration;
  readonly file: ConfigFile;
  readonly foreignWriter: Doubt | null;
  readonly doubts: readonly Doubt[];
}

/** Reads the configuration. A file named with `--config` need not be there: setting up makes it. Rejects with a `UsageError`. */
export async function readConfigured({ context, options, paths }: SetupPlaces): Promise<Configured> {
  const { settings: file, foreignWriter, doubts } = await readConfigFile(paths.config, false, context.userId);
  const configuration = resolveConfiguration({ ...settledBy(context, paths), options, file, foreignWriter });
  return { configuration, file, foreignWriter, doubts };
}

/**
 * Throws a `UsageError` where somebody else can write the file: the service in it may be theirs, and what is written to it would
 * not be used.
 */
export function assertOwn({ foreignWriter }: Pick<Configured, 'foreignWriter'>): void {
  if (foreignWriter !== null) throw new UsageError(`${foreignWriter.found} ${foreignWriter.advice}`);
}

/** Base URL and header of the key of a service that was chosen. Throws a `UsageError` where the choice cannot be used. */
export function chosenService(service: ServiceChoice): Pick<Configuration, 'header'> & { readonly baseUrl: URL } {
  const { baseUrl, header } = service.kind === 'profile' ? profileNamed(service.profile) : service;
  return { baseUrl: usableBaseUrl(baseUrl), header: usableHeader(nonEmpty(header ?? undefined) ?? defaultKeyHeader) };
}

/** What is set now, and where. */
export function setupNow(
  { context, paths }: SetupPlaces,
  { configuration }: Pick<Configured, 'configuration'>,
): SetupNow {
  const { notify, setBy } = configuration;
  return {
    service: serviceNow(configuration),
    key: setBy.key === null ? null : placeOf(setBy.key),
    zone: configuration.zone(),
    zoneSet: setBy.zone === null ? null : placeOf(setBy.zone),
    machineZone: context.systemZone(),
    channels: notify.channels,
    notifyCommand: notify.command.kind === 'command' ? printableText(commandLineOf(notify.command.command)) : null,
    configFile: printableText(paths.config),
  };
}

/** Whether a place holds whatever the file says: options and variables do. */
function placeOf(setBy: string): SetPlace {
  return { place: printableText(setBy), outranksFile: !setBy.startsWith('config.json') };
}

function serviceNow({ baseUrl, header, profile, setBy }: Configuration): SetupNow['service'] {
  if (baseUrl === null || setBy.baseUrl === null) return null;
  const place = placeOf(setBy.baseUrl);
  return profile === null
    ? { ...place, kind: 'base-url', baseUrl: baseUrl.href, header: header === defaultKeyHeader ? null : header }
    : { ...place, kind: 'profile', profile };
}

/** Has something done in a session under a configuration that may be none of the program's, and closes it. Rejects as the work. */
export async function withSessionOf<Answer>(
  { context, options, paths }: SetupPlaces,
  configuration: Configuration,
  work: (session: Session) => Promise<Answer>,
): Promise<Answer> {
  await using session = createSession({ context, configuration, paths, style: styleOf(context, options) }, 'user');
  return await work(session);
}
