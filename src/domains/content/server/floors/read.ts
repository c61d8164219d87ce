import { query } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { queryClientPageList, queryPageLayout } from '../../contract/floors/calls.ts';
import { clientTypeOf, pageCodes } from '../../contract/floors/clientPages.ts';
import { allowedTypes } from '../../contract/floors/dictionaries.ts';
import { diffOfFloors, MOST_FLOORS } from '../../contract/floors/rules.ts';
import { own } from '../database.ts';
import { imageUrl } from '../delivery/files.ts';
import { openOf, snapshotOf } from '../releases/snapshots.ts';
import { contentOf, draftOf } from './layout.ts';

const PREVIEW_WIDTH = 375;

export const pageList = query(queryClientPageList, async (_input, ctx) => {
  const rows = await own(ctx.db)
    .selectFrom('contentPageRelease')
    .select((eb) => ['pageCode', 'state', eb.fn<number>('jsonb_array_length', ['snapshot']).as('floors')])
    .where('state', 'in', ['LIVE', 'AUDITING'])
    .execute();
  return pageCodes.codes.map((pageCode) => {
    const clientType = clientTypeOf(pageCode);
    const of = (state: 'LIVE' | 'AUDITING') => rows.find((row) => row.pageCode === pageCode && row.state === state);
    return {
      pageCode,
      clientType,
      allowedFloorTypes: [...allowedTypes(clientType)],
      maxFloors: MOST_FLOORS,
      previewWidth: PREVIEW_WIDTH,
      liveFloors: of('LIVE')?.floors ?? 0,
      auditing: of('AUDITING') !== undefined,
    };
  });
});

export const pageLayout = (kernel: Kernel) =>
  query(queryPageLayout, async ({ pageCode }, ctx) => {
    const layout = await own(ctx.db)
      .selectFrom('contentPageLayout')
      .select(['version', 'updatedAt'])
      .where('pageCode', '=', pageCode)
      .executeTakeFirstOrThrow();
    const floors = await draftOf(ctx.db, pageCode);
    const live = await snapshotOf(ctx.db, pageCode, 'LIVE');
    return {
      pageCode,
      ...layout,
      floors: floors.map((floor) => ({
        ...floor,
        imageUrls: floor.items.map(({ imageFileId }) => imageUrl(kernel, imageFileId, ctx.now, 'THUMB')),
      })),
      live: live ? { id: live.id, seq: live.seq } : null,
      open: await openOf(ctx.db, pageCode),
      diff: diffOfFloors(live?.floors ?? [], contentOf(floors)),
    };
  });
