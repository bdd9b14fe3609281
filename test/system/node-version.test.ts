import { describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { nodeVersionProblem, oldestNode } from '../../src/system/environment.ts';

describe('nodeVersionProblem', () => {
  it.each(['22.19.0', '22.20.1', '23.0.0', '24.21.0', '100.0.0'])('accepts %s', (version) => {
    expect(nodeVersionProblem(version)).toBeNull();
  });

  it.each(['22.18.9', '20.20.2', '18.0.0', '12.22.12', '9.9.9'])('refuses %s with advice', (version) => {
    const problem = nodeVersionProblem(version);
    expect(problem).toContain(`Node ${oldestNode}`);
    expect(problem).toContain(`Node ${version}`);
    expect(problem).toContain('npm ci && npm start');
    expect(problem).not.toContain('\n');
  });

  it('matches engines in package.json', () => expect(packageJson.engines.node).toBe(`>=${oldestNode}`));
});
