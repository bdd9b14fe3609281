import { describe, expect, it } from 'vitest';
import { sandboxUser } from './sandbox-user.ts';

const { connected, parcels, user } = sandboxUser();
const numbers = ['RB100000003CN', 'RB100000048CN', '1Z999AA10123456784'] as const;
const [first, second, third] = numbers;

/** Adds three parcels without a service. Two of them have the tag "gift". */
async function addThree(): Promise<void> {
  await user.run(['add', first, second, '--tag', 'gift']);
  await user.run(['add', third, '--label', 'Red lamp']);
}
const listedNumbers = async (...options: readonly string[]): Promise<readonly string[]> =>
  (await parcels(...options)).map(({ trackNo }) => trackNo).toSorted();

describe('a command for all parcels that match a filter', () => {
  it('changes nothing without --yes or a terminal, and says what it would change', async () => {
    await addThree();
    const { exitCode, stderr } = await user.run(['remove', '--filter', 'tag:gift']);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/Remove 2 parcels \(RB\w+, RB\w+\)\? Add --yes/);
    expect(await listedNumbers()).toHaveLength(3);
  });

  it('refuses marks, which exist only on a board', async () => {
    const { exitCode, stderr } = await user.run(['list', '--filter', 'is:marked']);
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining('only works on the board') });
  });

  it('asks at a terminal, and changes nothing without a yes', async () => {
    await addThree();
    const no = await user.run(['remove', '--filter', 'tag:gift'], { answer: 'n' });
    expect(no).toMatchObject({ exitCode: 0, stdout: '' });
    expect(no.stderr).toContain('Remove 2 parcels');
    expect(await listedNumbers()).toHaveLength(3);
    expect((await user.run(['remove', '--filter', 'tag:gift'], { answer: 'y' })).exitCode).toBe(0);
    expect(await listedNumbers()).toEqual([third]);
  });

  it('removes the parcels with --yes, and "restore" lists them', async () => {
    await addThree();
    const { exitCode, stdout } = await user.run(['remove', '--filter', 'tag:gift', '--yes']);
    expect(exitCode).toBe(0);
    expect(stdout.match(/removed$/gm)).toHaveLength(2);
    expect(await listedNumbers()).toEqual([third]);
    expect((await user.run(['restore', '--json'])).stdout).toContain(first);
  });

  it('edits, archives and restores the parcels', async () => {
    await addThree();
    await user.run(['edit', '--filter', 'tag:gift or label:lamp', '--tag', 'may', '--yes']);
    expect((await parcels()).map(({ tags }) => tags.includes('may'))).toEqual([true, true, true]);
    const archived = await user.run(['edit', '--filter', 'tag:gift', '--archive', '-y']);
    expect(archived.stdout.match(/archived$/gm)).toHaveLength(2);
    expect(await listedNumbers()).toEqual([third]);
    const restored = await user.run(['edit', '--filter', 'tag:may', '--restore', '-y']);
    expect(restored.stdout.match(/restored$/gm)).toHaveLength(2);
    expect(await listedNumbers()).toEqual(numbers.toSorted());
  });

  it('does not change archived parcels, unless remove gets --all', async () => {
    await addThree();
    await user.run(['edit', first, '--archive']);
    await user.run(['remove', '--filter', 'tag:gift', '--yes']);
    expect(await listedNumbers('--all')).toEqual([first, third].toSorted());
    await user.run(['remove', '--filter', 'tag:gift', '--yes', '--all']);
    expect(await listedNumbers('--all')).toEqual([third]);
  });

  it('checks and exports only the matching parcels', async () => {
    const environment = connected();
    await user.run(['add', first, second, '--tag', 'gift'], { environment });
    await user.run(['add', third], { environment });
    const { exitCode, stdout } = await user.run(['refresh', '--filter', 'tag:gift', '--yes'], { environment });
    expect(exitCode).toBe(0);
    expect([stdout.includes(first), stdout.includes(second), stdout.includes(third)]).toEqual([true, true, false]);
    const exported = await user.run(['export', '--format', 'csv', '--filter', '!tag:gift']);
    expect(exported.stdout.split('\r\n').filter((row) => row !== '')).toHaveLength(2);
    expect(exported.stdout).toContain(third);
  });

  it('does nothing and succeeds if no parcel matches', async () => {
    await addThree();
    for (const args of [['remove'], ['edit', '--archive'], ['export', '--format', 'csv']]) {
      const { exitCode, stderr } = await user.run([...args, '--filter', 'is:late']);
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.stringContaining('No parcel matches') });
    }
    expect(await listedNumbers()).toHaveLength(3);
  });

  it.each([
    [['remove'], /Which parcels\? .*--filter/],
    [['edit', '--label', 'x'], /Which parcels\? .*--filter/],
    [['remove', first, '--filter', 'is:late'], /not both/],
    [['remove', '--filter', ' '], /--filter requires words/],
    [['remove', first, '--yes'], /--yes requires --filter/],
    [['remove', '--filter', 'is:blue', '--yes'], /"is:" cannot be "blue"/],
    [['edit', '--filter', 'is:late', '--yes'], /Nothing to change/],
    [['refresh', first, '--filter', 'is:late'], /not both/],
  ])('refuses %j and changes nothing', async (args, message) => {
    await addThree();
    const { exitCode, stderr } = await user.run(args, { environment: connected() });
    expect(stderr).toMatch(message);
    expect(exitCode).toBe(2);
    expect(await listedNumbers()).toHaveLength(3);
  });
});
