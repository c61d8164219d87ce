import { dayOf, instantOf, type Day } from '../../contract/time.ts';

/** The day in Asia/Shanghai, as the browser's clock has it. */
export const todayHere = (): Day => dayOf(instantOf(Date.now()));
