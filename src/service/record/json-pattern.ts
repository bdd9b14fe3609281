import * as v from 'valibot';

/**
 * The source of a regular expression for the JSON, as this program writes it, of values that pass the plain test of a
 * schema (see `shape.ts`); null where it has none. It stands for nothing that does not pass, but not for all that does:
 * optional fields stand at the end, and a field whose schema has no pattern must be missing.
 */
export function jsonPattern(schema: v.GenericSchema): string | null {
  const own = v.getMetadata(schema)['json'];
  if (typeof own === 'string') return own;
  const parts = schema as unknown as Readonly<Record<string, unknown>>;
  if (parts['pipe'] !== undefined) return null;
  const inner = (): string | null => jsonPattern(parts['wrapped'] as v.GenericSchema);
  switch (schema.type) {
    case 'loose_object':
      return objectPattern(parts['entries'] as Readonly<Record<string, v.GenericSchema>>);
    case 'variant':
      return anyOf((parts['options'] as readonly v.GenericSchema[]).map(jsonPattern));
    case 'picklist':
      return anyOf((parts['options'] as readonly string[]).map(literal));
    case 'literal':
      return literal(parts['literal']);
    case 'boolean':
      return anyOf(['true', 'false']);
    case 'nullable':
      return anyOf(['null', inner()]);
    case 'exact_optional':
    case 'optional':
      return inner();
    default:
      return null;
  }
}

/** Those that have a pattern. */
function anyOf(patterns: readonly (string | null)[]): string {
  return `(?:${patterns.filter((pattern) => pattern !== null).join('|')})`;
}

/** Only of words is it known that nothing in them means something to a regular expression. */
const literal = (value: unknown): string | null =>
  typeof value === 'string' && /^[\w-]+$/.test(value) ? `"${value}"` : null;

function objectPattern(entries: Readonly<Record<string, v.GenericSchema>>): string | null {
  const fields = Object.entries(entries).map(([name, schema]) => {
    const value = jsonPattern(schema);
    return { pattern: value === null ? null : `"${name}":${value}`, isOptional: schema.type === 'exact_optional' };
  });
  const [first, ...rest] = fields;
  // Without one that is always there, it would not be known where the commas are.
  if (first === undefined || first.isOptional) return null;
  if (fields.some(({ isOptional, pattern }) => !isOptional && pattern === null)) return null;
  const given = rest.filter(({ isOptional }) => !isOptional).map(({ pattern }) => `,${pattern}`);
  const optional = fields.filter(({ isOptional, pattern }) => isOptional && pattern !== null);
  const atEnd = optional.length === 0 ? '' : `(?:,${anyOf(optional.map(({ pattern }) => pattern))})*`;
  return `\\{${first.pattern}${given.join('')}${atEnd}\\}`;
}
