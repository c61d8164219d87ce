import type { ModulePart } from '../../../../kernel/server/modulePart.ts';
import { add, list, modify, remove, riders, run, trial } from './cases.ts';

/** Test cases of versions, and dry runs of claims. */
export const testsPart: ModulePart = { handlers: [trial, riders, list, add, modify, remove, run] };
