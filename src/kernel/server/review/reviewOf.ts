import { duplicatesOf } from './duplicates.ts';
import { materialsOf } from './materials.ts';
import type { ReviewSettings } from './review.ts';
import { supplementsOf } from './supplements.ts';

/** Materials, supplements and duplicates of the cases of a domain, in its own tables; rights and states are the domain's. */
export const reviewOf = <Type extends string, Signal extends string>(settings: ReviewSettings<Type, Signal>) => ({
  materials: materialsOf(settings),
  supplements: supplementsOf(settings),
  duplicates: duplicatesOf(settings),
});
