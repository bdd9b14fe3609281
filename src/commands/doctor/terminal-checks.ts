import { nonEmpty, onlyPrints } from '../../process/environment.ts';
import { complaintAboutNode } from '../../process/node-version.ts';
import type { GlobalOptions } from '../configuration/configuration.ts';
import type { Check } from '../output/json-schemas.ts';
import type { CommandContext } from '../session/context.ts';
import { styleOf } from '../session/session.ts';
import { fail, ok, warn } from './check.ts';

/** What the board needs at least, as its own sentence says. */
const leastColumns = 40;
const leastRows = 10;

/** What is looked at. */
export type TerminalFacts = Pick<
  CommandContext,
  'environment' | 'nodeVersion' | 'platform' | 'stdinIsTerminal' | 'stdout' | 'version'
>;

/** Looks at what the program runs on and draws on. */
export function checkTerminal(
  context: TerminalFacts,
  options: Pick<GlobalOptions, 'ascii' | 'color'>,
): readonly Check[] {
  return [
    nodeCheck(context.nodeVersion),
    ok('program', `parcel-monitor ${context.version} on ${context.platform}`),
    sizeCheck(context),
    termCheck(context),
    coloursCheck(context, options),
    signsCheck(context, options),
  ];
}

function nodeCheck(version: string): Check {
  return complaintAboutNode(version) === null
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
  return columns >= leastColumns && rows >= leastRows
    ? ok('terminal', found)
    : warn('terminal', found, `The board needs at least ${leastColumns} columns and ${leastRows} rows.`);
}

function termCheck({ environment, platform, stdout }: TerminalFacts): Check {
  const term = nonEmpty(environment['TERM']);
  const isInTmux = nonEmpty(environment['TMUX']) !== undefined;
  const found = `TERM ${term ?? 'is not set'}${isInTmux ? ', inside tmux' : ''}`;
  if (!stdout.isTerminal) return ok('TERM', found);
  if (onlyPrints(environment)) {
    return warn(
      'TERM',
      found,
      'It says that the terminal only prints, so there are no colours and no board; others are xterm-256color and the like.',
    );
  }
  // Consoles of Windows set none.
  if (term === undefined && platform === 'win32') return ok('TERM', found);
  if (term === undefined)
    return warn('TERM', found, 'A terminal sets it, such as xterm-256color; set it so if the board looks wrong.');
  if (isInTmux && !/^(?:tmux|screen)/.test(term)) {
    return warn('TERM', found, 'Inside tmux it should be tmux-256color: set -g default-terminal tmux-256color');
  }
  return ok('TERM', found);
}

function coloursCheck(context: TerminalFacts, options: Pick<GlobalOptions, 'ascii' | 'color'>): Check {
  if (styleOf(context, options).colour) return ok('colours', "the terminal's own sixteen");
  const reason = [
    options.color ? null : '--no-color',
    nonEmpty(context.environment['NO_COLOR']) === undefined ? null : 'NO_COLOR is set',
    context.stdout.isTerminal ? null : 'standard output is no terminal',
  ].find((text) => text !== null);
  return ok('colours', `none (${reason ?? 'TERM'})`);
}

function signsCheck(context: TerminalFacts, options: Pick<GlobalOptions, 'ascii' | 'color'>): Check {
  const { environment } = context;
  const variable = ['LC_ALL', 'LC_CTYPE', 'LANG'].find((name) => nonEmpty(environment[name]) !== undefined);
  const locale = variable === undefined ? 'no locale is set' : `${variable} is ${environment[variable] ?? ''}`;
  if (options.ascii) return ok('signs', 'ASCII (--ascii)');
  if (styleOf(context, options).glyphs === 'ascii') {
    return warn('signs', `ASCII, because ${locale}`, 'For all signs set a UTF-8 locale, such as LANG=C.UTF-8.');
  }
  return environment['TERM'] === 'linux'
    ? warn('signs', `Unicode (${locale}), which the Linux console draws in part`, 'Use --ascii there.')
    : ok('signs', `Unicode (${locale})`);
}
