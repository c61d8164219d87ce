import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { root, type Outcome } from './step.ts';

interface Chunk {
  file: string;
  src?: string;
  isEntry?: boolean;
  isDynamicEntry?: boolean;
  imports?: string[];
  dynamicImports?: string[];
}
type Manifest = Readonly<Record<string, Chunk>>;

/**
 * Kilobytes of JavaScript after gzip. What the login page loads names the routes and places of every domain, which is a third of a
 * kilobyte each.
 */
const LIMITS = {
  login: 223,
  shell: 260,
  firstList: 440,
  // With the routes, windows and numbers of 18 domains.
  firstForm: 489,
  furtherPage: 25,
  participants: 140,
  questionnaires: 110,
  codeField: 145,
  charts: 60,
  frame: 8,
};
const LOGIN = /identity\/web\/(.*\/)?Login(Page)?\.tsx$/;
const SHELL = /kernel\/web\/layout\/MainLayout\.tsx$/;
const FIRST_LIST = /identity\/web\/(.*\/)?UserManagement(Page)?\.tsx$/;
/** The form of that list, by the click that opens it: with it comes what all forms share. */
const FIRST_FORM = /identity\/web\/userManagement\/UserForm\.tsx$/;
/** Chunks of the page of participants, whose entry the browser has there. */
const PARTICIPANTS = /consultation\/web\/(wx|video)\//;
/** The field in which definitions are written: CodeMirror, by the click that opens the editor. */
const CODE_FIELD = /lowcode\/web\/editor\/codeField\.ts$/;
/** What draws charts: chart.js, by the first of them that is shown. */
const CHARTS = /insurance\/web\/statistics\/engine\.ts$/;
const PAGE = /domains\/[^/]+\/web\/.+\.tsx$/;

const dist = path.join(root, 'dist');

/** JavaScript files that the browser loads for a chunk: its own and, recursively, what it imports at once. */
function filesOf(manifest: Manifest, key: string, seen = new Set<string>()): Set<string> {
  const chunk = manifest[key];
  if (!chunk || seen.has(chunk.file)) return seen;
  if (chunk.file.endsWith('.js')) seen.add(chunk.file);
  for (const next of chunk.imports ?? []) filesOf(manifest, next, seen);
  return seen;
}

/** What is in the browser already when a chunk is asked for: whatever all of those that ask for it have loaded. */
function loadedBefore(manifest: Manifest, key: string, seen: ReadonlySet<string> = new Set()): Set<string> {
  const asking = Object.keys(manifest).filter((other) => manifest[other]?.dynamicImports?.includes(key) && !seen.has(other));
  const deeper = new Set([...seen, key]);
  const loaded = asking.map((other) => union(filesOf(manifest, other), loadedBefore(manifest, other, deeper)));
  return new Set([...(loaded[0] ?? [])].filter((file) => loaded.every((one) => one.has(file))));
}

/** Files that import one another in a circle: which of them runs first depends on who asks. */
function circles(manifest: Manifest): string[] {
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (key: string, above: readonly string[]) => {
    if (above.includes(key)) return void found.push([...above.slice(above.indexOf(key)), key].join(' → '));
    if (done.has(key)) return;
    for (const next of manifest[key]?.imports ?? []) visit(next, [...above, key]);
    done.add(key);
  };
  for (const key of Object.keys(manifest)) visit(key, []);
  return found;
}

const sizes = new Map<string, number>();
function kilobytes(files: Iterable<string>): number {
  let sum = 0;
  for (const file of files) {
    const size = sizes.get(file) ?? gzipSync(readFileSync(path.join(dist, file)), { level: 9 }).length;
    sizes.set(file, size);
    sum += size;
  }
  return sum / 1024;
}

const union = (...sets: ReadonlySet<string>[]) => new Set(sets.flatMap((set) => [...set]));

/** Compares what the browser loads with the limits, and prints it. */
export function checkBundle(): Outcome {
  const manifest = JSON.parse(readFileSync(path.join(dist, '.vite/manifest.json'), 'utf8')) as Manifest;
  const keyOf = (test: (key: string, chunk: Chunk) => boolean) => Object.entries(manifest).find(([key, chunk]) => test(key, chunk))?.[0];
  const entryKey = keyOf((key) => key === 'index.html');
  if (!entryKey) throw new Error('The build names no file of its first page.');
  const entry = filesOf(manifest, entryKey);
  const withEntry = (pattern: RegExp, ...more: ReadonlySet<string>[]) => {
    const key = keyOf((name) => pattern.test(name));
    return key ? union(entry, ...more, filesOf(manifest, key)) : null;
  };
  // A part that is no chunk of its own is in the entry.
  const shell = withEntry(SHELL) ?? entry;
  const firstList = withEntry(FIRST_LIST, shell);
  const firstForm = firstList && withEntry(FIRST_FORM, firstList);
  const inCircles = circles(manifest);
  for (const circle of inCircles) console.log(`FAILED files in a circle: ${circle}`);
  const outcome: Outcome = inCircles.length === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: inCircles.length };
  const check = (name: string, files: ReadonlySet<string> | null, limit: number) => {
    const size = files ? kilobytes(files) : Number.NaN;
    const good = size <= limit;
    outcome[good ? 'passed' : 'failed']++;
    console.log(`${good ? 'ok    ' : 'FAILED'} ${name.padEnd(64)} ${files ? size.toFixed(1).padStart(7) : ' absent'} KB of ${limit}`);
  };
  check('login page', withEntry(LOGIN), LIMITS.login);
  check('shell', shell, LIMITS.shell);
  check('first list page, all in all', firstList, LIMITS.firstList);
  check('first list page with its form', firstForm, LIMITS.firstForm);
  const participants = filesOf(manifest, 'wx.html');
  check('page of participants', participants, LIMITS.participants);
  check('page of questionnaires', filesOf(manifest, 'form.html'), LIMITS.questionnaires);
  const known = union(shell, firstForm ?? shell, withEntry(LOGIN) ?? shell);
  // It stands in a chunk of its own, which nothing but the editor asks for; the frame has its own renderer, copied beside the bundle.
  const codeField = keyOf((key) => CODE_FIELD.test(key));
  check(
    'code field of low-code pages',
    codeField ? new Set([...filesOf(manifest, codeField)].filter((file) => !known.has(file))) : null,
    LIMITS.codeField,
  );
  const charts = keyOf((key) => CHARTS.test(key));
  check('charts', charts ? new Set([...filesOf(manifest, charts)].filter((file) => !known.has(file))) : null, LIMITS.charts);
  check('frame of low-code pages', filesOf(manifest, 'frame.html'), LIMITS.frame);
  for (const [key, chunk] of Object.entries(manifest)) {
    if (!chunk.isDynamicEntry || !PAGE.test(key) || LOGIN.test(key) || FIRST_LIST.test(key) || FIRST_FORM.test(key)) continue;
    const before = union(known, loadedBefore(manifest, key));
    const own = [...filesOf(manifest, key)].filter((file) => !before.has(file) && !(PARTICIPANTS.test(key) && participants.has(file)));
    check(key.replace(/^(\.\.\/)+/, ''), new Set(own), LIMITS.furtherPage);
  }
  return outcome;
}
