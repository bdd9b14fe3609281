import * as v from 'valibot';
import { defaultOperations, type OperationName } from '../../service/operations.ts';
import { isJsonObject, type JsonObject } from '../../service/text/json.ts';
import { UsageError } from '../session/errors.ts';

const text = v.pipe(v.string('must be a text'), v.trim(), v.nonEmpty('must not be empty'));

const number = v.number('must be a number');
const atLeastOne = v.pipe(number, v.minValue(1, 'must be at least 1'));
const count = v.pipe(number, v.integer('must be a whole number'), v.minValue(1, 'must be at least 1'));
const upTo = (most: number) => v.pipe(atLeastOne, v.maxValue(most, `must be at most ${most}`));

const operation = v.partial(
  v.object({
    method: v.picklist(['GET', 'POST'], 'must be "GET" or "POST"'),
    path: v.pipe(text, v.startsWith('/', 'must begin with "/"')),
    batchLimit: count,
    callsPerSecond: v.pipe(number, v.minValue(0.001, 'must be above 0')),
  }),
);

const operationEntries = Object.fromEntries(
  (Object.keys(defaultOperations) as OperationName[]).map((name) => [name, operation]),
) as Record<OperationName, typeof operation>;

const service = v.partial(
  v.object({
    header: text,
    clock: text,
    queryVersion: v.picklist(['v2.1', 'v2'], 'must be "v2.1" or "v2"'),
    registerVersion: v.picklist(['v2', 'v2.1'], 'must be "v2" or "v2.1"'),
    timeoutSeconds: upTo(600),
    operations: v.partial(v.object(operationEntries)),
  }),
);

/** How much of the service may be used; days and months are UTC's. */
const budget = v.partial(v.object({ queriesPerDay: count, registrationsPerMonth: count }));

/** A week: the service gives a callback up sooner. */
const longestAgeMinutes = 7 * 24 * 60;

/** What is taken of what the service pushes. */
const webhook = v.partial(v.object({ maxAgeMinutes: upTo(longestAgeMinutes) }));

/** What is known for all parcels of a courier; the values are checked where they are settled. */
const courier = v.partial(v.object({ postalCode: text, phoneSuffix: text }));

const schema = v.partial(
  v.object({
    $schema: v.string('must be a text'),
    baseUrl: text,
    profile: text,
    apiKey: text,
    apiKeyCommand: v.union([text, v.pipe(v.array(text), v.minLength(1))], 'must be a text or a list of texts'),
    zone: text,
    lang: text,
    service,
    budget,
    webhook,
    couriers: v.record(text, courier, 'must be an object'),
  }),
);

/** Settings as `config.json` holds them; every one may be absent. Meaning and defaults: `configuration.ts`. */
export type ConfigFile = v.InferOutput<typeof schema>;

/** What was read, and what a person should know about it. */
export interface ConfigFileContent {
  readonly settings: ConfigFile;
  readonly warnings: readonly string[];
}

/** Parses the content of `config.json`; settings that the program does not know become warnings. Throws a {@link UsageError}. */
export function parseConfigFile(content: string, path: string): ConfigFileContent {
  const parsed = parse(content, path);
  if (!isJsonObject(parsed)) {
    throw new UsageError(`${path}: the content must be an object, like {"baseUrl": "https://host/path"}.`);
  }
  const result = v.safeParse(schema, parsed);
  if (!result.success) {
    const [issue] = result.issues;
    const setting = v.getDotPath(issue);
    throw new UsageError(`${path}: ${setting === null ? 'the content' : `"${setting}"`} ${issue.message}.`);
  }
  return {
    settings: result.output,
    warnings: unknownSettings(parsed, schema, '').map(
      (name) => `${path}: the setting "${name}" is not known and ignored.`,
    ),
  };
}

function parse(content: string, path: string): unknown {
  try {
    return JSON.parse(content.replace(/^\ufeff/, ''));
  } catch (cause) {
    // The parser's own message quotes the content, which may hold the API key.
    throw new UsageError(`${path}: the content is not valid JSON; correct it or move the file away.`, { cause });
  }
}

type Entries = Readonly<Record<string, unknown>>;

/** What may stand in an object: settings of these names, or any name with the same settings below each; null for no object. */
function entryOf(schemaPart: unknown): ((name: string) => unknown) | null {
  const inner = isJsonObject(schemaPart) && 'wrapped' in schemaPart ? (schemaPart as Entries)['wrapped'] : schemaPart;
  if (!isJsonObject(inner)) return null;
  const { type, entries, value } = inner as {
    readonly type?: unknown;
    readonly entries?: Entries;
    readonly value?: unknown;
  };
  if (type === 'record') return () => value;
  return entries === undefined ? null : (name) => (Object.hasOwn(entries, name) ? entries[name] : undefined);
}

function unknownSettings(settings: JsonObject, schemaPart: unknown, prefix: string): readonly string[] {
  const entry = entryOf(schemaPart);
  if (entry === null) return [];
  return Object.entries(settings).flatMap(([name, value]) => {
    const path = `${prefix}${name}`;
    const deeper = entry(name);
    if (deeper === undefined) return [path];
    return isJsonObject(value) ? unknownSettings(value, deeper, `${path}.`) : [];
  });
}
