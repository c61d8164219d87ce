import * as z from 'zod/mini';
import { text } from '#kernel/contract/fields.ts';

/** A text search field: empty counts as absent. */
export const sought = (label: string, max = 40) => z.optional(text(label, max));
