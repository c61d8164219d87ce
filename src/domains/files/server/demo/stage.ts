import type { DemoContext } from '#kernel/server/module.ts';
import type { Checker } from '#domains/identity/server/index.ts';

export interface DemoStage extends DemoContext {
  /** Who works here: administrators and auditors. */
  people: readonly Checker[];
  /** An instant so many minutes ago. */
  ago(n: number): string;
}
