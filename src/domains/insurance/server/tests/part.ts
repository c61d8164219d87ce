import type { ModulePart } from '../../../../kernel/server/modulePart.ts';
import { add, list, modify, remove, run, trial } from './cases.ts';

/** Test cases of versions, and dry runs of claims. */
export const testsPart: ModulePart = { handlers: [trial, list, add, modify, remove, run] };
