import type { Check } from '../../board/json-schemas.ts';
import { type Environment, isDumbTerminal, nodeVersionProblem, nonEmpty } from '../../system/environment.ts';
import { maxNamed, settingProblems } from '../check-settings.ts';
import { configFileContent, ignoredFolders, type ProgramPaths } from '../config-file.ts';
import type { Configuration, GlobalOptions } from '../configuration.ts';
import { UsageError } from '../errors.ts';
import { describeProxy } from '../service-address.ts';
import type { CommandContext } from '../session/context.ts';
import { readConfiguration } from '../session/open-session.ts';
import { colourCause, styleOf } from '../session/output.ts';
import { originText, resolvedSettings, type SettingsSource, valueText } from '../setting-values.ts';
import { fail, fixForConfiguration, fixForSetting, fixForVariable, ok, warn, withCommand } from './fix-hints.ts';

export async function checkConfiguration(
  context: CommandContext,
  options: GlobalOptions,
  paths: ProgramPaths,
): Promise<{ readonly checks: readonly Check[]; readonly configuration: Configuration | null }> {
  try {
    const reading = await readConfiguration({ context, options, paths });
    const { configuration, trustIssues, foreignWriter, found, warnings } = reading;
    const content = await configFileContent(paths.config);
    return {
      configuration,
      checks: [
        ok('configuration', found ? paths.config : `no file at ${paths.config}, which is fine`),
        ...ignoredFolders(context).map((sentence) =>
          warn('configuration', sentence, 'Run "parcel-monitor paths" to see where files are.'),
        ),
        ...trustIssues.map((issue) => warn('configuration', issue.found, issue.advice)),
        ...warnings.map(({ name, sentence }) => {
          const command = fixForSetting(name, options, context.platform);
          return warn('configuration', sentence, withCommand('Correct or remove it.', command));
        }),
        ...configuration.warnings.map(({ variable, sentence }) =>
          warn(
            'configuration',
            sentence,
            withCommand('Correct or unset it.', fixForVariable(variable, context.platform)),
          ),
        ),
        ...((await context.keyProblems?.(configuration.customActions)) ?? []).map(({ advice, found: problem }) =>
          warn('configuration', problem, advice),
        ),
        ...(configuration.customActions.commands.length === 0 || foreignWriter === null
          ? []
          : [warn('configuration', 'The board does not run the "commands".', foreignWriter.advice)]),
        ...settingChecks({ options, environment: context.environment, file: content }, configuration),
        ...webhookWarnings(configuration),
        ...certificateWarnings(context.environment),
      ],
    };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const advice = 'Correct it; nothing that needs the service works until then.';
    const command = await fixForConfiguration(context, options, paths.config);
    const reported = fail('configuration', error.message, advice, command);
    return { configuration: null, checks: [reported, ...(await otherProblems(command, context, options, paths))] };
  }
}

/** Returns the effective values and where they are set, as in `config list`. */
function settingChecks(source: SettingsSource, { proxy, zone }: Configuration): readonly Check[] {
  const settings = resolvedSettings(source).filter(
    ({ description, origin, problem }) => problem === null && (origin ?? description?.defaultText) !== undefined,
  );
  const proxyText = describeProxy(proxy);
  return [
    ...settings.map((setting) => {
      const name = setting.path.join('.');
      return ok('setting', `${name}: ${name === 'zone' ? zone() : valueText(setting)} (${originText(setting)})`);
    }),
    ok('setting', `proxy: ${proxyText.value} (${proxyText.source})`),
  ];
}

/** Checks for the invalid settings that the reported error does not mention. */
async function otherProblems(
  reportedCommand: string,
  { platform }: CommandContext,
  options: GlobalOptions,
  { config }: ProgramPaths,
): Promise<readonly Check[]> {
  // If the file is unreadable, nothing else can be checked.
  const settings = await configFileContent(config).catch(() => ({}));
  return settingProblems(settings)
    .slice(0, maxNamed)
    .flatMap(({ name, sentence }) => {
      const command = fixForSetting(name, options, platform, Reflect.get(settings, name));
      return command === reportedCommand ? [] : [fail('configuration', sentence, 'Also correct this.', command)];
    });
}

const webhookWarnings = ({ webhookPath, webhookSignature }: Configuration): readonly Check[] =>
  webhookSignature === 'none' && webhookPath === null
    ? [
        warn(
          'webhook',
          'webhook.signature is "none" and webhook.path is not set, so no callback is accepted',
          'Set webhook.path to a secret of at least 16 characters.',
        ),
      ]
    : [];

function certificateWarnings(environment: Environment): readonly Check[] {
  return environment['NODE_TLS_REJECT_UNAUTHORIZED'] === '0'
    ? [
        warn(
          'certificates',
          'NODE_TLS_REJECT_UNAUTHORIZED=0 has no effect here: certificates are always verified',
          'Unset it, because other programs obey it; use NODE_EXTRA_CA_CERTS for your own certificates.',
        ),
      ]
    : [];
}

const minColumns = 40;
const minRows = 10;

export type TerminalFacts = Pick<
  CommandContext,
  'environment' | 'nodeVersion' | 'platform' | 'stdinIsTerminal' | 'stdout' | 'version'
>;

export function checkTerminal(
  context: TerminalFacts,
  options: Pick<GlobalOptions, 'ascii' | 'color'>,
): readonly Check[] {
  const { cause, useColour } = colourCause(context, options.color);
  return [
    nodeCheck(context.nodeVersion),
    ok('program', `parcel-monitor ${context.version} on ${context.platform}`),
    sizeCheck(context),
    termCheck(context),
    ok('colours', useColour ? `the terminal's sixteen (${cause})` : `none (${cause})`),
    symbolsCheck(context, options),
  ];
}

function nodeCheck(version: string): Check {
  return nodeVersionProblem(version) === null
    ? ok('Node', version)
    : fail('Node', `${version} is too old`, 'Install a newer one.', 'nvm install --lts');
}

function sizeCheck({ stdout, stdinIsTerminal }: TerminalFacts): Check {
  const { columns, rows } = stdout;
  if (!stdout.isTerminal || columns === null || rows === null) {
    return ok('terminal', 'standard output is not a terminal; the board needs one, commands do not');
  }
  if (!stdinIsTerminal) return ok('terminal', 'standard input is not a terminal; the board needs one, commands do not');
  const found = `${columns} columns, ${rows} rows`;
  return columns >= minColumns && rows >= minRows
    ? ok('terminal', found)
    : warn('terminal', found, `The board needs at least ${minColumns} columns and ${minRows} rows.`);
}

function termCheck({ environment, platform, stdout }: TerminalFacts): Check {
  const term = nonEmpty(environment['TERM']);
  const isInTmux = nonEmpty(environment['TMUX']) !== undefined;
  const found = `TERM ${term ?? 'is not set'}${isInTmux ? ', inside tmux' : ''}`;
  if (!stdout.isTerminal) return ok('TERM', found);
  if (isDumbTerminal(environment)) {
    return warn(
      'TERM',
      found,
      'This terminal type supports neither colours nor cursor movement, so the board cannot run. Try TERM=xterm-256color.',
    );
  }
  // Windows consoles do not set it.
  if (term === undefined && platform === 'win32') return ok('TERM', found);
  if (term === undefined)
    return warn('TERM', found, 'Terminals usually set it. If the board looks wrong, set it to xterm-256color.');
  if (isInTmux && !/^(?:tmux|screen)/.test(term)) {
    return warn('TERM', found, 'Inside tmux it should be tmux-256color: set -g default-terminal tmux-256color');
  }
  return ok('TERM', found);
}

function symbolsCheck(context: TerminalFacts, options: Pick<GlobalOptions, 'ascii' | 'color'>): Check {
  const { environment } = context;
  const variable = ['LC_ALL', 'LC_CTYPE', 'LANG'].find((name) => nonEmpty(environment[name]) !== undefined);
  const locale = variable === undefined ? 'no locale is set' : `${variable} is ${environment[variable] ?? ''}`;
  if (options.ascii) return ok('signs', 'ASCII (--ascii)');
  if (styleOf(context, options).glyphs === 'ascii') {
    return warn('signs', `ASCII, because ${locale}`, 'For all symbols, set a UTF-8 locale, such as LANG=C.UTF-8.');
  }
  return environment['TERM'] === 'linux'
    ? warn('signs', `Unicode (${locale}), which the Linux console draws only in part`, 'Use --ascii there.')
    : ok('signs', `Unicode (${locale})`);
}
