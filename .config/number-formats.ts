/**
 * Writes `src/scan/data/number-formats.ts` from a clone of tracking_number_data (MIT):
 * `node .config/number-formats.ts PATH-OF-ITS-WORK-TREE`. What a format says for people is left out, and white space is taken out of its
 * pattern: numbers are compared in the form in which they are kept.
 */
import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { patternLengths } from './pattern-lengths.ts';

interface SourceChecksum {
  readonly name: string;
  readonly evens_multiplier?: number;
  readonly odds_multiplier?: number;
  readonly reverse?: boolean;
  readonly weightings?: readonly number[];
  readonly modulo1?: number;
  readonly modulo2?: number;
}

interface SourceFormat {
  readonly id?: string;
  readonly name: string;
  readonly regex: string | readonly string[];
  readonly validation?: {
    readonly checksum?: SourceChecksum;
    readonly serial_number_format?: {
      readonly prepend_if?: { readonly matches_regex: string; readonly content: string };
    };
  };
  readonly test_numbers: { readonly valid: readonly string[]; readonly invalid: readonly string[] };
}

interface SourceCourier {
  readonly courier_code: string;
  readonly tracking_numbers: readonly SourceFormat[];
}

const [clone] = process.argv.slice(2);
if (clone === undefined) throw new Error('Name the work tree of tracking_number_data.');
const target = fileURLToPath(new URL('../src/scan/data', import.meta.url));

function withoutSpaces(regex: SourceFormat['regex']): string {
  return [regex]
    .flat()
    .join('')
    .replaceAll('[0-9A-Z\\s]', '[0-9A-Z]')
    .replaceAll('[^0-9A-Z]*', '')
    .replaceAll('\\s*', '')
    .replaceAll(/^\\b|\\b$/g, '');
}

function checkOf(checksum: SourceChecksum): object {
  switch (checksum.name) {
    case 'mod10':
      return {
        kind: 'mod10',
        even: checksum.evens_multiplier ?? 1,
        odd: checksum.odds_multiplier ?? 1,
        ...(checksum.reverse === true ? { reverse: true } : {}),
      };
    case 'sum_product_with_weightings_and_modulo':
      return {
        kind: 'weighted',
        weights: checksum.weightings,
        modulo: checksum.modulo1,
        last: checksum.modulo2,
      };
    case 'mod_37_36':
      return { kind: 'mod37-36' };
    case 'mod7':
    case 's10':
    case 'luhn':
      return { kind: checksum.name };
    default:
      throw new Error(`The algorithm ${checksum.name} is not known here yet.`);
  }
}

/** Bar codes that hold a number and more. */
const barCodes: readonly string[] = ['fedex_34', 'fedex_astra_32', 'fedex_ground_gsn'];

function formatOf(courier: string, { id = '', name, regex, validation = {} }: SourceFormat): object {
  const pattern = withoutSpaces(regex);
  if (pattern.includes('\\s')) throw new Error(`${name} wants white space: ${pattern}`);
  const [shortest, longest] = patternLengths(pattern);
  const prepend = validation.serial_number_format?.prepend_if;
  return {
    courier,
    name,
    pattern,
    shortest,
    longest,
    ...(validation.checksum === undefined ? {} : { check: checkOf(validation.checksum) }),
    ...(barCodes.includes(id) ? { isBarCode: true } : {}),
    ...(prepend === undefined ? {} : { prepend: { when: prepend.matches_regex, text: prepend.content } }),
  };
}

const couriers = await Promise.all(
  (await readdir(join(clone, 'couriers')))
    .sort()
    .map(async (file) => JSON.parse(await readFile(join(clone, 'couriers', file), 'utf8')) as SourceCourier),
);
const formats = couriers.flatMap(({ courier_code, tracking_numbers }) =>
  tracking_numbers.map((format) => formatOf(courier_code, format)),
);
const samples = couriers.flatMap(({ tracking_numbers }) =>
  tracking_numbers.map(({ name, test_numbers }) => ({ name, ...test_numbers })),
);

await writeFile(
  join(target, 'number-formats.ts'),
  `import type { NumberFormat } from '../number-format.ts';

/**
 * Formats of tracking numbers, made by \`.config/number-formats.ts\` from tracking_number_data, whose licence (MIT) stands beside this file.
 */
// biome-ignore format: made by a script
export const numberFormats: readonly NumberFormat[] = [
${formats.map((format) => `  ${literal(format)},`).join('\n')}
];
`,
);
await writeFile(
  fileURLToPath(new URL('../test/fixtures/numbers-of-known-formats.json', import.meta.url)),
  `[\n${samples.map((sample) => `  ${JSON.stringify(sample)}`).join(',\n')}\n]\n`,
);
await copyFile(join(clone, 'LICENSE'), join(target, 'LICENSE-tracking_number_data.txt'));

/** A value as it is written in TypeScript: plain keys and single quotes. */
function literal(value: unknown): string {
  if (typeof value === 'string') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  return `{ ${Object.entries(value)
    .map(([key, item]) => `${key}: ${literal(item)}`)
    .join(', ')} }`;
}
