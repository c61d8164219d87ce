import * as z from 'zod/mini';
import { between } from '#kernel/contract/between.ts';
import { institutionErrors } from './errors.ts';
import { adcode, latE6, lngE6 } from './fields.ts';
import { insideRegion } from './geometry.ts';

/** Where something stands: a point, if there is one, lies in its region. */
export const placeInput = z
  .object({ adcode, latE6: z._default(latE6, null), lngE6: z._default(lngE6, null) })
  .check(
    between(
      ['adcode', 'latE6', 'lngE6'],
      (place) => place.lngE6 === null || place.latE6 === null || insideRegion(place.adcode, { lngE6: place.lngE6, latE6: place.latE6 }),
      institutionErrors.OUTSIDE_REGION,
    ),
  );
