import type { Environment } from '../../process/environment.ts';
import { configFileContent } from '../config/config-file-content.ts';
import { originText, valueText } from '../config/setting-text.ts';
import { type SettingsSource, settledSettings } from '../config/settled-settings.ts';
import { settingProblems } from '../configuration/check-settings.ts';
import { readConfigFile } from '../configuration/config-file.ts';
import { mostNamed } from '../configuration/config-schema.ts';
import {
  type Configuration,
  type GlobalOptions,
  resolveConfiguration,
  settledBy,
} from '../configuration/configuration.ts';
import { ignoredFolders, type ProgramPaths } from '../configuration/paths.ts';
import { describeProxy } from '../configuration/proxy.ts';
import type { Check } from '../output/json-schemas.ts';
import type { CommandContext } from '../session/context.ts';
import { UsageError } from '../session/errors.ts';
import { fail, ok, warn, withCommand } from './check.ts';
import { mendConfiguration, mendSetting, mendVariable } from './mending.ts';

/** What came of looking at the configuration. */
interface ConfigurationFinding {
  readonly checks: readonly Check[];
  /** Null when it cannot be used. */
  readonly configuration: Configuration | null;
}

/** Looks at the configuration: which file, which source each setting has, what in it is not known. */
export async function checkConfiguration(
  context: CommandContext,
  options: GlobalOptions,
  paths: ProgramPaths,
): Promise<ConfigurationFinding> {
  try {
    const reading = await readConfigFile(paths.config, options.config !== undefined, context.userId);
    const { settings: file, warnings, found, foreignWriter, doubts } = reading;
    const configuration = resolveConfiguration({ ...settledBy(context, paths), options, file, foreignWriter });
    const content = await configFileContent(paths.config);
    return {
      configuration,
      checks: [
        ok('configuration', found ? paths.config : `no file at ${paths.config}, which is fine`),
        ...ignoredFolders(context).map((sentence) =>
          warn('configuration', sentence, 'Run "parcel-monitor paths" to see where files are.'),
        ),
        ...doubts.map((doubt) => warn('configuration', doubt.found, doubt.advice)),
        ...warnings.map(({ name, sentence }) => {
          const command = mendSetting(name, options, context.platform);
          return warn('configuration', sentence, withCommand('Correct or remove it.', command));
        }),
        ...configuration.warnings.map(({ variable, sentence }) =>
          warn(
            'configuration',
            sentence,
            withCommand('Correct or unset it.', mendVariable(variable, context.platform)),
          ),
        ),
        ...settingChecks({ options, environment: context.environment, file: content }, configuration),
        ...webhookWarnings(configuration),
        ...certificateWarnings(context.environment),
      ],
    };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const advice = 'Correct it; nothing that needs the service works until then.';
    const command = await mendConfiguration(context, options, paths.config);
    const first = fail('configuration', error.message, advice, command);
    return { configuration: null, checks: [first, ...(await otherProblems(command, context, options, paths))] };
  }
}

/** What holds and where it stands, as `config list` says it; of the zone, which one that is. What is wrong has been named. */
function settingChecks(source: SettingsSource, { proxy, zone }: Configuration): readonly Check[] {
  const settings = settledSettings(source).filter(
    ({ description, origin, problem }) => problem === null && (origin ?? description?.otherwise) !== undefined,
  );
  const reached = describeProxy(proxy);
  return [
    ...settings.map((one) => {
      const name = one.path.join('.');
      return ok('setting', `${name}: ${name === 'zone' ? zone() : valueText(one)} (${originText(one)})`);
    }),
    ok('setting', `proxy: ${reached.value} (${reached.source})`),
  ];
}

/** A check for each setting of the file that is wrong, too, beside the one that a command mends. */
async function otherProblems(
  named: string,
  { platform }: CommandContext,
  options: GlobalOptions,
  { config }: ProgramPaths,
): Promise<readonly Check[]> {
  // Of a file that cannot be read, that alone is said.
  const settings = await configFileContent(config).catch(() => ({}));
  return settingProblems(settings)
    .slice(0, mostNamed)
    .flatMap(({ name, sentence }) => {
      const command = mendSetting(name, options, platform, Reflect.get(settings, name));
      return command === named ? [] : [fail('configuration', sentence, 'Correct it, too.', command)];
    });
}

/** What keeps pushes from being received. */
const webhookWarnings = ({ webhookPath, webhookSignature }: Configuration): readonly Check[] =>
  webhookSignature === 'none' && webhookPath === null
    ? [
        warn(
          'webhook',
          'webhook.signature is "none" and webhook.path is not set, so nothing that is pushed can be received',
          'Set webhook.path to a secret of at least 16 characters.',
        ),
      ]
    : [];

/** What a person should know who has set Node not to verify certificates. */
function certificateWarnings(environment: Environment): readonly Check[] {
  return environment['NODE_TLS_REJECT_UNAUTHORIZED'] === '0'
    ? [
        warn(
          'certificates',
          'NODE_TLS_REJECT_UNAUTHORIZED=0 has no effect here: certificates are always verified',
          'Unset it, since other programs obey it; NODE_EXTRA_CA_CERTS names certificates of your own.',
        ),
      ]
    : [];
}
