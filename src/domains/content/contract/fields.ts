import * as z from 'zod/mini';
import { field } from '#kernel/contract/field.ts';

/** A field that is null where nothing was given. */
export const maybe = <T extends z.ZodMiniType>(label: string, schema: T) => field(label, z._default(z.nullable(schema), null));
