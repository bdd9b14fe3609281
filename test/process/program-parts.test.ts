import fs, { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { describe, expect, it, onTestFinished } from 'vitest';
import { scriptOf } from '../../.config/script-parts.ts';
import { codeName, decodeCode, encodeCode, readCode, writeCode } from '../../src/process/kept-code.ts';
import { ProgramParts } from '../../src/process/program-parts.ts';

/** Parts of modules as esbuild writes them. */
function partsOf(modules: Readonly<Record<string, string>>, kept: ReadonlyMap<string, Uint8Array> = new Map()) {
  const compiled: string[] = [];
  const parts = new ProgramParts({
    compile: (name, code) => {
      const module = modules[name];
      if (module === undefined) throw new Error(`there is no ${name}`);
      compiled.push(name);
      const script = new Script(scriptOf(name, module), {
        filename: name,
        cachedData: code === null ? undefined : Buffer.from(code),
      });
      return {
        isFromKept: script.cachedDataRejected === false,
        run: () => script.runInThisContext() as unknown,
        code: () => script.createCachedData(),
      };
    },
    urlOf: (name) => `file:///program/${name}`,
    kept,
  });
  return { parts, compiled };
}

const modules = {
  'main.js':
    'import{shout as loud}from"./chunks/words.js";function greet(){return loud("hello")}var url=import.meta.url,later=()=>import("./chunks/slow.js");export{greet,url as place,later};\n',
  'chunks/slow.js': 'import{shout}from"./words.js";var answer=await Promise.resolve(shout("late"));export{answer};',
};
const whole = {
  ...modules,
  'chunks/words.js':
    'import path from"node:path";import{join as put}from"node:path";var shout=text=>put("/",path.basename(text+`é!`));export{shout};',
};

describe('a part of the program', () => {
  it('gives others what the module exported, and is loaded once', async () => {
    const { parts, compiled } = partsOf(whole);
    const main = parts.load('main.js') as {
      greet: () => string;
      place: string;
      later: () => Promise<{ answer: string }>;
    };
    expect(main.greet()).toBe('/helloé!');
    expect(main.place).toBe('file:///program/main.js');
    expect(compiled).toEqual(['main.js', 'chunks/words.js']);
    expect((await main.later()).answer).toBe('/lateé!');
    expect(parts.load('main.js')).toBe(main);
    expect(compiled).toEqual(['main.js', 'chunks/words.js', 'chunks/slow.js']);
  });

  it('is strict, as modules are', () => {
    const { parts } = partsOf({ 'main.js': 'var self=function(){return this}();export{self};' });
    expect(parts.load('main.js')['self']).toBeUndefined();
  });

  it('that is missing rejects who waits for it', async () => {
    const { parts } = partsOf({});
    await expect(parts.later('main.js')).rejects.toThrow('there is no main.js');
  });

  it('that is written otherwise than esbuild writes ends the build', () => {
    expect(() => scriptOf('main.js', 'export default 1;')).toThrow(SyntaxError);
    expect(() => scriptOf('main.js', 'import{a}from"package";export{a};')).toThrow();
    expect(() => scriptOf('main.js', 'var a=String.raw`é`;export{a};')).toThrow('taken as it is');
  });
});

describe('compiled code', () => {
  it('holds what has run, is used at the next start, and is nothing new then', () => {
    const first = partsOf(whole).parts;
    (first.load('main.js') as { greet: () => string }).greet();
    const code = first.newCode();
    expect([...(code ?? new Map()).keys()]).toEqual(['main.js', 'chunks/words.js']);
    const next = partsOf(whole, code ?? new Map()).parts;
    expect((next.load('main.js') as { greet: () => string }).greet()).toBe('/helloé!');
    expect(next.newCode()).toBeNull();
  });

  it('of parts that were not needed this time stays, and that of others is put beside it', async () => {
    const first = partsOf(whole).parts;
    first.load('chunks/words.js');
    const kept = first.newCode() ?? new Map();
    const { parts } = partsOf({ ...whole, 'chunks/other.js': 'var other=1;export{other};' }, kept);
    parts.load('chunks/other.js');
    expect([...(parts.newCode()?.keys() ?? [])]).toEqual(['chunks/words.js', 'chunks/other.js']);
  });

  it('of another program is not used', () => {
    const code = new Map([['main.js', new Uint8Array(64)]]);
    // Of a text that it has just compiled, Node would not look at it.
    const { parts } = partsOf({ ...whole, 'main.js': `var other=1;${modules['main.js']}` }, code);
    expect((parts.load('main.js') as { greet: () => string }).greet()).toBe('/helloé!');
    expect(parts.newCode()?.get('main.js')?.length).toBeGreaterThan(64);
  });

  it('is read as it was written, each part at a place where it need not be copied', () => {
    const code = new Map([
      ['a.js', Uint8Array.of(1, 2, 3)],
      ['b.js', new Uint8Array(0)],
      ['c.js', Uint8Array.of(4)],
    ]);
    const read = decodeCode(encodeCode(code));
    expect(read).toEqual(code);
    expect([...read.values()].map(({ byteOffset }) => byteOffset % 8)).toEqual([0, 0, 0]);
  });

  it.each([
    ['nothing', new Uint8Array(0)],
    ['something else', new TextEncoder().encode('{"version":1}\n')],
    ['a part of it', encodeCode(new Map([['a.js', new Uint8Array(100)]])).subarray(0, 60)],
    ['one bit that is another', encodeCode(new Map([['a.js', new Uint8Array(100)]])).fill(1, 90, 91)],
  ])('is none where a file holds %s', (_what, bytes) => {
    expect([...decodeCode(bytes)]).toEqual([]);
  });

  it("is kept in a file for the user's eyes, and is none where that is gone or cannot be read", () => {
    const folder = mkdtempSync(join(tmpdir(), 'kept-code-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const place = { folder: join(folder, 'code', 'build'), name: 'list', processId: 7 };
    const code = new Map([['main.js', Uint8Array.of(1, 2, 3, 4)]]);
    writeCode(fs, place, code);
    const path = join(place.folder, 'list');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(place.folder)).toEqual(['list']);
    expect([...(readCode(fs, path).get('main.js') ?? [])]).toEqual([1, 2, 3, 4]);
    truncateSync(path, readFileSync(path).length - 5);
    expect(readCode(fs, path).size).toBe(0);
    expect(readCode(fs, join(folder, 'nothing')).size).toBe(0);
  });

  it('leaves nothing behind where it cannot be written', () => {
    const folder = mkdtempSync(join(tmpdir(), 'kept-code-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const full = {
      ...fs,
      writeSync: () => {
        throw new Error('no space');
      },
    };
    expect(() => writeCode(full, { folder, name: 'list', processId: 7 }, new Map())).toThrow('no space');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is kept for each frequent command by itself, since each runs other functions', () => {
    expect(codeName([])).toBe('board');
    expect(codeName(['list'])).toBe('list');
    expect(codeName(['list', '--all', '--json'])).toBe('list-json');
    expect(codeName(['add', 'LB1CN'])).toBe('add');
    expect(codeName(['export', '../..'])).toBe('other');
    expect(codeName(['../../x'])).toBe('other');
  });
});
