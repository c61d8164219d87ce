import type { JobDeclaration } from '../kernel.ts';

export type { JobContext, JobDeclaration } from '../kernel.ts';
export type { JobKind } from './kind.ts';

export const job = <Data extends object = Record<string, never>>(declaration: JobDeclaration<Data>) => declaration;
