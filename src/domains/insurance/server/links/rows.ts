import type { Day } from '#kernel/contract/time.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import type { Viewer } from '#kernel/server/auth/viewer.ts';
import { scopeFilter } from '#kernel/server/auth/scope.ts';
import { sql } from 'kysely';
import { recordOf } from '#kernel/server/record/recordOf.ts';
import { groupWords } from '../../contract/model/words.ts';
import type { LimitGroup } from '../../contract/model/document.ts';
import type { LinkType } from '../../contract/links/dictionaries.ts';
import { insurerScope } from '../access.ts';
import { own } from '../database.ts';
import { currentAndNext } from '../products/list.ts';

/** A relation is seen by who sees its main product. */
export const linkRecords = recordOf((db) =>
  own(db)
    .selectFrom('insuranceProductLink as l')
    .innerJoin('insuranceProduct as m', 'm.id', 'l.mainProductId')
    .innerJoin('insuranceProduct as o', 'o.id', 'l.otherProductId')
    .selectAll('l')
    .select(['m.productCode as mainCode', 'm.productName as mainName', 'o.productCode as otherCode', 'o.productName as otherName']),
).with({
  noun: '产品关系',
  type: 'insurance.productLink',
  id: 'l.id',
  scope: (viewer: Viewer) => sql<boolean>`${scopeFilter(insurerScope('m.insurerId'), viewer)}`,
  locks: 'l',
});

/** What a relation says besides the two products and its days. */
export function linkSummary(link: {
  linkType: LinkType;
  attachMode: 'MUST' | 'OPTIONAL' | null;
  overflow: boolean;
  waiveWaiting: boolean;
  maxGapDays: number | null;
  payOrder: number | null;
}): string {
  return [
    ...(link.attachMode === null ? [] : [link.attachMode === 'MUST' ? '必选' : '可选']),
    ...(link.linkType === 'APPENDED' && link.payOrder !== null ? [`赔付顺序${link.payOrder}`] : []),
    ...(link.overflow ? ['主险未赔部分续赔'] : []),
    ...(link.waiveWaiting ? ['豁免等待期'] : []),
    ...(link.maxGapDays === null ? [] : [`间隔不超过${link.maxGapDays}天`]),
  ].join('，');
}

/** Groups of limits of the version of a product that counts: the one in force, else the one that comes. */
export async function groupsOf(db: Db | Tx, productIds: readonly string[], today: Day): Promise<ReadonlyMap<string, LimitGroup[]>> {
  if (productIds.length === 0) return new Map();
  const versions = await own(db)
    .selectFrom('insuranceProductVersion')
    .select(['id', 'productId', 'versionNo', 'state', 'effectiveFrom', 'effectiveTo'])
    .where('productId', 'in', [...productIds])
    .execute();
  const chosen = [...Map.groupBy(versions, ({ productId }) => productId)].flatMap(([productId, all]) => {
    const { current, next } = currentAndNext(all, today);
    const one = current ?? next;
    return one ? [{ productId, versionId: one.id }] : [];
  });
  if (chosen.length === 0) return new Map();
  const groups = await own(db)
    .selectFrom('insuranceLimitGroup')
    .selectAll()
    .where(
      'productVersionId',
      'in',
      chosen.map(({ versionId }) => versionId),
    )
    .orderBy('id')
    .execute();
  return new Map(
    chosen.map(({ productId, versionId }) => [
      productId,
      groups
        .filter(({ productVersionId }) => productVersionId === versionId)
        .map(({ id: _, productVersionId: __, amountFen, ...row }) => ({ ...row, amountFen: Number(amountFen) })),
    ]),
  );
}
export const groupSeen = (group: LimitGroup) => ({ groupCode: group.groupCode, groupName: group.groupName, text: groupWords(group) });
