import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';

export const root = path.join(import.meta.dirname, '../..');

export interface Outcome {
  passed: number;
  failed: number;
  /** What failed and how, some lines each; said once more at the end of the run. */
  failures?: readonly string[];
  /** How long each file of tests took, in seconds. */
  files?: readonly { file: string; seconds: number }[];
}

/** Runs a program of node_modules on this Node with its output shown; resolves with its exit code. */
export function run(program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [path.join(root, program), ...args], {
      cwd: root,
      stdio: 'inherit',
      env: {
        ...process.env,
        // The tools' own `#!/usr/bin/env node` and children find the pinned Node first.
        PATH: `${path.dirname(process.execPath)}${path.delimiter}${process.env['PATH'] ?? ''}`,
        // Programs of the product that tests start one after another read its modules from here.
        NODE_COMPILE_CACHE: path.join(root, 'node_modules/.cache/kangqiao/compiled'),
        ...env,
      },
    });
    child.on('error', () => resolve(1));
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

/** What steps that ran beside one another found. */
export const together = (outcomes: readonly Outcome[]): Outcome => ({
  passed: outcomes.reduce((sum, { passed }) => sum + passed, 0),
  failed: outcomes.reduce((sum, { failed }) => sum + failed, 0),
  failures: outcomes.flatMap(({ failures }) => failures ?? []),
  files: outcomes.flatMap(({ files }) => files ?? []),
});

export const asOutcome = (code: number): Outcome => (code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 });

interface VitestReport {
  success: boolean;
  numPassedTests: number;
  numFailedTests: number;
  testResults: {
    name: string;
    status: string;
    message: string;
    startTime: number;
    endTime: number;
    assertionResults: { fullName: string; status: string; failureMessages: string[] | null }[];
  }[];
}

/** Lines of one fault that are said again: the message, then where it was thrown. */
const LINES = 8;

/** Each failed test with its file and the head of its fault; a file that could not be read with what it said. */
export function failuresOf({
  testResults,
}: {
  testResults: readonly Pick<VitestReport['testResults'][number], 'name' | 'status' | 'message' | 'assertionResults'>[];
}): string[] {
  const failureText = (name: string, what: string, message: string): string => {
    const lines = stripVTControlCharacters(message)
      .split('\n')
      .filter((line) => line.trim() !== '' && !line.includes('node_modules'));
    return [`${path.relative(root, name)}: ${what}`, ...lines.slice(0, LINES).map((line) => `    ${line.slice(0, 300)}`)].join('\n');
  };
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((one) => one.status === 'failed');
    if (failed.length === 0) return status === 'failed' ? [failureText(name, 'could not be run', message)] : [];
    return failed.map((one) => failureText(name, one.fullName, (one.failureMessages ?? []).join('\n')));
  });
}

/** Runs vitest and counts its tests; a file that could not even be read counts as one failure. */
export async function vitest(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Outcome> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'kangqiao-report-'));
  const file = path.join(folder, 'report.json');
  try {
    const code = await run(
      'node_modules/vitest/vitest.mjs',
      ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`, ...args],
      env,
    );
    const report = JSON.parse(readFileSync(file, 'utf8')) as VitestReport;
    const failed = report.numFailedTests || (report.success && code === 0 ? 0 : 1);
    const files = report.testResults.map(({ name, startTime, endTime }) => ({
      file: path.relative(root, name),
      seconds: (endTime - startTime) / 1000,
    }));
    return { passed: report.numPassedTests, failed, failures: failuresOf(report), files };
  } catch {
    return { passed: 0, failed: 1 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
