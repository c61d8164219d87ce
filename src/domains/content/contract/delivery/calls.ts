import * as z from 'zod/mini';
import { access, call } from '../../../../kernel/contract/call.ts';
import { field } from '../../../../kernel/contract/field.ts';
import { idOut } from '../../../../kernel/contract/fields.ts';
import { pageCodes } from '../floors/clientPages.ts';
import { floorLayouts, floorTypes } from '../floors/dictionaries.ts';

/** What a client shows of one of its pages now: the live release without what is left out. */
export const queryPageContent = call({
  host: 'gateway',
  service: 'ContentService',
  operation: 'queryPageContent',
  kind: 'query',
  shape: 'data',
  label: '查询页面内容',
  access: access.public,
  ratePerMinute: 600,
  input: z.strictObject({ pageCode: field('页面', z.string().check(z.maxLength(32))) }),
  output: z.strictObject({
    pageCode: pageCodes.schema,
    /** Number of the release; 0 where the page has none. */
    seq: z.int(),
    floors: z.array(
      z.strictObject({
        floorKey: z.string(),
        floorType: floorTypes.schema,
        /** Empty where it is not to be shown. */
        title: z.string(),
        layout: floorLayouts.schema,
        items: z.array(
          z.strictObject({
            title: z.string(),
            link: z.string(),
            objectId: z.nullable(idOut),
            objectNo: z.string(),
            objectName: z.string(),
          }),
        ),
      }),
    ),
  }),
});
