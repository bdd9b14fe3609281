import { type Environment, isSet } from '../../process/environment.ts';

/** Terminals that name themselves and draw links (OSC 8). */
const programs: ReadonlySet<string> = new Set(['iTerm.app', 'WezTerm', 'vscode', 'ghostty', 'Tabby', 'rio', 'mintty']);
const terms = /^(?:xterm-kitty|xterm-ghostty|alacritty|foot|contour|wezterm|rio)/;
/** Variables that only such terminals set. */
const marks = ['WT_SESSION', 'KITTY_WINDOW_ID', 'ALACRITTY_WINDOW_ID', 'DOMTERM'] as const;

/** VTE draws links from 0.50 on, whose first release ends at one. */
const firstVte = 5001;
const firstKonsole = 201200;
/** tmux keeps links from 3.4 on; before, it and `screen` drop what they do not know. */
const firstTmux = 3.4;

/**
 * Whether the terminal is known to draw links; one that is not known shows plain text. `FORCE_HYPERLINK` decides where it is
 * set, 0 being no.
 */
export function knowsHyperlinks(environment: Environment): boolean {
  const { FORCE_HYPERLINK: forced = '', KONSOLE_VERSION, TERM = '', TERM_PROGRAM = '', VTE_VERSION } = environment;
  if (forced !== '') return forced !== '0' && forced !== 'false';
  if (TERM === 'dumb') return false;
  // What stands between us and the terminal decides, whatever the terminal is.
  if (TERM_PROGRAM === 'tmux') return Number.parseFloat(environment['TERM_PROGRAM_VERSION'] ?? '') >= firstTmux;
  if (isSet(environment['TMUX']) || isSet(environment['STY']) || /^(?:screen|tmux)/.test(TERM)) return false;
  return (
    programs.has(TERM_PROGRAM) ||
    terms.test(TERM) ||
    marks.some((name) => isSet(environment[name])) ||
    Number(VTE_VERSION) >= firstVte ||
    Number(KONSOLE_VERSION) >= firstKonsole
  );
}
