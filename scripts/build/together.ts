import path from 'node:path';
import { build, type Rolldown, type UserConfig } from 'vite';

const repository = path.join(import.meta.dirname, '../..');

/** What the browser comes to know one after another: the login, the shell around every page, the first list, the first form. */
const STEPS = [
  ['start', 'src/web/main.tsx'],
  ['login', 'src/domains/identity/web/entry/Login.tsx'],
  ['shell', 'src/kernel/web/layout/MainLayout.tsx'],
  ['list', 'src/kernel/web/list/ResourceList.tsx'],
  ['form', 'src/kernel/web/form/FormDrawer.tsx'],
] as const;
/** Pages with a start of their own: of what the shell needs they take what they share with it alone. */
const APART = ['src/web/wx.html', 'src/web/form.html', 'src/web/frame.html'];

type Chunks = readonly Rolldown.OutputChunk[];

/** Modules that the browser has once this one runs. */
function modulesWith(chunks: Chunks, module: string): Set<string> {
  const byFile = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const file = path.join(repository, module);
  const waiting = chunks.filter(({ moduleIds, facadeModuleId }) => facadeModuleId === file || moduleIds.includes(file));
  if (waiting.length === 0) throw new Error(`The browser part has no ${module}.`);
  const seen = new Set(waiting);
  for (const { imports } of seen) for (const next of imports) if (byFile.has(next)) seen.add(byFile.get(next)!);
  return new Set([...seen].flatMap(({ moduleIds }) => moduleIds));
}

/**
 * Puts what every page loads at the same step into one file for each step. By itself the builder makes a file of whatever the same set of
 * pages shares: of six hundred pages that is two hundred files for the first list, most of them below two kilobytes. Which modules those
 * are is known when everything unused has been left out, thus after a first build, which is not kept.
 */
export async function groupSteps(config: UserConfig): Promise<Rolldown.CodeSplittingOptions> {
  const first = await build({
    ...config,
    configFile: false,
    logLevel: 'silent',
    build: { ...config.build, write: false, minify: false, cssMinify: false, reportCompressedSize: false },
  });
  const { output } = Array.isArray(first) ? first[0]! : (first as Rolldown.RolldownOutput);
  const chunks = output.filter((one) => one.type === 'chunk');
  const taken = new Set(APART.flatMap((page) => [...modulesWith(chunks, page)]));
  // What is asked for by itself stays a file of its own.
  for (const { facadeModuleId } of chunks) if (facadeModuleId) taken.add(facadeModuleId);
  for (const [, module] of STEPS) taken.add(path.join(repository, module));
  const steps = STEPS.map(([name, module]) => {
    const modules = [...modulesWith(chunks, module)].filter((one) => !taken.has(one));
    for (const one of modules) taken.add(one);
    return { name, modules: new Set(modules) };
  });
  return {
    includeDependenciesRecursively: false,
    groups: steps.map(({ name, modules }) => ({ name, test: (id: string) => modules.has(id) })),
  };
}
