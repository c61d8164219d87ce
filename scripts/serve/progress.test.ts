import { expect, it } from 'vitest';
import type { StartStep } from '#kernel/server/start/steps.ts';
import { describeStep, reportSteps } from './progress.ts';

const steps = (phase: StartStep['phase'], of: number, names: readonly string[] = []): StartStep[] =>
  Array.from({ length: of }, (_, index) => ({ phase, name: names[index] ?? `${index}`, at: index + 1, of }));

it('a first start tells each phase, how far the long ones are, and each domain', () => {
  const lines: string[] = [];
  const report = reportSteps((line) => lines.push(line));
  for (const step of [
    ...steps('cluster', 1),
    ...steps('migrations', 25),
    ...steps('reference', 3),
    ...steps('demonstration', 2, ['identity', 'doctor']),
  ])
    report(step);
  expect(lines).toEqual([
    'Creating the database …',
    'Preparing its tables: 1 of 25 …',
    'Preparing its tables: 10 of 25 …',
    'Preparing its tables: 20 of 25 …',
    'Writing reference data: 1 of 3 …',
    'Writing demonstration data: 1 of 2 (identity) …',
    'Writing demonstration data: 2 of 2 (doctor) …',
  ]);
});

it('one that goes on says where', () => {
  const lines: string[] = [];
  const report = reportSteps((line) => lines.push(line));
  for (const step of steps('migrations', 25).slice(17)) report(step);
  expect(lines).toEqual(['Preparing its tables: 18 of 25 …', 'Preparing its tables: 20 of 25 …']);
});

it('a failure names the step', () => {
  expect(steps('migrations', 2, ['a.sql', 'b.sql']).map(describeStep)).toEqual([
    'preparing its tables, 1 of 2 (a.sql)',
    'preparing its tables, 2 of 2 (b.sql)',
  ]);
  expect(steps('cluster', 1).map(describeStep)).toEqual(['creating the database']);
});
