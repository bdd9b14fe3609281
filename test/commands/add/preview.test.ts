import { expect, it } from 'vitest';
import type { NewParcel } from '../../../src/parcels/parcel-factory.ts';
import type { AppliedAdditions } from '../../../src/polling/apply-additions.ts';
import type { ShowBoard } from '../../../src/settings/session/context.ts';
import { sandboxUser } from '../sandbox-user.ts';

const { connected, parcels, user } = sandboxUser();
const input = 'UPS 1Z999AA10123456784\nand RB848719115CN, and RB100000005CN\n';
const draftOf = (trackNo: string): NewParcel => ({
  trackNo,
  courierCode: null,
  label: null,
  postalCode: null,
  phoneSuffix: null,
});

type Request = Parameters<ShowBoard>[0];
type Choose = (request: Request) => Promise<unknown>;

/** A board on which the user makes a choice and then quits. */
const boardWhere =
  (choose: Choose): ShowBoard =>
  async (request) => {
    await choose(request);
    return { reason: 'quit', error: null };
  };
const apply = async (
  { applyAdditions, signal }: Request,
  trackNos: readonly string[],
): Promise<AppliedAdditions | undefined> => await applyAdditions?.(trackNos.map(draftOf), { signal });

it('lets the user choose, adds only the chosen numbers, and prints the results', async () => {
  let found: readonly string[] = [];
  const showBoard = boardWhere(async (request) => {
    found = request.initialScan?.scan.numbers.map(({ trackNo }) => trackNo) ?? [];
    expect(request.initialScan?.source).toBe('standard input');
    const applied = await apply(request, ['1Z999AA10123456784', 'RB848719115CN']);
    expect(applied).toMatchObject({ remaining: [], failure: null });
  });
  const args = ['add', '--scan', '-', '--tag', 'order', '--postal-code', '10115'];
  const { exitCode, stderr, stdout } = await user.run(args, { input, showBoard, environment: connected() });
  expect(found).toEqual(expect.arrayContaining(['1Z999AA10123456784', 'RB848719115CN']));
  expect(stdout).toMatch(/^1Z999AA10123456784@ups {2}registered\nRB848719115CN@china-post {2}registered\n$/);
  expect(stderr).toBe('');
  expect(exitCode).toBe(0);
  expect((await parcels()).map(({ tags }) => tags)).toEqual([['order'], ['order']]);
});

it('keeps the order number from the text, and applies the options to all numbers', async () => {
  const showBoard = boardWhere(async ({ applyAdditions, signal }) => {
    await applyAdditions?.([{ ...draftOf('1Z999AA10123456784'), merchant: { orderNo: 'A-17' } }], { signal });
  });
  const args = ['add', '--scan', '-', '--remark', 'gift'];
  await user.run(args, { input, showBoard, environment: connected() });
  expect(await parcels()).toMatchObject([{ orderNo: 'A-17', remark: 'gift' }]);
});

it('retries what failed and prints the last result', async () => {
  const showBoard = boardWhere(async (request) => {
    const first = await apply(request, ['ABCDEF1']);
    expect(first?.results[0]?.parcel.registration).toBe('rejected');
    await apply(request, ['ABCDEF1', '1Z999AA10123456784']);
  });
  const { exitCode, stderr, stdout } = await user.run(['add', '--scan', '-'], {
    input,
    showBoard,
    environment: connected(),
  });
  expect(stdout).toMatch(/^1Z999AA10123456784@ups {2}(registered|already on the list)\n$/);
  expect(stderr.match(/ABCDEF1 was rejected/g)).toHaveLength(1);
  expect(exitCode).toBe(5);
});

it('saves the chosen numbers without a service', async () => {
  const showBoard = boardWhere((request) => apply(request, ['RB848719115CN']));
  const { exitCode, stderr, stdout } = await user.run(['add', '--scan', '-'], { input, showBoard });
  expect(stdout).toBe('RB848719115CN  pending\n');
  expect(stderr).toMatch(/Saved as pending\. No/);
  expect(exitCode).toBe(0);
});

it('adds nothing if nothing is chosen', async () => {
  const showBoard = boardWhere(async ({ monitor }) => monitor.start());
  const { exitCode, stderr, stdout } = await user.run(['add', '--scan', '-'], {
    input,
    showBoard,
    environment: connected(),
  });
  expect({ exitCode, stderr, stdout }).toEqual({
    exitCode: 1,
    stderr: 'parcel-monitor: Nothing was added.\n',
    stdout: '',
  });
  expect(await parcels()).toEqual([]);
});

it('exits with 130 after Ctrl+C', async () => {
  const showBoard: ShowBoard = async () => ({ reason: 'interrupted', error: null });
  const { exitCode, stderr } = await user.run(['add', '--scan', '-'], { input, showBoard, environment: connected() });
  expect({ exitCode, stderr }).toEqual({ exitCode: 130, stderr: 'parcel-monitor: Nothing was added.\n' });
});

it('stops adding if the screen is closed, and says what was saved and what was not', async () => {
  const all = Array.from({ length: 130 }, (_, index) => `1Z999AA1${String(index).padStart(10, '0')}`);
  const showBoard = boardWhere(async (request) => {
    const { monitor } = request;
    const firstBatch = Promise.withResolvers<void>();
    monitor.subscribe(() => {
      if (monitor.getState().parcels.length > 0) firstBatch.resolve();
    });
    void apply(request, all);
    await firstBatch.promise;
  });
  const { exitCode, stderr, stdout } = await user.run(['add', '--scan', '-'], {
    input,
    showBoard,
    environment: connected(),
  });
  expect(stdout.trim().split('\n')).toHaveLength(100);
  expect(stderr).toContain(`30 numbers not added: ${all.slice(100, 105).join(', ')} and 25 more. `);
  expect(exitCode).toBe(130);
  expect(await parcels()).toHaveLength(100);
});

it('exits with 130 if the user stopped and then closed the screen, even if the number is saved', async () => {
  const applyAndStop = async ({ applyAdditions, monitor }: Request, trackNo: string) => {
    const stop = new AbortController();
    const unsubscribe = monitor.subscribe(() => {
      if (monitor.getState().parcels.some((parcel) => parcel.trackNo === trackNo)) stop.abort();
    });
    await applyAdditions?.([draftOf(trackNo)], { signal: stop.signal });
    unsubscribe();
  };
  const run = (choose: Choose) =>
    user.run(['add', '--scan', '-'], { input, showBoard: boardWhere(choose), environment: connected() });
  const closed = await run((request) => applyAndStop(request, '1Z999AA10123456784'));
  expect(closed.stdout).toBe('1Z999AA10123456784  pending\n');
  expect(closed.stderr).toContain('1 of 1 number is saved but not registered yet');
  expect(closed.exitCode).toBe(130);
  const resumed = await run(async (request) => {
    await applyAndStop(request, 'RB848719115CN');
    await apply(request, ['RB848719115CN']);
  });
  expect(resumed.exitCode).toBe(0);
});

it('reports numbers that were left over from an earlier stop, even if others were added since', async () => {
  const { exitCode, stderr } = await user.run(['add', '--scan', '-'], {
    input,
    environment: connected(),
    showBoard: boardWhere(async (request) => {
      await request.applyAdditions?.([draftOf('1Z999AA10123456784')], { signal: AbortSignal.abort() });
      await apply(request, ['RB848719115CN']);
    }),
  });
  expect(stderr).toContain('Not added: 1Z999AA10123456784.\n');
  expect(exitCode).toBe(130);
});

it('does not open a screen if nothing is found or --yes is given', async () => {
  const showBoard: ShowBoard = () => Promise.reject(new Error('no screen expected'));
  const none = await user.run(['add', '--scan', '-'], { input: 'Hello!', showBoard });
  expect(none).toMatchObject({ exitCode: 0, stderr: 'parcel-monitor: No tracking number found.\n' });
  const confirmed = await user.run(['add', '--scan', '-', '--yes'], { input, showBoard, environment: connected() });
  expect(confirmed.stdout).toContain('1Z999AA10123456784@ups  registered\n');
});
