import path from 'node:path';
import { fileNamed } from './roomPaths.ts';

/** What a dialog or drawer is made of. */
const FRAMES = new Set(['Drawer', 'Modal', 'FormDialog', 'FormDrawer', 'FormRecord', 'CheckDialog', 'TrailDrawer']);
const IMPORT = /^import (?!type )(?:(\w+)(?:, )?)?(?:\{([^}]*)\} )?(?:from )?'([.#][^']+)';/gm;
const FUNCTION = /^(?:export )?(default )?function (\w+)[\s\S]*?^\}/gm;
const ARROW = /^(?:export )?const ([A-Z]\w*) = [^;]*?=> \(?\s*<(\w+)/gm;
/** The element that a component is, also behind `if` and `?`, and what a record that is read first is shown in. */
const ROOT = /^(?:  return|  if \(.*\)\s+return|    return) (?:[^;{}<>]*\? )?\(?\s*<(\w+)|^  \) : \(\s*<(\w+)|^ +\{\(\w+\) => <(\w+)/gm;

interface Source {
  file: string;
  text: string;
}

/** Files of the browser that a file loads with itself, with the names that it takes of each. */
const importsOf = ({ file, text }: Source) =>
  [...text.matchAll(IMPORT)].map(([, whole, names = '', from = '']) => ({
    from: fileNamed(file, from),
    names: [
      ...(whole === undefined ? [] : [{ local: whole, exported: 'default' }]),
      ...names
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== '' && !name.startsWith('type '))
        .map((name) => {
          const [exported = '', local = exported] = name.split(' as ');
          return { local, exported };
        }),
    ],
  }));

/** Components of a file with the elements that they are. */
const componentsOf = ({ text }: Source): [name: string, roots: string[]][] => [
  ...[...text.matchAll(FUNCTION)].flatMap(([whole, isDefault, name = '']): [string, string[]][] => {
    const roots = [...whole.matchAll(ROOT)].map(([, ...found]) => found.find((one) => one !== undefined) ?? '');
    return isDefault
      ? [
          ['default', roots],
          [name, roots],
        ]
      : [[name, roots]];
  }),
  ...[...text.matchAll(ARROW)].map(([, name = '', root = '']): [string, string[]] => [name, [root]]),
];

/**
 * Dialogs and drawers that come with the file that opens them, as `file name`: their code is to be loaded by the click, by `lazy`. One that
 * is another one, under its own name, may bring it.
 */
export function eagerDialogs(sources: readonly Source[]): string[] {
  const files = sources.map((source) => ({ ...source, imports: importsOf(source), components: componentsOf(source) }));
  const dialogs = new Set<string>();
  for (let known = -1; known < dialogs.size;) {
    known = dialogs.size;
    for (const { file, imports, components } of files) {
      const brought = imports.flatMap(({ from, names }) =>
        names.filter(({ exported }) => dialogs.has(`${from} ${exported}`)).map(({ local }) => local),
      );
      for (const [name, roots] of components)
        if (roots.some((root) => FRAMES.has(root) || brought.includes(root) || dialogs.has(`${file} ${root}`)))
          dialogs.add(`${file} ${name}`);
    }
  }
  return files.flatMap(({ file, text, imports, components }) => {
    const roots = components.flatMap(([, of]) => of);
    return imports
      .filter(({ from }) => !from.startsWith('src/kernel/'))
      .flatMap(({ from, names }) => {
        const asked = text.includes(`import('./${path.posix.relative(path.posix.dirname(file), from)}')`);
        return names
          .filter(({ local, exported }) => asked || (dialogs.has(`${from} ${exported}`) && !roots.includes(local)))
          .map(({ local }) => `${file} ${local}`);
      });
  });
}
