import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './step.ts';

/** Where the last `npm test` left how long it took; `npm run house` reads it. */
export const TIMES_FILE = path.join(root, 'node_modules/.cache/kangqiao/test-times.json');

/** Seconds of each step, and of each file of tests within its step, slowest first. */
export interface StepTimes {
  steps: { name: string; seconds: number }[];
  files: { step: string; file: string; seconds: number }[];
}

/** Keeps the times and says where most of them went. */
export function reportTimes(times: StepTimes): void {
  const files = times.files.toSorted((a, b) => b.seconds - a.seconds);
  mkdirSync(path.dirname(TIMES_FILE), { recursive: true });
  writeFileSync(TIMES_FILE, JSON.stringify({ ...times, files }));
  console.log('\nslowest files');
  for (const { step, file, seconds } of files.slice(0, 15)) console.log(`${seconds.toFixed(1).padStart(7)} s  ${file}  (${step})`);
}

/** Keeps how long each file of journeys took, by which they are shared out (e2e/shares.ts). */
export function recordJourneys(files: readonly { file: string; seconds: number }[]): void {
  const journeys = files
    .filter(({ file }) => file.startsWith('e2e/'))
    .map(({ file, seconds }) => [file.slice(4), Math.round(seconds)] as const);
  if (journeys.length === 0) return;
  const sorted = journeys.toSorted(([one], [other]) => one.localeCompare(other));
  writeFileSync(path.join(root, 'e2e/seconds.json'), `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
}
