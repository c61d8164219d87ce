import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { root } from './step.ts';

const lines = (text: string) => text.split('\n').filter(Boolean);
const git = (...args: string[]) => lines(execFileSync('git', args, { cwd: root, encoding: 'utf8' }));

/**
 * Files that differ from a commit, with those that git does not know yet.
 * @throws where git or the commit is missing.
 */
export const filesSince = (commit: string): string[] => [
  ...git('diff', '--name-only', commit),
  ...git('ls-files', '--others', '--exclude-standard'),
];

/** Whether the browser gets another program. */
export const changesBrowser = (files: readonly string[]): boolean =>
  files.some((file) => /^src\/(web|events)\/|\/(web|contract)\/|^(vite\.config\.ts|package-lock\.json|scripts\/build)/.test(file));

/** Folders of `e2e`: a domain's own, and those of all. */
export const journeyFolders = (): string[] =>
  readdirSync(path.join(root, 'e2e'), { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));

/** Folders of journeys that a change can touch: of a domain its own, of what all stand on every one. */
export function journeysOf(files: readonly string[], folders: readonly string[]): readonly string[] {
  const touched = new Set<string>();
  for (const file of files) {
    if (/\.(md|csv)$|\.(test|cases)\.tsx?$/.test(file) && !file.startsWith('e2e/')) continue;
    const owner = /^(?:src\/domains|e2e)\/([^/]+)\/./.exec(file)?.[1];
    if (owner && folders.includes(owner)) touched.add(owner);
    else if (/^(src|e2e|migrations|package-lock\.json|vite\.config\.ts)\b/.test(file)) return folders;
  }
  return folders.filter((folder) => touched.has(folder));
}
