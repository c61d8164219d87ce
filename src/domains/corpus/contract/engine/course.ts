import * as z from 'zod/mini';
import { pauseReason } from './states.ts';

/** A step in the course of a run, kept so that any day of it can be gone through again. */
const courseStep = z.discriminatedUnion('act', [
  z.strictObject({ act: z.literal('PAUSE'), at: z.string(), reason: pauseReason.schema, until: z.string() }),
  z.strictObject({ act: z.literal('RESUME'), at: z.string(), by: z.enum(['PERSON', 'JOB']), moved: z.int() }),
  /** To another version. */
  z.strictObject({ act: z.literal('MIGRATE'), at: z.string(), from: z.string(), to: z.string() }),
]);
export type CourseStep = z.output<typeof courseStep>;
export const course = z.array(courseStep);
