import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { buildBrowser } from '../build/browser.ts';
import { checkBundle } from './bundle.ts';
import { changesBrowser, filesSince, journeyFolders, journeysOf } from './changed.ts';
import { FIRST_START } from './firstStart.ts';
import { asOutcome, root, run, together, vitest, type Outcome } from './step.ts';
import { recordJourneys, reportTimes } from './times.ts';
import { ON_SYSTEM, ON_SYSTEM_FILES } from './onSystem.ts';
import { findSystemPostgres, withSystemPostgres } from './systemPostgres.ts';

// npm test: every check; the last line counts them. `--system-postgres` runs on the machine's own PostgreSQL all migrations and
// demonstrations and every call of the product with its refusals, instead of on the embedded server, and the kernel once more;
// `--only=<step>` runs the steps of that name alone; `--record` keeps the times of the journeys, by which their next halves are shared out;
// `--changed` (or `--changed=<commit>`) what a change since the last (that) commit can touch, for daily work.
const system = process.argv.includes('--system-postgres') ? findSystemPostgres() : null;
if (!system && process.argv.includes('--system-postgres'))
  console.log('No system PostgreSQL 15 or newer: all tests run on the embedded server.');
const changed = process.argv.find((one) => one === '--changed' || one.startsWith('--changed='));
const since = changed === undefined ? null : changed.slice('--changed='.length) || 'HEAD';
const only = process.argv.find((one) => one.startsWith('--only='))?.slice(7) ?? null;

const handedOver = mkdtempSync(path.join(os.tmpdir(), 'kangqiao-handed-'));
// The account of the embedded server passes through.
chmodSync(handedOver, 0o711);
const firstStart = path.join(handedOver, 'data');

interface Step {
  name: string;
  run(): Promise<Outcome>;
}

const steps: Step[] = [
  { name: 'format', run: async () => asOutcome(await run('node_modules/oxfmt/bin/oxfmt', ['--check', '.'])) },
  {
    // One checker: each further one works out the contracts' types once more, which costs more than it saves beside the lint.
    name: 'types',
    run: async () => asOutcome(await run('node_modules/typescript/bin/tsc', ['--noEmit', '--checkers', '1'])),
  },
  {
    name: 'lint',
    run: async () =>
      asOutcome(
        await run('node_modules/oxlint/bin/oxlint', [
          '--type-aware',
          ...['src', 'scripts', 'e2e', 'bench', 'vite.config.ts', 'vitest.config.ts'].filter((one) => existsSync(path.join(root, one))),
        ]),
      ),
  },
  // Files, exports, types and packages that nobody uses (knip.json).
  { name: 'dead code', run: async () => asOutcome(await run('node_modules/knip/bin/knip.js', ['--no-progress'])) },
  {
    name: 'build',
    run: async () => {
      await buildBrowser({ force: true });
      return { passed: 1, failed: 0 };
    },
  },
  { name: 'bundle', run: async () => checkBundle() },
  // Import directions, house rules, table types, units, API, races, the embedded server, the program as a process.
  {
    name: 'tests',
    run: () => vitest([], { IM_CHAOS: 'apart', [FIRST_START]: firstStart, ...(system && { [ON_SYSTEM]: 'apart' }) }),
  },
  {
    // Two processes of the chat killed and cut off while two hundred people write, and Redis away.
    name: 'chat under failures',
    run: () => vitest(['src/testing/im/chaos.test.ts'], { IM_CHAOS: 'large' }),
  },
  {
    // Two halves of their time (e2e/shares.ts), each on a product and with a clock of its own.
    name: 'journeys',
    run: async () => {
      const begun: Record<string, string> = existsSync(firstStart) ? { [FIRST_START]: firstStart } : {};
      return together(await Promise.all([1, 2].map((half) => vitest(['--config', 'e2e/vitest.config.ts', `--shard=${half}/2`], begun))));
    },
  },
];

if (system)
  steps.push({
    name: `tests on PostgreSQL ${system.version}`,
    run: () => withSystemPostgres(system, (url) => vitest(['src/kernel/server', ...ON_SYSTEM_FILES], { KANGQIAO_TEST_DATABASE_URL: url })),
  });

/** What can be touched: checks of the whole text, tests that read a changed file, journeys of the changed domains. */
function stepsSince(commit: string): Step[] {
  const files = filesSince(commit);
  const journeys = journeysOf(files, journeyFolders());
  const browser = changesBrowser(files) || journeys.length > 0;
  return [
    ...steps.filter(({ name }) => ['format', 'types', 'lint', 'dead code', ...(browser ? ['build', 'bundle'] : [])].includes(name)),
    { name: 'tests that read it', run: () => vitest([`--changed=${commit}`, '--passWithNoTests']) },
    // They read the text of all files.
    { name: 'house rules', run: () => vitest(['src/testing/house.test.ts', 'src/testing/design.test.ts']) },
    ...(journeys.length > 0
      ? [{ name: 'journeys', run: () => vitest(['--config', 'e2e/vitest.config.ts', ...journeys.map((folder) => `${folder}/`)]) }]
      : []),
  ];
}

const READING = new Set(['format', 'types', 'lint', 'dead code', 'build']);

interface Result {
  name: string;
  outcome: Outcome;
  seconds: number;
}

async function take({ name, run: runStep }: Step): Promise<Result> {
  console.log(`\n── ${name}`);
  const start = performance.now();
  const outcome = await runStep().catch((error: unknown): Outcome => {
    console.error((error as Error).message);
    return { passed: 0, failed: 1 };
  });
  return { name, outcome, seconds: (performance.now() - start) / 1000 };
}

const began = performance.now();
const chosen = (since === null ? steps : stepsSince(since)).filter(({ name }) => only === null || name.startsWith(only));
// What only reads the sources, and what the browser gets of them, beside one another; the rest uses the machine for itself.
const results = await Promise.all(chosen.filter(({ name }) => READING.has(name)).map(take));
for (const step of chosen.filter(({ name }) => !READING.has(name))) results.push(await take(step));

rmSync(handedOver, { recursive: true, force: true });
reportTimes({
  steps: results.map(({ name, seconds }) => ({ name, seconds })),
  files: results.flatMap(({ name, outcome }) => (outcome.files ?? []).map((one) => ({ step: name, ...one }))),
});
if (process.argv.includes('--record')) recordJourneys(results.flatMap(({ outcome }) => outcome.files ?? []));

console.log('');
for (const { name, outcome, seconds } of results) {
  console.log(
    `${outcome.failed === 0 ? 'ok    ' : 'FAILED'} ${name.padEnd(24)} ${seconds.toFixed(1).padStart(6)} s   ${outcome.passed} passed, ${outcome.failed} failed`,
  );
}
// Said again at the end, where a log of which only the end is kept still shows it.
for (const { name, outcome } of results) {
  for (const failure of (outcome.failures ?? []).slice(0, 5)) console.log(`\n✗ ${name}: ${failure}`);
}

const passed = results.reduce((sum, { outcome }) => sum + outcome.passed, 0);
const failed = results.reduce((sum, { outcome }) => sum + outcome.failed, 0);
console.log(`\n${passed} passed, ${failed} failed in ${Math.round((performance.now() - began) / 1000)} s`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
