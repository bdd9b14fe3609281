/**
 * Makes scripts of the modules that esbuild writes: Node takes less time to load a script than a module, a tenth of the
 * first frame of a board (see `src/process/program-parts.ts`).
 */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { dirname, join, posix } from 'node:path';
import { Script } from 'node:vm';
import { requireBanner } from './bundle.ts';

/** Turns all modules of a program but its launcher into scripts. */
export async function makeScripts(outdir: string): Promise<void> {
  const names = (await readdir(outdir, { recursive: true })).filter((name) => name.endsWith('.js'));
  for (const name of names.map((name) => name.replaceAll('\\', '/')).sort()) {
    if (name === 'cli.js') continue;
    await writeFile(join(outdir, name), scriptOf(name, await readFile(join(outdir, name), 'utf8')));
  }
}

/** An import statement as esbuild writes it, with or without white space; it stands wherever a module that was put into this one began. */
const importStatement = /(?<![\w$.])import(?:\s+([\w$]+)\s+from|\s*\{([^}]*)\}\s*from)?\s*["']([^"']+)["'];/g;
const importCall = /import\("([^"]+)"\)/g;
const lastExport = /export\s*\{([^}]*)\};?\s*$/;

/**
 * The script of a module: a function that is given what it takes to load others and to know where it lies, and answers its
 * exports. Throws where a module is written otherwise than esbuild writes them.
 */
export function scriptOf(name: string, module: string): string {
  const partNamed = (path: string): string => JSON.stringify(posix.join(dirname(name), path));
  // What is imported is there before anything runs.
  let head = module.startsWith(requireBanner) ? requireWhenUsed : '';
  let sources = 0;
  const rest = module
    .replace(requireBanner, '')
    .replace(importStatement, (statement, all: string | undefined, names: string | undefined, path: string) => {
      if (!isPart(path) && !isBuiltin(path)) return statement;
      const loaded = isPart(path) ? `$load(${partNamed(path)})` : builtin(path);
      if (all !== undefined) head += `const ${all}=${loaded};`;
      else if (names === undefined) head += `${loaded};`;
      else {
        const source = `$from${sources}`;
        sources += 1;
        head += `const ${source}=${loaded};${takenFrom(source, namesIn(names))}`;
      }
      return '';
    });
  // There, a letter that is written otherwise would be another text.
  if (/String\.raw`[^`]*[^\0-\x7f]/.test(rest))
    throw new Error(`${name} has letters in a text that is taken as it is.`);
  const exported = lastExport.exec(rest);
  const body = rest
    .slice(0, exported?.index)
    .replace(importCall, (_, path: string) =>
      isPart(path) ? `$later(${partNamed(path)})` : `Promise.resolve(${builtin(path)})`,
    )
    .replaceAll('import.meta', '$meta')
    // With one letter beyond Latin, the whole text would take twice the room.
    .replace(/[^\0-\x7f]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const answer = `return{${namesIn(exported?.[1] ?? '')
    .map(({ from, to }) => given(to, from))
    .join(',')}}`;
  const whole = (kind: string): string => `(${kind}($load,$later,$meta){"use strict";${head}${body}\n${answer}})`;
  return isScript(whole('function')) ? whole('function') : checked(name, whole('async function'));
}

/** What bundled CommonJS packages ask for are modules of Node, and hardly any is asked for at a start. */
const requireWhenUsed =
  'const require=name=>process.getBuiltinModule(name)??process.getBuiltinModule("node:module").createRequire($meta.url)(name);';

const isPart = (path: string): boolean => path.startsWith('.');

const builtin = (path: string): string => {
  if (!isBuiltin(path)) throw new Error(`${path} is no module of Node.`);
  return `process.getBuiltinModule(${JSON.stringify(path)})`;
};

/** The names that stand in braces of an import or export. */
function namesIn(clause: string): readonly { readonly from: string; readonly to: string }[] {
  const parts = clause.split(',').map((part) => part.trim());
  return parts
    .filter((part) => part !== '')
    .map((part) => {
      const [from = '', to = from] = part.split(/\s+as\s+/);
      return { from, to };
    });
}

/**
 * Functions that are there only when what makes them has run, behind the loading of their part; a test finds them. Whoever
 * takes anything else takes it as it is once its part is loaded.
 */
const lateFunctions: ReadonlySet<string> = new Set(['isFullwidth', 'isWide']);

/** Constants with what is taken from what a part answers. */
function takenFrom(source: string, names: readonly { readonly from: string; readonly to: string }[]): string {
  const now = names.filter(({ from }) => !lateFunctions.has(from));
  const taken = now.map(({ from, to }) => (from === to ? to : `${from}:${to}`)).join(',');
  const late = names
    .filter(({ from }) => lateFunctions.has(from))
    .map(({ from, to }) => `const ${to}=(...given)=>${source}.${from}(...given);`);
  return `const {${taken}}=${source};${late.join('')}`;
}

/** An export, as a property of what a part answers. */
function given(name: string, own: string): string {
  if (lateFunctions.has(name)) return `get ${name}(){return ${own}}`;
  return name === own ? name : `${name}:${own}`;
}

function checked(name: string, script: string): string {
  // Says what is wrong with it.
  new Script(script, { filename: name });
  return script;
}

function isScript(text: string): boolean {
  try {
    new Script(text);
    return true;
  } catch {
    // It waits for something before it is loaded, or is written otherwise than expected: then the other kind fails, too.
    return false;
  }
}
