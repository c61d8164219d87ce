import { queryExceptionCounts, queryExceptionList } from '../contract/calls/exceptions.ts';

/** What is read again after an exception was handled, or after what opens and closes exceptions. */
export const exceptionReads = [queryExceptionList, queryExceptionCounts];
