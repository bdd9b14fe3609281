import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sandboxUser } from '../sandbox-user.ts';

const { connected, parcels, user } = sandboxUser();
const listedParcels = async () =>
  (await parcels()).map(({ courierCode, label, state, trackNo }) => [trackNo, courierCode, label, state]);

it('registers the parcels of a table and reports invalid rows', async () => {
  const file = join(user.home, 'parcels.csv');
  await writeFile(file, 'number,courier,label\n1Z999AA10123456784,ups,"Lamp, red"\nxx,,\nRB848719115CN,,Book\n');
  const { exitCode, stderr, stdout } = await user.run(['import', file], { environment: connected() });
  expect(stderr).toMatch(/line 3: "xx" is too short/);
  expect(stdout).toMatch(/1Z999AA10123456784@ups {2}registered\nRB848719115CN\S* {2}registered\n/);
  expect(exitCode).toBe(5);
  expect(await listedParcels()).toEqual(
    expect.arrayContaining([
      ['1Z999AA10123456784', 'ups', 'Lamp, red', 'watching'],
      ['RB848719115CN', 'china-post', 'Book', 'watching'],
    ]),
  );
});

it('says which file cannot be read', async () => {
  const { exitCode, stderr } = await user.run(['import', '/no/such/file.csv']);
  expect(stderr).toMatch(/^parcel-monitor: There is no file \/no\/such\/file\.csv\.\n$/);
  expect(exitCode).toBe(2);
});

it("understands other programs' courier names and reports unused columns", async () => {
  const input =
    'Tracking #,Carrier,Weight\n1Z999AA10123456784,United Parcel Service,2 kg\nRB848719115CN,China Post,1 kg\n';
  const { exitCode, stderr, stdout } = await user.run(['import', '-', '--dry-run'], {
    environment: connected(),
    input,
  });
  expect(stdout).toMatch(/1Z999AA10123456784 +ups\n.*RB848719115CN +china-post\n/);
  expect(stderr).toContain('Not used: "Weight".');
  expect(exitCode).toBe(0);
});

it('asks to save a spreadsheet as CSV', async () => {
  const file = join(user.home, 'parcels.xlsx');
  await writeFile(file, Buffer.from([0x50, 0x4b, 3, 4, 0x14, 0, 6, 0]));
  const { exitCode, stderr } = await user.run(['import', file]);
  expect(stderr).toContain('save it as CSV');
  expect(exitCode).toBe(2);
});

it('reads which parcels are archived from a column of words or dates', async () => {
  const input =
    'number,Archived\n1Z999AA10123456784,yes\nRB848719115CN,12.11.2026\nLX123456789CN,no\nLX900000005CN,perhaps\n';
  const { exitCode, stderr } = await user.run(['import', '-'], { input });
  expect(stderr).toContain('line 5: "perhaps" does not say whether the parcel is archived');
  expect(exitCode).toBe(5);
  const found = await parcels('--all');
  expect(Object.fromEntries(found.map(({ trackNo, state }) => [trackNo, state === 'archived']))).toEqual({
    '1Z999AA10123456784': true,
    RB848719115CN: true,
    LX123456789CN: false,
  });
});

it('does not suggest --map label if the rows already have labels', async () => {
  const json = '[{"id": "7", "number": "1Z999AA10123456784", "title": "Lamp"}]';
  const { stderr } = await user.run(['import', '-', '--dry-run'], { input: json });
  expect(stderr).toContain('Not used: "id".\n');
});

it('uses the number to choose between couriers with the same name, or sets no courier', async () => {
  const input =
    'number,courier\n00340434161094042557,DHL\nXY12345678901,DHL\n1Z999AA10123456784,dhl\n1Z999AA10123456784,UPS\n';
  const { stderr, stdout } = await user.run(['import', '-', '--dry-run'], { environment: connected(), input });
  expect(stdout).toMatch(/00340434161094042557 +dhl-germany\n.*XY12345678901\n.*1Z999AA10123456784 +dhl\n.*784 +ups\n/);
  expect(stderr).toContain(
    '1 row: courier "DHL" is ambiguous: it matches several couriers (dhl, dhl-germany), so the service will detect the courier (line 3).',
  );
});

it('recognises a courier that is followed by a service or country if the number matches', async () => {
  const input = [
    'Carrier,Tracking number',
    'UPS Standard,1Z999AA10123456784',
    'DPD Germany,01967299980332',
    'Hermes Logistik Gruppe,H1000905265416760342',
    'DHL Paket National,00340434161094042557',
    'Royal Mail Tracked 48,QA888953289GB',
    'Deutsche Post (DE),RR748528780DE',
    'DPD Germany,9400111808614163711411',
    'Upside,1Z999AA10123456785',
  ].join('\n');
  const { stderr, stdout } = await user.run(['import', '-', '--dry-run'], { environment: connected(), input });
  expect(stdout).toMatch(
    /784 +ups\n.*332 +dpd\n.*342 +hermes\n.*557 +dhl-germany\n.*GB +royal-mail\n.*DE +deutsche-post\n.*411\n.*785\n$/,
  );
  expect(stderr).toContain(
    '1 row: courier "DPD Germany" is not known, so the service will detect the courier (line 8).',
  );
  expect(stderr).toContain('1 row: courier "Upside" is not known, so the service will detect the courier (line 9).');
});

it('knows the most common 17TRACK keys, and sets no courier for others', async () => {
  const input = 'LX123456789CN,3011\n1Z999AA10123456784,100002\nRB848719115CN,190999\n';
  const { stderr, stdout } = await user.run(['import', '-', '--dry-run'], { environment: connected(), input });
  expect(stdout).toMatch(/LX123456789CN +china-post\n.*1Z999AA10123456784 +ups\n.*RB848719115CN\n/);
  expect(stderr).toContain(
    '1 row: courier "190999" is an unknown courier key, so the service will detect the courier (line 3).',
  );
});

it("sets no courier for another program's unknown courier unless it is mapped", async () => {
  const input =
    'Order,Carrier,Tracking number\n1,AMZN_DE,DE3601496681\n2,UPS,1Z999AA10123456784\n3,AMZN_DE,DE3601496682\n';
  const run = { environment: connected(), input };
  const unmapped = await user.run(['import', '-', '--dry-run'], run);
  expect(unmapped.stderr).toContain(
    '2 rows: courier "AMZN_DE" is not known, so the service will detect the courier (lines 2, 4). To set it, use --map-courier "AMZN_DE=CODE".',
  );
  expect(unmapped.stdout).toMatch(/DE3601496681\n.*1Z999AA10123456784 +ups\n.*DE3601496682\n/);
  expect(unmapped.exitCode).toBe(0);
  const mapped = await user.run(
    ['import', '-', '--dry-run', '--map-courier', 'amzn_de=Amazon Logistics', '--map-courier', 'ups=dhl'],
    run,
  );
  expect(mapped.stdout).toMatch(/DE3601496681 +amazon-logistics\n.*1Z999AA10123456784 +dhl\n/);
  expect(mapped.stderr).not.toContain('AMZN_DE');
  const ownTable = await user.run(['import', '-', '--dry-run'], {
    environment: connected(),
    input: 'trackNo,courierCode\nDE3601496681,amzn\n',
  });
  expect(ownTable.stderr).toMatch(/line 2: No courier has the code "amzn"/);
  expect(ownTable.exitCode).toBe(5);
});

it.each([
  [['--map-courier', 'AMZN_DE'], /--map-courier takes NAME=CODE/],
  [['--map-courier', 'AMZN_DE=nosuch'], /No courier has the code "nosuch"/],
  [['--map-courier', 'a=ups', '--map-courier', 'A=dhl'], /maps "A" twice/],
  [['--from-account', '--map-courier', 'a=ups'], /--map-courier requires a file/],
  [['--label-from', 'Name'], /"Name" names no heading/],
  [['--label-from', '{Nmae}'], /There is no column "Nmae"\. Headings: /],
  [['--from-account', '--label-from', '{Name}'], /--label-from requires a file/],
  [['--courier', 'dhl-germny'], /No courier has the code "dhl-germny".*dhl-germany/],
  [['--courier', 'dhl-germny', '--dry-run'], /No courier has the code "dhl-germny"/],
  [['--from-account', '--courier', 'dhl-germany'], /--courier requires a file/],
  [['--from-account', '--tag', 'gift'], /--tag requires a file/],
  [['--tag', ' '], /A tag must not be empty/],
])('refuses %j', async (args, message) => {
  const file = args.includes('--from-account') ? [] : ['-'];
  const { exitCode, stderr } = await user.run(['import', ...file, ...args], {
    environment: connected(),
    input: 'number\n1Z999AA10123456784\n',
  });
  expect(stderr).toMatch(message);
  expect(exitCode).toBe(2);
});

it('keeps a row with an invalid cell and reports the cell', async () => {
  const input =
    'Tracking,Phone,Zip,Country,Ship date\n1Z999AA10123456784,+49 30 123,10115,Germany,12-06-2026\nRB848719115CN,1234,10117,DE,2026-06-12\n';
  const { exitCode, stderr } = await user.run(['import', '-'], { input });
  for (const field of ['phone suffix', 'country', 'ship time']) {
    expect(stderr).toContain(`1 row: the ${field} is not valid and was ignored (line 2).`);
  }
  expect(exitCode).not.toBe(5);
  expect((await listedParcels()).map(([trackNo]) => trackNo).sort()).toEqual(['1Z999AA10123456784', 'RB848719115CN']);
});

it('reads numbers in markup and skips placeholders such as n/a', async () => {
  const input = [
    'Order;Tracking number',
    '1;<a href="https://www.ups.com/track?tracknum=1Z999AA10123456784" target="_blank">1Z999AA10123456784</a>',
    '2;<p>RB848719115CN<br/>LX123456789CN</p>',
    '3;NULL',
    '4;n/a',
    '5;-',
    '6;folgt',
  ].join('\n');
  const { exitCode, stderr, stdout } = await user.run(['import', '-', '--dry-run'], { input });
  expect(stdout).toMatch(/1Z999AA10123456784\n.*RB848719115CN\n.*LX123456789CN\n$/);
  expect(stderr).toContain('Skipped 3 rows without a number (lines 4-6).');
  expect(stderr).toContain('line 7: "folgt" has no digits');
  expect(stderr).toContain('1 unusable');
  expect(exitCode).toBe(5);
});

it('saves rows that import can read again once the number is corrected', async () => {
  const leftFile = join(user.home, 'left.csv');
  const input =
    'Order,Carrier,Tracking number,Phone,Country\n1,AMZN_DE,1.2E+11,+49 30 123,Germany\n2,Nobody,folgt,1234,DE\n3,DHL,folgt,,\n';
  const first = await user.run(['import', '-', '--left', leftFile, '--map-courier', 'AMZN_DE=amazon-logistics'], {
    environment: connected(),
    input,
  });
  expect(first.exitCode).toBe(5);
  const table = await readFile(leftFile, 'utf8');
  const corrected = table
    .replace(/^1\.2E\+11/m, 'DE3601496681')
    .replace(/^folgt/m, '1Z999AA10123456784')
    .replace(/^folgt/m, '00340434161094042557');
  const { exitCode, stderr, stdout } = await user.run(['import', '-', '--dry-run'], {
    environment: connected(),
    input: corrected,
  });
  expect(stderr).toContain('3 to be added');
  expect(stdout).toMatch(
    /DE3601496681 +amazon-logistics\n.*1Z999AA10123456784\n.*00340434161094042557 +dhl-germany\n$/,
  );
  expect(exitCode).toBe(0);
});

it("does not overwrite another program's table with the rejected rows", async () => {
  const file = join(user.home, 'orders.csv');
  const table = 'Order,Tracking number\n1,RB848719115CN\n2,folgt\n';
  await writeFile(file, table);
  const { exitCode, stderr } = await user.run(['import', file, '--left', file]);
  expect(stderr).toContain('--left would overwrite');
  expect(exitCode).toBe(2);
  expect(await readFile(file, 'utf8')).toBe(table);
  expect(await listedParcels()).toEqual([]);
  const rest = join(user.home, 'rest.csv');
  await user.run(['import', file, '--left', rest]);
  expect((await user.run(['import', rest, '--left', rest])).stderr).toContain('1 number that was not added');
});

it('says at a terminal what it is waiting for', async () => {
  const { stderr } = await user.run(['import', '-', '--dry-run'], { input: '', answer: 'n' });
  expect(stderr).toContain('Ctrl+D');
});

it('lists with --dry-run what is watched, archived, repeated or to be archived, and the cost of the rest', async () => {
  await user.run(['import', '-'], {
    input: 'number,archived\n1Z999AA10123456784,\nRB848719115CN,x\n',
    environment: connected(),
  });
  const input =
    'number,archived\n1Z999AA10123456784,\nRB848719115CN,\nLX123456789CN,\nLX123456789CN,\nLX900000005CN,2026-11-01\n';
  const { stderr, stdout } = await user.run(['import', '-', '--dry-run'], { environment: connected(), input });
  expect(stdout).toMatch(
    /watched +1Z999AA10123456784\n.*archived +RB848719115CN\n.*new +LX123456789CN\n.*twice +LX123456789CN\n.*to archive +LX900000005CN\n/s,
  );
  expect(stderr).toMatch(
    /1 to be added \(.*registrations? and .*\), 1 to be archived, 1 to be restored, 1 already on the list, 1 listed twice, 0 unusable/,
  );
});

it.each([
  [
    'a table',
    'Sendungsnummer;Versender;Tags\n00340434161094042557;;\n1Z999AA10123456784;UPS;eilig\n00340434161094042540;other;\n',
  ],
  [
    'JSON',
    '[{"number": "00340434161094042557", "courier": null}, {"number": "1Z999AA10123456784", "courier": "UPS", "tags": ["eilig"]}, "00340434161094042540"]',
  ],
  ['lines', '00340434161094042557\n1Z999AA10123456784 @ups\n00340434161094042540\n'],
])('applies --courier and --tag to %s', async (what, table) => {
  const input = table.replace('Versender', 'Carrier');
  const options = ['--courier', 'DHL Germany', '--tag', 'store,"on time"', '--tag', 'autumn'];
  const preview = await user.run(['import', '-', '--dry-run', ...options], { environment: connected(), input });
  expect(preview.stdout).toMatch(/042557 +dhl-germany\n.*784 +ups\n.*042540 +dhl-germany\n$/);
  const { exitCode } = await user.run(['import', '-', ...options], { environment: connected(), input });
  expect(exitCode).toBe(0);
  const tags = ['autumn', 'on time', 'store'];
  const found = await parcels();
  expect(
    Object.fromEntries(found.map(({ courierCode, tags: own, trackNo }) => [trackNo, [courierCode, ...own.toSorted()]])),
  ).toEqual({
    '00340434161094042557': ['dhl-germany', ...tags],
    '1Z999AA10123456784': ['ups', ...(what === 'lines' ? tags : ['autumn', 'eilig', 'on time', 'store'])],
    '00340434161094042540': ['dhl-germany', ...tags],
  });
});

it('does not apply --courier to rows with an unknown courier, and saves both options with --left', async () => {
  const leftFile = join(user.home, 'left.csv');
  const input = 'Carrier,Tracking number\nAMZN_DE,DE3601496681\n,folgt\nAMZN_DE,folgt\nUPS,folgt\n';
  const options = ['--dry-run', '--courier', 'dhl-germany', '--tag', 'store', '--left', leftFile];
  const { stdout } = await user.run(['import', '-', ...options], { environment: connected(), input });
  expect(stdout).toMatch(/DE3601496681\n$/);
  const rest = (await readFile(leftFile, 'utf8')).split(/\r?\n/).filter((line) => line.startsWith('folgt'));
  expect(rest).toEqual(['folgt,dhl-germany,store', 'folgt,,store', 'folgt,UPS,store']);
});

it('removes dots from a number only if a courier has numbers of that form', async () => {
  const input = [
    'number;label',
    '340.434.161.094.042.557;1',
    '123.456.789.012;2',
    '340.434.161.094.042.558;3',
    '12.3456.789.012;4',
    '123.456.789;5',
  ].join('\n');
  const { stdout } = await user.run(['import', '-', '--dry-run'], { input });
  const numbers = stdout.split('\n').flatMap((line) => /^new +(\S+)/.exec(line)?.[1] ?? []);
  expect(numbers).toEqual([
    '340434161094042557',
    '123456789012',
    '340.434.161.094.042.558',
    '12.3456.789.012',
    '123.456.789',
  ]);
  const lines = await user.run(['import', '-', '--dry-run'], {
    input: '340.434.161.094.042.557 @dhl-germany "Lamp"\n123.456.789.012\n',
  });
  expect(lines.stdout).toMatch(/340434161094042557 +dhl-germany +Lamp\n.*123456789012\n$/);
});

it.each([
  ['CSV', 'Name,Tracking Number,Lineitem name\n#1001,RB100000003CN,Red lamp\n#1002,RB100000005CN,\n,RB100000017CN,\n'],
  [
    'JSON',
    JSON.stringify([
      { Name: '#1001', 'Tracking Number': 'RB100000003CN', 'Lineitem name': 'Red lamp' },
      { Name: '#1002', 'Tracking Number': 'RB100000005CN', 'Lineitem name': '' },
      { Name: '', 'Tracking Number': 'RB100000017CN', 'Lineitem name': null },
    ]),
  ],
])('fills a label template from the cells of %s', async (_, input) => {
  const template = '{Name} · {lineitem name}';
  const { exitCode } = await user.run(['import', '-', '--label-from', template, '--yes'], { input });
  expect(exitCode).toBe(0);
  const labels = new Map((await parcels()).map(({ label, trackNo }) => [trackNo, label]));
  expect(labels.get('RB100000003CN')).toBe('#1001 · Red lamp');
  expect(labels.get('RB100000005CN')).toBe('#1002');
  expect(labels.get('RB100000017CN')).toBeNull();
});
