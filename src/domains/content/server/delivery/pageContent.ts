import { platformErrors, refuse } from '../../../../kernel/contract/errors.ts';
import { everyone } from '../../../../kernel/server/auth/viewer.ts';
import { query } from '../../../../kernel/server/handler.ts';
import type { Kernel } from '../../../../kernel/server/kernel.ts';
import { queryPageContent } from '../../contract/delivery/calls.ts';
import { pageCodes } from '../../contract/floors/clientPages.ts';
import { resolveFor } from '../releases/resolve.ts';
import { snapshotOf } from '../releases/snapshots.ts';

/** Read anew for every request, one release and the names of its things: what is released shows at once on every node. */
export const pageContent = (kernel: Kernel) =>
  query(queryPageContent, async ({ pageCode: asked }, { db, now }) => {
    const pageCode = pageCodes.codes.find((code) => code === asked);
    if (pageCode === undefined) throw refuse(platformErrors.NOT_FOUND);
    const live = await snapshotOf(db, pageCode, 'LIVE');
    const floors = await resolveFor(kernel, db, everyone, live?.floors ?? [], now, now);
    return {
      pageCode,
      seq: live?.seq ?? 0,
      floors: floors
        .filter(({ reason }) => reason === null)
        .map(({ floorKey, floorType, title, showTitle, layout, items }) => ({
          floorKey,
          floorType,
          title: showTitle ? title : '',
          layout,
          items: items
            .filter(({ reason }) => reason === null)
            .map((item) => ({
              title: item.title,
              link: item.link,
              objectId: item.objectId,
              objectNo: item.objectNo,
              objectName: item.objectName ?? '',
            })),
        })),
    };
  });
