import type { Call, InputOf } from '#kernel/contract/call.ts';
import type { StaffWish, TestStaff } from './staff.ts';
import type { TestApp } from './testApp.ts';

/** What a call needs to be tried: one input that must succeed and, where it names a record, one that names a foreign one. */
export interface CallCase<C extends Call = Call> {
  call: C;
  /** Makes the fixture and answers an input that must succeed for `as`. */
  valid(app: TestApp, as: TestStaff | null): Promise<InputOf<C>>;
  /** Who makes it; by default somebody who holds exactly the call's permission. Null: nobody is logged in. */
  as?: StaffWish | null;
  /** Input whose record does not exist or lies outside the scope of `as`: must be answered SCM90040. */
  foreign?(app: TestApp, as: TestStaff | null): Promise<InputOf<C>>;
  /** Headers of who is no staff user: a participant's token. */
  headers?(app: TestApp): Promise<Record<string, string>>;
  /** Of a call of insurers' machines: the insurer whose rows the input names. */
  insurer?(app: TestApp): Promise<string>;
  /** Prepares whoever makes the call (a step-up, a second session). */
  prepare?(app: TestApp, as: TestStaff): Promise<void>;
}

/** Gives a case its call's types. */
export const callCase = <C extends Call>(
  call: C,
  valid: CallCase<C>['valid'],
  more: Omit<CallCase<C>, 'call' | 'valid'> = {},
): CallCase => {
  // A registry of cases of many calls: each input goes back to its own call only.
  const entry: CallCase<C> = { call, valid, ...more };
  return entry as CallCase;
};
