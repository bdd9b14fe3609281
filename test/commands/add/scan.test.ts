import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sandboxUser } from '../sandbox-user.ts';

const { connected, parcels, user } = sandboxUser();
const mail = `Hello,

your order is on its way: UPS 1Z999AA10123456784.
The second parcel, RB848719115CN, follows tomorrow.
Customer number: 8829164402
`;

it('prints what it finds and where, and the cost, and changes nothing', async () => {
  await user.run(['add', 'RB848719115CN']);
  const { exitCode, stderr, stdout } = await user.run(['add', '--scan', '-', '--dry-run'], { input: mail });
  const lines = stdout.split('\n');
  expect(lines[0]).toMatch(/^STATE +NUMBER +COURIER +.*FOUND IN$/);
  expect(lines[1]).toMatch(/^new +1Z999AA10123456784 +UPS\? +.*line 3$/);
  expect(lines[2]).toMatch(/^watched +RB848719115CN .*line 4$/);
  expect(stderr).toMatch(/1 number would be added \(1 registration and 2 calls\), \d not; nothing was changed\.\n$/);
  expect(exitCode).toBe(0);
  expect(await parcels()).toHaveLength(1);
});

it('adds new and certain numbers with --yes, printing one line each, and says what it left out', async () => {
  await user.run(['add', 'RB848719115CN', '--label', 'Lamp']);
  const input = `${mail}\nRB100000006CN has a wrong check digit.\n`;
  const { exitCode, stderr, stdout } = await user.run(['add', '--scan', '-', '--yes', '--tag', 'order'], {
    input,
    environment: connected(),
  });
  expect(stdout).toMatch(/^1Z999AA10123456784 {2}registered\nRB848719115CN\S* {2}already on the list as "Lamp"\n$/);
  expect(stderr).not.toContain('1Z999');
  expect(stderr).toMatch(/Left out: RB100000006CN/);
  expect(exitCode).toBe(5);
  expect(await parcels()).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ trackNo: '1Z999AA10123456784', state: 'watching', tags: ['order'] }),
      expect.objectContaining({ trackNo: 'RB848719115CN', label: 'Lamp' }),
    ]),
  );
});

it('reads a file and saves what was left out to a different file', async () => {
  const [file, leftFile] = [join(user.home, 'mail.txt'), join(user.home, 'left.csv')];
  await writeFile(file, 'Parcel 1Z999AA10123456784\n\nTracking number: RB848719116CN\n');
  const { exitCode, stderr } = await user.run(['add', '--scan', file, '--yes', '--left', leftFile]);
  expect(stderr).toMatch(/Left out: RB848719116CN \(line 3\)\. RB848719116CN has a wrong check digit/);
  expect(await readFile(leftFile, 'utf8')).toMatch(
    /^trackNo\n# line 3: RB848719116CN has a wrong check digit.*\nRB848719116CN\n$/,
  );
  expect(exitCode).toBe(5);
  expect((await parcels()).map(({ trackNo }) => trackNo)).toEqual(['1Z999AA10123456784']);
});

it('prints the results as JSON', async () => {
  const { stdout } = await user.run(['add', '--scan', '-', '--yes', '--json'], {
    input: mail,
    environment: connected(),
  });
  const report = JSON.parse(stdout) as { readonly numbers: readonly object[] };
  expect(report).toMatchObject({ version: 1, format: 'text', cost: { registrations: 2, calls: 2 }, leftOut: 0 });
  expect(report.numbers.slice(0, 2)).toMatchObject([
    { trackNo: '1Z999AA10123456784', standing: 'new', added: true, result: 'watching', places: [{ line: 3 }] },
    { trackNo: 'RB848719115CN', standing: 'new', added: true, result: 'watching', places: [{ line: 4 }] },
  ]);
});

it('uses --courier for all numbers, and refuses an unknown code', async () => {
  const environment = connected();
  const { stdout } = await user.run(['add', '--scan', '-', '--yes', '--courier', 'ups'], { input: mail, environment });
  expect(stdout).toContain('1Z999AA10123456784@ups  registered\n');
  const unknown = await user.run(['add', '--scan', '-', '--yes', '--courier', 'nosuch'], { input: mail, environment });
  expect(unknown.stdout).toBe('');
  expect(unknown.stderr).toMatch(/line 3: No courier has the code "nosuch"/);
  expect(unknown.exitCode).toBe(5);
});

it('adds nothing if the text contains more numbers than the limit', async () => {
  const numbers = Array.from({ length: 101 }, (_, index) => `Tracking number: ${20_000_000_000 + index * 7}`);
  const [input, environment, leftFile] = [numbers.join('\n'), connected(), join(user.home, 'left.csv')];
  const tooMany = await user.run(['add', '--scan', '-', '--yes', '--json', '--left', leftFile], { input, environment });
  expect(tooMany.stderr).toContain('Nothing was added: 101 numbers would be registered, and the limit is 100.');
  expect(JSON.parse(tooMany.stdout)).toMatchObject({
    numbers: [{ added: false, result: null }, ...Array(100).fill({})],
  });
  expect((await readFile(leftFile, 'utf8')).match(/^2\d{10}$/gm)).toHaveLength(101);
  expect(tooMany.exitCode).toBe(5);
  expect(await parcels()).toEqual([]);
  const withHigherLimit = await user.run(['add', '--scan', '-', '--yes', '--at-most', '101'], { input, environment });
  expect(withHigherLimit.stderr).not.toContain('Nothing was added');
  expect(await parcels()).toHaveLength(101);
});

it('never adds a number that an email hides from its reader', async () => {
  const input =
    'From: a@example.com\nTo: b@example.com\nSubject: Hi\nContent-Type: text/html\n\n<p>Parcel 1Z999AA10123456784</p><div style="color:red; display: none"><p>RB848719115CN</p></div><p>Bye</p>';
  const { exitCode, stderr, stdout } = await user.run(['add', '--scan', '-', '--yes'], {
    input,
    environment: connected(),
  });
  expect(stdout).toMatch(/^1Z999AA10123456784\S* {2}registered\n$/);
  expect(stderr).toContain('Left out: RB848719115CN (HTML, line 1). It is in a hidden part of the text');
  expect(exitCode).toBe(0);
});

it('lists a value in a column of tracking numbers even if its format is unknown, and exits with 5', async () => {
  const input =
    'Name,Fulfillment: Tracking Number,Note\n#1001,1Z999AA10123456784,"two\nlines"\n#1002,ABC-123-456,\n#1003,RB848719115CN,\n';
  const { exitCode, stdout } = await user.run(['add', '--scan', '-', '--dry-run', '--json'], { input });
  expect(JSON.parse(stdout)).toMatchObject({
    numbers: [
      { trackNo: '1Z999AA10123456784', added: true },
      {
        trackNo: 'ABC-123-456',
        added: false,
        trust: 'doubtful',
        remark: expect.stringContaining('A tracking number belongs here'),
      },
      { trackNo: 'RB848719115CN', added: true },
    ],
  });
  expect(exitCode).toBe(5);
});

it('exits with 0 if it finds no number, so that it works as a mail filter', async () => {
  const { exitCode, stderr, stdout } = await user.run(['add', '--scan', '-', '--yes'], { input: 'Hello!\n' });
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' });
  expect(stderr).toBe('parcel-monitor: No tracking number found.\n');
});

it('saves what it would have added to the --left file if it is interrupted early', async () => {
  const path = join(user.home, 'left.csv');
  const run = { input: mail, environment: connected(), signal: AbortSignal.abort() };
  const { exitCode, stdout } = await user.run(['add', '--scan', '-', '--yes', '--left', path], run);
  expect({ exitCode, stdout }).toEqual({ exitCode: 130, stdout: '' });
  expect(await readFile(path, 'utf8')).toContain('Not added.');
  expect(await parcels()).toEqual([]);
});

it.each<[string, readonly string[], RegExp]>([
  [
    'neither --yes nor --dry-run is given',
    ['--scan', '-'],
    /Selecting numbers requires an interactive terminal.*--dry-run.*--yes/,
  ],
  ['--yes and --dry-run are given', ['--scan', '-', '--yes', '--dry-run'], /either --dry-run or --yes, not both/],
  ['a number is given too', ['RB848719115CN', '--scan', '-', '--yes'], /Give either numbers or a text with --scan/],
  ['a label is given', ['--scan', '-', '--yes', '--label', 'Lamp'], /--label names a single parcel/],
  [
    '--at-most is given without --yes',
    ['--scan', '-', '--dry-run', '--at-most', '5'],
    /--at-most requires --scan and --yes/,
  ],
  ['--at-most is not a number', ['--scan', '-', '--yes', '--at-most', 'x'], /--at-most takes a number/],
  ['nothing is given', [], /Give numbers, "-" to read them from standard input, or --scan/],
  ['--dry-run is given with a number', ['RB848719115CN', '--dry-run'], /--dry-run requires --scan/],
  [
    'there is no such file',
    ['--scan', '/no/such/file', '--yes'],
    /^parcel-monitor: There is no file \/no\/such\/file\./,
  ],
])('refuses incorrect usage: %s', async (_name, args, message) => {
  const { exitCode, stderr, stdout } = await user.run(['add', ...args], { input: mail });
  expect(stderr).toMatch(message);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
});

it('does not let the user choose at a terminal with --no-input', async () => {
  const { exitCode, stderr } = await user.run(['add', '--scan', '-', '--no-input'], { input: mail, answer: '' });
  expect(stderr).toContain('Use --dry-run to list them, or --yes');
  expect(exitCode).toBe(2);
});

it('exits with 0 for text in Windows-1252 and with 5 for a table with a rounded number', async () => {
  const file = join(user.home, 'orders.csv');
  const table = 'Order;Tracking number;Name\n1;1Z999AA10123456784;J\u00fcrgen\n';
  await writeFile(file, Buffer.from(table, 'latin1'));
  const readable = await user.run(['add', '--scan', file, '--dry-run']);
  expect(readable.stderr).toContain('was read as Windows-1252');
  expect(readable.exitCode).toBe(0);
  await writeFile(file, Buffer.from(`${table}2;1,23E+11;\n`, 'latin1'));
  const rounded = await user.run(['add', '--scan', file, '--dry-run']);
  expect(rounded.stderr).toContain('line 3: The spreadsheet rounded this number to 1,23E+11');
  expect(rounded.exitCode).toBe(5);
});

it('does not overwrite the scanned file with the --left file', async () => {
  const file = join(user.home, 'order.eml');
  await writeFile(file, `${mail}\nTracking number: RB848719116CN\n`);
  const { exitCode, stderr } = await user.run(['add', '--scan', file, '--yes', '--left', file]);
  expect(stderr).toContain('--left would overwrite');
  expect(exitCode).toBe(2);
  expect(await readFile(file, 'utf8')).toContain('your order is on its way');
});
