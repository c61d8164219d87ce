import { sql } from 'kysely';
import { query } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { diffOfFloors } from '../../contract/floors/rules.ts';
import { previewPage, queryPageReleaseDiff, queryPageReleaseList } from '../../contract/releases/calls.ts';
import type { CheckedInputOf } from '#kernel/contract/call.ts';
import { refuseField } from '#kernel/contract/errors.ts';
import type { QueryContext } from '#kernel/server/context.ts';
import { stranger, type PageViewer } from '../../contract/delivery/audience.ts';
import { clientTypeOf, type PageCode } from '../../contract/floors/clientPages.ts';
import { own } from '../database.ts';
import { personOf } from '../delivery/checks.ts';
import { imageUrl } from '../delivery/files.ts';
import { placesFor } from '../gateway/places.ts';
import { viewerOf } from '../gateway/viewer.ts';
import { typeOf } from '../marks/objects.ts';
import { contentOf, draftOf } from '../floors/layout.ts';
import { resolveFor } from './resolve.ts';
import { requireSnapshot, snapshotOf } from './snapshots.ts';

const NEWEST = 100;
const nameOf = (column: string) => sql<string | null>`(select u.display_name from identity_staff_user u where u.id = ${sql.ref(column)})`;

export const releaseList = query(queryPageReleaseList, async ({ pageCode }, ctx) => {
  const rows = await own(ctx.db)
    .selectFrom('contentPageRelease as r')
    .select(['r.id', 'r.seq', 'r.state', 'r.contentHash', 'r.effectiveAt', 'r.submittedAt', 'r.submittedBy', 'r.auditedAt', 'r.opinion'])
    .select((eb) => eb.fn<number>('jsonb_array_length', ['r.snapshot']).as('floors'))
    .select([nameOf('r.submitted_by').as('submittedByName'), nameOf('r.audited_by').as('auditedByName')])
    .where('r.pageCode', '=', pageCode)
    .orderBy('r.seq', 'desc')
    .limit(NEWEST)
    .execute();
  return rows.map(({ submittedBy, ...row }) => ({ ...row, mine: submittedBy === ctx.staff.userId }));
});

export const releaseDiff = query(queryPageReleaseDiff, async ({ pageCode, from, to }, ctx) =>
  diffOfFloors((await requireSnapshot(ctx.db, pageCode, from)).floors, (await requireSnapshot(ctx.db, pageCode, to)).floors),
);

export const preview = (kernel: Kernel) =>
  query(previewPage, async ({ pageCode, source, at: asked, as }, ctx) => {
    const floors =
      source === 'DRAFT'
        ? contentOf(await draftOf(ctx.db, pageCode))
        : source === 'LIVE'
          ? ((await snapshotOf(ctx.db, pageCode, 'LIVE'))?.floors ?? [])
          : (await requireSnapshot(ctx.db, pageCode, source)).floors;
    const { viewer, personName } = await seenAs(kernel, ctx, pageCode, as);
    const at = asked ?? ctx.now;
    const places = await placesFor(kernel, ctx.db, pageCode, { viewer, viewerKey: null, at, now: ctx.now });
    return {
      floors: await resolveFor(kernel, ctx.db, floors, { pageCode, viewer, at, now: ctx.now }),
      positions: places.map(({ position, chosen }) => ({
        positionCode: position.positionCode,
        items: chosen.map(({ item, reason, detail }) => ({
          id: item.id,
          no: item.deliveryNo,
          name: item.name,
          kind: item.kind,
          imageUrl: imageUrl(kernel, item.imageFileId, ctx.now, 'THUMB'),
          reason,
          detail,
        })),
      })),
      personName,
    };
  });

type As = CheckedInputOf<typeof previewPage>['as'];

/** A person by his number with what is known of him, or somebody of whom only the given is known. */
async function seenAs(
  kernel: Kernel,
  ctx: QueryContext,
  pageCode: PageCode,
  as: As,
): Promise<{ viewer: PageViewer; personName: string | null }> {
  if (as === undefined) return { viewer: stranger, personName: null };
  const adcode = as.adcode ?? null;
  if (as.personNo) {
    const clientType = clientTypeOf(pageCode);
    const [person] = await typeOf(kernel, personOf[clientType]).numbered(ctx.db, ctx.staff, [as.personNo.toUpperCase()], ctx.now);
    if (!person) throw refuseField('as.personNo', '用户不存在');
    return { viewer: { ...(await viewerOf(kernel, ctx.db, clientType, person.id, ctx.now)), adcode }, personName: person.name };
  }
  // Whoever is tried out agrees to be addressed.
  return {
    viewer: { ...stranger, adcode, marks: new Set(as.markIds), realName: as.realName, loggedIn: as.loggedIn, agrees: true },
    personName: null,
  };
}
