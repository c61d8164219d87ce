import * as z from 'zod/mini';
import { textOrNull } from './fields.ts';

/** One change that a transition made. */
export const trailDifference = z.strictObject({
  path: z.string(),
  label: z.string(),
  before: z.optional(z.unknown()),
  after: z.optional(z.unknown()),
});

/** One entry of a record's timeline, as the audit trail keeps it. */
export const trailEntry = z.strictObject({
  id: z.string(),
  action: z.string(),
  label: z.string(),
  fromState: textOrNull,
  toState: textOrNull,
  opinion: textOrNull,
  diff: z.array(trailDifference),
  at: z.string(),
  opNo: textOrNull,
  displayName: z.string(),
});

/** The timeline of a record, oldest first; a field of the answer of its detail. */
export const trail = z.array(trailEntry);
