import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { registers } from '#testing/registers.ts';
import { wideLines, WIDTH } from './checks/wideLines.ts';
import { TIMES_FILE, type StepTimes } from './test/times.ts';

// npm run house: how large the house is, and where one field is written again and again. Counts what git tracks; runs nothing.
const root = path.join(import.meta.dirname, '..');
const TEST = /\.(test|cases)\.tsx?$|\/testing\/|^e2e\//;
const GENERATED = /\/tables\.ts$/;

/** Ordinary entered fields, one of each large register: each line that holds the name, be it a place of the field or a use of it. */
const SAMPLES: readonly { domain: string; record: string; field: string }[] = [
  { domain: 'institution', record: 'hospital', field: 'campusName' },
  { domain: 'institution', record: 'hospital', field: 'website' },
  { domain: 'pharma', record: 'product line', field: 'therapyArea' },
  { domain: 'pharma', record: 'medicine', field: 'adverseReaction' },
  { domain: 'channel', record: 'channel', field: 'costNote' },
  { domain: 'doctor', record: 'doctor', field: 'practiceScope' },
];

interface Source {
  file: string;
  text: string;
}

const sources: readonly Source[] = execFileSync('git', ['ls-files', '-z', '*.ts', '*.tsx', '*.mjs', '*.css', 'migrations/*.sql'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\0')
  .filter((file) => file !== '' && existsSync(path.join(root, file)))
  .map((file) => ({ file, text: readFileSync(path.join(root, file), 'utf8') }));

const linesOf = (text: string) => text.split('\n').length - (text.endsWith('\n') ? 1 : 0);

/** The room that a file stands in, and its part of that room. */
function roomOf(file: string): { room: string; part: string } {
  const [, area, name = '', side = ''] = /^src\/(domains|kernel)\/([^/]+)\/(?:([^/]+)\/)?/.exec(file) ?? [];
  if (area === undefined)
    return {
      room: file.startsWith('src/') ? 'src (roots, events, testing)' : `${file.split('/')[0]}`,
      part: TEST.test(file) ? 'tests' : 'code',
    };
  const room = area === 'kernel' ? 'kernel' : name;
  const half = area === 'kernel' ? name : side;
  if (TEST.test(file)) return { room, part: 'tests' };
  if (GENERATED.test(file)) return { room, part: 'generated' };
  return { room, part: file.includes('/demo/') ? 'demo' : half };
}

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): void {
  const all = [head, ...rows.map((row) => row.map(String))];
  const widths = head.map((_, at) => Math.max(...all.map((row) => (row[at] ?? '').length)));
  for (const row of all)
    console.log(
      row
        .map((cell, at) => (at === 0 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!)))
        .join('  ')
        .trimEnd(),
    );
  console.log('');
}

const PARTS = ['contract', 'server', 'web', 'demo', 'tests', 'generated', 'code'];

function sizes(): void {
  const counted = new Map<string, Map<string, number>>();
  for (const { file, text } of sources) {
    const { room, part } = roomOf(file);
    const parts = counted.get(room) ?? new Map<string, number>();
    parts.set(part, (parts.get(part) ?? 0) + linesOf(text));
    counted.set(room, parts);
  }
  const sum = (parts: ReadonlyMap<string, number>) => [...parts.values()].reduce((a, b) => a + b, 0);
  const rows = [...counted]
    .sort((a, b) => sum(b[1]) - sum(a[1]))
    .map(([room, parts]) => [room, ...PARTS.map((part) => parts.get(part) ?? ''), sum(parts)]);
  const total = (part: string) => [...counted.values()].reduce((all, parts) => all + (parts.get(part) ?? 0), 0);
  table(['lines', ...PARTS, 'all'], [...rows, ['all', ...PARTS.map(total), sources.reduce((all, { text }) => all + linesOf(text), 0)]]);
}

/** Columns whose CHECK constraint makes a union of codes of their type. */
const codeColumns = (): ReadonlySet<string> =>
  new Set(
    sources
      .filter(({ file }) => GENERATED.test(file))
      .flatMap(({ text }) => [...text.matchAll(/^ {2}(\w+): [^;\n]*'[A-Z0-9_]+'/gm)].map(([, name]) => name!)),
  );

function shape(): void {
  const product = sources.filter(({ file }) => file.startsWith('src/') && /\.tsx?$/.test(file) && !GENERATED.test(file));
  const lengths = product
    .filter(({ file }) => !TEST.test(file))
    .map(({ file, text }) => ({ file, lines: linesOf(text) }))
    .sort((a, b) => a.lines - b.lines);
  const at = (share: number) => lengths[Math.min(lengths.length - 1, Math.floor(lengths.length * share))]?.lines ?? 0;
  const wide = sources
    .filter(({ file }) => /\.(?:tsx?|mjs)$/.test(file) && !GENERATED.test(file))
    .flatMap(({ file, text }) => wideLines(file, text));
  const letters = sources.reduce((all, { text }) => all + text.length, 0);
  const casts = product.flatMap(({ text }) => [...text.matchAll(/\bas [A-Z]\w*(?:<[^>]*>)?\[['"](\w+)/g)].map(([, key]) => key!));
  const codes = codeColumns();
  table(
    ['shape', ''],
    [
      ['files of the product', lengths.length],
      ['lines of a file, median', at(0.5)],
      ['lines of a file, 95 of 100', at(0.95)],
      ['longest file', `${lengths.at(-1)?.lines} ${lengths.at(-1)?.file}`],
      [`lines wider than ${WIDTH} that can be broken`, wide.filter(({ byLiteral }) => !byLiteral).length],
      [`lines wider than ${WIDTH} by one text or regular expression`, wide.filter(({ byLiteral }) => byLiteral).length],
      ['characters of all', letters],
      ["casts of code columns (`as Row['state']`)", casts.filter((key) => codes.has(key)).length],
      ["casts of other shapes: jsonb, forms, libraries (`as Row['rules']`)", casts.filter((key) => !codes.has(key)).length],
    ],
  );
}

const snake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function places(): void {
  const rows = SAMPLES.map(({ domain, record, field }) => {
    const name = new RegExp(String.raw`\b(${field}|${snake(field)})\b`);
    const within = sources.filter(
      ({ file }) =>
        (file.startsWith(`src/domains/${domain}/`) || file.startsWith(`migrations/`)) && !TEST.test(file) && !GENERATED.test(file),
    );
    const found = within.flatMap(({ file, text }) =>
      text
        .split('\n')
        .filter((line) => name.test(line))
        .map(() => (file.startsWith('migrations/') ? 'migration' : roomOf(file).part)),
    );
    const of = (part: string) => found.filter((one) => one === part).length || '';
    return [`${record}.${field}`, of('migration'), of('contract'), of('server'), of('web'), of('demo'), found.length];
  });
  table(['lines that name a field: places, rules, filters, demo data', 'migration', 'contract', 'server', 'web', 'demo', 'all'], rows);
  // Each was tried with a field that no register has yet; a place that is forgotten fails src/testing/registers.test.ts.
  const written = Object.entries(registers).map(([record, { places }]) => {
    const all = ['migration', 'contract', ...Object.keys(places)];
    return [record, all.join(', '), all.length];
  });
  table(['places where a new field is written', '', ''], written);
}

function times(): void {
  if (!existsSync(TIMES_FILE)) return console.log('No times of tests yet: npm test writes them.');
  const { steps, files } = JSON.parse(readFileSync(TIMES_FILE, 'utf8')) as StepTimes;
  table(
    ['seconds of the last npm test', ''],
    [
      ...steps.map(({ name, seconds }) => [name, seconds.toFixed(1)]),
      ['all', steps.reduce((all, { seconds }) => all + seconds, 0).toFixed(1)],
    ],
  );
  table(['seconds of a domain’s own files', 'files', 'share of the run'], domainTimes(steps, files));
  table(
    ['slowest files', ''],
    files.slice(0, 20).map(({ file, seconds }) => [file, seconds.toFixed(1)]),
  );
}

/** The domains that stood when the whole took 1,150 to 1,370 s. */
const NINE = ['identity', 'files', 'pharma', 'institution', 'channel', 'doctor', 'patient', 'consultation', 'corpus'];

/**
 * Seconds of the tests and journeys of each domain. Files run beside one another: the share is what their step took, divided by the seconds
 * of its files. What walks every domain counts for none of them.
 */
function domainTimes(steps: StepTimes['steps'], files: StepTimes['files']): [string, string, string][] {
  const inFiles = Map.groupBy(files, ({ step }) => step);
  const shareOf = new Map(
    steps.map(({ name, seconds }) => {
      const all = (inFiles.get(name) ?? []).reduce((sum, file) => sum + file.seconds, 0);
      return [name, all === 0 ? 0 : seconds / all];
    }),
  );
  const domainOf = (file: string) => /^(?:src\/domains|e2e)\/([^/]+)\//.exec(file)?.[1] ?? 'every domain, kernel, tools';
  const rowOf = (name: string, wanted: (domain: string) => boolean): [string, string, string] => {
    const own = files.filter(({ file }) => wanted(domainOf(file)));
    const share = own.reduce((sum, { step, seconds }) => sum + seconds * (shareOf.get(step) ?? 0), 0);
    return [name, own.reduce((sum, { seconds }) => sum + seconds, 0).toFixed(1), share.toFixed(1)];
  };
  const domains = [...new Set(files.map(({ file }) => domainOf(file)))].map((domain) => rowOf(domain, (one) => one === domain));
  return [...domains.toSorted((a, b) => Number(b[2]) - Number(a[2])), rowOf(`the nine: ${NINE.join(', ')}`, (one) => NINE.includes(one))];
}

sizes();
shape();
places();
times();
