import type { StartStep } from '#kernel/server/start/steps.ts';

/** What a phase is called, and of how many of its steps one is told. */
const PHASES: Record<StartStep['phase'], { called: string; every: number }> = {
  cluster: { called: 'Creating the database', every: 1 },
  migrations: { called: 'Preparing its tables', every: 10 },
  reference: { called: 'Writing reference data', every: 5 },
  demonstration: { called: 'Writing demonstration data', every: 1 },
};

/** For a sentence: `preparing its tables, 3 of 36 (202611200003_kernel_jobs.sql)`. */
export const describeStep = ({ phase, name, at, of }: StartStep): string => {
  const { called } = PHASES[phase];
  return `${called.charAt(0).toLowerCase()}${called.slice(1)}${of > 1 ? `, ${at} of ${of} (${name})` : ''}`;
};

/** Lines of a start that read well in a log too: each phase as it begins, and how far it came; nothing of what is done already. */
export function reportSteps(print: (line: string) => void): (step: StartStep) => void {
  let phase: StartStep['phase'] | null = null;
  return (step) => {
    const { called, every } = PHASES[step.phase];
    if (step.phase === phase && step.at % every !== 0) return;
    phase = step.phase;
    const name = every === 1 && step.of > 1 ? ` (${step.name})` : '';
    print(`${called}${step.of > 1 ? `: ${step.at} of ${step.of}${name}` : ''} …`);
  };
}
