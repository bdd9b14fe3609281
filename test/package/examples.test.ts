import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { root } from '../../.config/bundle.ts';
import { exitCode } from '../../src/process/exit-code.ts';
import { createCliUser } from '../support/cli-user.ts';

const folder = join(root, 'src', 'examples');
const examples = readdirSync(folder).map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));

/** The status lines that the examples ask for. */
const templates = examples.flatMap(({ name, text }) =>
  Array.from(text.matchAll(/parcel-monitor status --format '([^']*)'/g), ([, template = '']) => ({ name, template })),
);

describe('the examples', () => {
  it.each(templates)('of $name ask for a status line that there is', async ({ template }) => {
    const user = await createCliUser();
    onTestFinished(user.remove);
    await user.run(['add', '1Z999AA10123456784']);
    const { stdout, ...end } = await user.run(['status', '--format', template]);
    expect(end).toEqual({ exitCode: exitCode.done, stderr: '' });
    expect(stdout).toMatch(/^[^{}]*\d[^{}]*\n$/);
  });

  it('are all named in the manual', () => {
    const manual = readFileSync(join(root, 'src', 'manual.md'), 'utf8');
    for (const { name } of examples) expect(manual).toContain(`\`${name}\``);
    expect(templates.length).toBeGreaterThan(1);
  });

  it('take the end by a signal for a good one, and no wrong configuration for one that mends itself', () => {
    const unit = examples.find(({ name }) => name.endsWith('.service'))?.text ?? '';
    // 128 and the numbers of SIGTERM and SIGHUP, as the program ends.
    expect(unit).toMatch(/^SuccessExitStatus=143 129$/m);
    expect(unit).toContain(`RestartPreventExitStatus=${exitCode.usage} ${exitCode.refused}`);
  });
});
