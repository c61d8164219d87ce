import type { BatchMode, BatchState } from '../../contract/batchDictionaries.ts';
import type { OrderFate } from './specs.ts';

/** A list of the demonstration: whose policy, what its rows are, and how far it came. */
export interface ListSpec {
  /** Index among the group policies that are in force, or whose policy it is. */
  policy: number | string;
  /** When it was handed in, where it belongs to a story: days from today and the time; else one after another until now. */
  at?: readonly [day: number, time: string];
  /** At which time of that day it was taken back. */
  undoneAt?: string;
  /** What became of the order that it made. */
  order?: OrderFate;
  mode: BatchMode;
  state: BatchState;
  /** New persons; days before today from which they are covered, or until which those are who leave. */
  add?: number;
  back?: number;
  /** Persons who leave or get another mobile number. */
  remove?: number;
  /** Of those who leave, how many have a claim that is not decided. */
  claims?: number;
  /** New persons who sign a contract on their cover. */
  signs?: number;
  /** Takes back the list before it, without those who signed. */
  reverses?: boolean;
  modify?: number;
  /** Rows of each kind of error. */
  errors?: Readonly<Record<string, number>>;
  /** Percent of the covered persons whom a full list names. */
  fullPercent?: number;
}

/** 37 rows with one error each, of nine kinds. */
const MANY_ERRORS = { E01: 6, E02: 5, E03: 5, E04: 5, E05: 4, E06: 3, E07: 4, E09: 3, E16: 2 };

/** 26 lists, in every state. */
export const listSpecs: readonly ListSpec[] = [
  // (1) told twenty days late; eight leave, one of them with an open claim, so that another person looks at it
  { policy: '江南科技有限公司', mode: 'ADD', state: 'APPLIED', add: 12, back: 20, at: [-2, '10:05'], order: 'SETTLED' },
  { policy: '江南科技有限公司', mode: 'REMOVE', state: 'APPLIED', remove: 8, back: 3, claims: 1, at: [-1, '15:20'], order: 'SETTLED' },
  // (2) the wrong file in the morning, taken back at noon, the right one after it
  { policy: '滨江建设集团有限公司', mode: 'ADD', state: 'UNDONE', add: 18, at: [-1, '09:20'], undoneAt: '12:05' },
  { policy: '滨江建设集团有限公司', mode: 'ADD', state: 'APPLIED', add: 15, at: [-1, '14:30'] },
  // (3) two of its persons signed: it cannot be taken back as a whole, the others leave by a list that reverses it
  { policy: '沪上金融服务有限公司', mode: 'ADD', state: 'APPLIED', add: 9, back: 5, signs: 2, at: [-1, '10:40'] },
  { policy: '沪上金融服务有限公司', mode: 'MIXED', state: 'APPLIED', reverses: true, at: [-1, '16:50'] },
  { policy: 1, mode: 'MIXED', state: 'APPLIED', add: 6, remove: 3 },
  { policy: 3, mode: 'MIXED', state: 'APPLIED', add: 3, modify: 5 },
  { policy: 4, mode: 'MIXED', state: 'UNDONE', add: 4, remove: 2 },
  { policy: 0, mode: 'REMOVE', state: 'PENDING_AUDIT', remove: 8 },
  { policy: 1, mode: 'ADD', state: 'PENDING_AUDIT', add: 5, back: 45 },
  { policy: 4, mode: 'ADD', state: 'PENDING_AUDIT', add: 3, back: 60 },
  { policy: 2, mode: 'MIXED', state: 'PREVIEW', add: 10, remove: 2 },
  { policy: 5, mode: 'ADD', state: 'PREVIEW', add: 4, back: 40 },
  { policy: 6, mode: 'REMOVE', state: 'PREVIEW', remove: 3 },
  { policy: 7, mode: 'MIXED', state: 'PREVIEW', add: 2, modify: 6 },
  { policy: 0, mode: 'ADD', state: 'HAS_ERROR', add: 25, errors: MANY_ERRORS },
  { policy: 3, mode: 'FULL', state: 'HAS_ERROR', fullPercent: 75 },
  { policy: 5, mode: 'ADD', state: 'HAS_ERROR', add: 6, errors: { E01: 1, E04: 1 } },
  { policy: 7, mode: 'ADD', state: 'HAS_ERROR', add: 3, errors: { E07: 2 } },
  { policy: 1, mode: 'ADD', state: 'UPLOADED', add: 5 },
  { policy: 4, mode: 'ADD', state: 'DISCARDED', add: 4 },
  { policy: 6, mode: 'ADD', state: 'PARSING', add: 20 },
  { policy: 8, mode: 'ADD', state: 'APPLYING', add: 6 },
  { policy: 9, mode: 'ADD', state: 'UNDOING', add: 5 },
  { policy: 10, mode: 'ADD', state: 'APPLY_FAILED', add: 4 },
];
