import * as v from 'valibot';

/** The type that a schema stands for: read-only at any depth, and without the unknown fields that it lets pass. */
export type Shape<Schema extends v.GenericSchema> = Known<v.InferOutput<Schema>>;

type Known<Value> = Value extends readonly (infer Item)[]
  ? readonly Known<Item>[]
  : Value extends object
    ? [keyof WithoutIndex<Value>] extends [never]
      ? Value
      : { readonly [Name in keyof Value as string extends Name ? never : Name]: Known<Value[Name]> }
    : Value;

type WithoutIndex<Value> = { [Name in keyof Value as string extends Name ? never : Name]: Value[Name] };

/** Whether a value is exactly what the schema would make of it. */
export type PlainTest = (value: unknown) => boolean;

/**
 * Gives a schema a quick {@link PlainTest} of its own; must answer true for nothing that the schema would change or
 * refuse.
 */
export function plain<Input>(isPlain: PlainTest) {
  return v.metadata<Input, { readonly isPlain: PlainTest }>({ isPlain });
}

/**
 * Makes a test of a schema that takes a tenth of its time: true for values that the schema would answer as they are.
 * What fails the test may still be usable; the schema decides. It is put together when it is first needed: most commands
 * need few of them.
 */
export function plainTest(schema: v.GenericSchema): PlainTest {
  let test: PlainTest | null = null;
  return (value) => {
    test ??= testOf(schema);
    return test(value);
  };
}

function testOf(schema: v.GenericSchema): PlainTest {
  const own = v.getMetadata(schema)['isPlain'];
  if (typeof own === 'function') return (value) => own(value) === true;
  const parts = schema as unknown as Readonly<Record<string, unknown>>;
  if (parts['pipe'] !== undefined) return throughSchema(schema);
  const inner = (): PlainTest => testOf(parts['wrapped'] as v.GenericSchema);
  switch (schema.type) {
    case 'loose_object':
      return objectTest(parts['entries'] as Readonly<Record<string, v.GenericSchema>>);
    case 'array': {
      const isItem = testOf(parts['item'] as v.GenericSchema);
      return (value) => Array.isArray(value) && value.every(isItem);
    }
    case 'variant': {
      const tests = (parts['options'] as readonly v.GenericSchema[]).map(testOf);
      return (value) => tests.some((test) => test(value));
    }
    case 'boolean':
      return (value) => typeof value === 'boolean';
    case 'picklist': {
      const options = parts['options'] as readonly unknown[];
      return (value) => options.includes(value);
    }
    case 'nullable': {
      const isInner = inner();
      return (value) => value === null || isInner(value);
    }
    case 'exact_optional':
    case 'optional':
      return inner();
    default:
      return throughSchema(schema);
  }
}

function throughSchema(schema: v.GenericSchema): PlainTest {
  return (value) => {
    const result = v.safeParse(schema, value);
    return result.success && Object.is(result.output, value);
  };
}

function objectTest(entries: Readonly<Record<string, v.GenericSchema>>): PlainTest {
  const tests = Object.entries(entries).map(([name, schema]) => {
    return { name, isOptional: schema.type === 'exact_optional', isPlain: testOf(schema) };
  });
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    const fields = value as Readonly<Record<string, unknown>>;
    for (const { name, isOptional, isPlain } of tests) {
      const field = fields[name];
      // A field that is missing and has a default would be filled in.
      if (field === undefined ? !(isOptional && !(name in fields)) : !isPlain(field)) return false;
    }
    return true;
  };
}
