import { dayOf, instantOf } from '../../../../kernel/contract/time.ts';

/** The day in Asia/Shanghai, as the browser's clock has it. */
export const todayHere = (): string => dayOf(instantOf(Date.now()));
