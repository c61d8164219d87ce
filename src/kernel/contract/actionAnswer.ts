import * as z from 'zod/mini';
import { idOut } from './fields.ts';

/** What every action on a record answers: its state now and what may be done next. */
export const actionAnswer = z.strictObject({ id: idOut, state: z.string(), version: z.int(), allowedActions: z.array(z.string()) });
