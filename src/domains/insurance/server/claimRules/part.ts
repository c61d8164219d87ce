import type { ModulePart } from '../../../../kernel/server/modulePart.ts';
import { read } from './read.ts';
import { add, modify, remove } from './rules.ts';

/** Rules of versions by which claims are cut, held up or asked for more. */
export const claimRulesPart: ModulePart = { handlers: [read, add, modify, remove] };
