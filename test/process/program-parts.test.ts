import { Script } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { scriptOf } from '../../.config/script-parts.ts';
import { ProgramParts } from '../../src/process/program-parts.ts';

/** Parts of modules as esbuild writes them. */
function partsOf(modules: Readonly<Record<string, string>>) {
  const run: string[] = [];
  const parts = new ProgramParts({
    run: (name) => {
      const module = modules[name];
      if (module === undefined) throw new Error(`there is no ${name}`);
      run.push(name);
      return new Script(scriptOf(name, module), { filename: name }).runInThisContext() as unknown;
    },
    urlOf: (name) => `file:///program/${name}`,
  });
  return { parts, run };
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
    const { parts, run } = partsOf(whole);
    const main = parts.load('main.js') as {
      greet: () => string;
      place: string;
      later: () => Promise<{ answer: string }>;
    };
    expect(main.greet()).toBe('/helloé!');
    expect(main.place).toBe('file:///program/main.js');
    expect(run).toEqual(['main.js', 'chunks/words.js']);
    expect((await main.later()).answer).toBe('/lateé!');
    expect(parts.load('main.js')).toBe(main);
    expect(run).toEqual(['main.js', 'chunks/words.js', 'chunks/slow.js']);
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
