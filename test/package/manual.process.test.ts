import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../.config/bundle.ts';
import { commandsOf, optionsOf, programToDescribe } from '../../.config/manual/command-section.ts';
import { roffOfMarkdown } from '../../.config/manual/from-markdown.ts';
import { manualPage } from '../../.config/manual/manual.ts';
import { example, filled, prose } from '../../.config/manual/roff.ts';
import { keymap } from '../../src/tui/app/keymap.ts';
import { forAllIn } from '../support/for-all.ts';

const program = programToDescribe();
let page: string;
beforeAll(() => {
  const document = readFileSync(join(root, 'src', 'manual.md'), 'utf8');
  page = manualPage({ document, program, version: '1.2.3', date: '2026-11-20' });
});

/** Returns what a manual viewer prints, or null if it is not installed. */
function render(program: 'groff' | 'mandoc', args: readonly string[], roff: string): string | null {
  try {
    return execFileSync(program, args, { input: roff, encoding: 'utf8', stdio: ['pipe', 'pipe', 'ignore'] });
  } catch (error) {
    const { code, stdout } = error as NodeJS.ErrnoException & { readonly stdout?: string };
    if (code === 'ENOENT') return null;
    return stdout ?? String(error);
  }
}

describe('the manual page', () => {
  it('describes every command with every option', () => {
    for (const command of [program, ...commandsOf(program)]) {
      expect(page).toContain(prose(command.name()));
      for (const { long } of optionsOf(command)) expect(page).toContain(`\\fB${long.replaceAll('-', '\\-')}\\fR`);
    }
    expect(commandsOf(program).length).toBeGreaterThan(15);
  });

  it('is listed in an array, the only form that npm links in a global installation', () => {
    const { man } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly man: unknown };
    expect(man).toEqual(['dist/parcel-monitor.1']);
  });

  it('describes every key', () => {
    const keys = keymap.flatMap(({ bindings }) => bindings);
    const text = page.replaceAll(/\s+/g, ' ');
    for (const { description } of keys) expect(text).toContain(prose(description).replaceAll(/\s+/g, ' '));
  });

  it.each(['groff', 'mandoc'] as const)('is valid for %s', (program) => {
    const warnings = render(
      program,
      program === 'mandoc' ? ['-T', 'lint', '-W', 'warning'] : ['-man', '-z', '-ww'],
      page,
    );
    expect(warnings ?? '').toBe('');
  });

  it('has no line that looks like a request by accident', () => {
    const known = /^\.(?:TH|SH|SS|PP|TP|IP|RS|RE|EX|EE|br|nr|nh|ad)\b/;
    expect(page.split('\n').filter((line) => /^[.']/.test(line) && !known.test(line))).toEqual([]);
  });
});

describe('the roff output', () => {
  it('shows any text exactly as written', ({ skip }) => {
    if (render('mandoc', ['-T', 'utf8'], '') === null) return skip('mandoc is not installed');
    const texts = fc.array(
      fc.string({ unit: fc.constantFrom(...'ab.\'"\\-~^`{}|@#%&+=é雪') }).filter((text) => text !== ''),
      {
        minLength: 20,
        maxLength: 20,
      },
    );
    forAllIn(5, texts, (written) => {
      const roff = ['.TH A 1 2026-11-20', '.SH NAME', ...written.flatMap((text) => [...example(text)])].join('\n');
      const lines = (render('mandoc', ['-T', 'utf8', '-O', 'width=200'], roff) ?? '').split('\n');
      expect(
        lines
          .slice(3, -2)
          .map((line) => line.trim())
          .filter(Boolean),
      ).toEqual(written);
    });
  });

  it('has short lines, and none that starts like a request', () => {
    const lines = filled(`${'word '.repeat(15)}end .SH 'x ${'word '.repeat(20)}`);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(84);
    expect(filled('.SH x')).toEqual(['\\&.SH x']);
    expect(filled('  ')).toEqual([]);
  });

  it('supports only the Markdown that the manual needs', () => {
    const roff = roffOfMarkdown(
      '## Some - files\n\nA `-b` [c](https://d.e).\n\n- one\n\n| a | b |\n| --- | --- |\n| `x` | y |\n',
      {},
    );
    expect(roff).toEqual([
      '.SH "SOME \\- FILES"',
      '.PP',
      'A \\fB\\-b\\fR c (https://d.e).',
      '.IP \\(bu 3',
      'one',
      '.TP',
      '\\fBx\\fR',
      'y',
    ]);
    expect(() => roffOfMarkdown('> quoted', {})).toThrow('cannot render blockquote');
    expect(() => roffOfMarkdown('<!-- nonsense -->', {})).toThrow('Nothing is generated');
  });
});
