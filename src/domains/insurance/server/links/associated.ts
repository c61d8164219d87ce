import type { CheckedInputOf } from '#kernel/contract/call.ts';
import { refuse, refuseField } from '#kernel/contract/errors.ts';
import { labelsOf } from '#kernel/contract/labels.ts';
import { lockKeys } from '#kernel/server/command/lockKeys.ts';
import { differencesOf } from '#kernel/server/command/differences.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command, query } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { insuranceErrors } from '../../contract/errors.ts';
import {
  addAssociatedProduct,
  associatedFacts,
  modifyAssociatedProduct,
  queryAssociatedProductList,
  queryProductGraph,
  removeAssociatedProduct,
} from '../../contract/links/calls.ts';
import { linkTypes } from '../../contract/links/dictionaries.ts';
import { renewalCycle } from '../../contract/links/renewals.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { own, ownTx } from '../database.ts';
import { productRecords } from '../products/records.ts';
import { endLink } from './appended.ts';
import { linkRecords, linkSummary } from './rows.ts';

/** @param kernel knows the names of members of staff */
export const associatedList = (kernel: Kernel) =>
  listOf(queryAssociatedProductList)
    .from(({ db, staff }) => linkRecords.seen(db, staff))
    .with({
      where: {
        productId: (eb, id) => eb.or([eb('l.mainProductId', '=', id), eb('l.otherProductId', '=', id)]),
        linkType: 'l.linkType',
        status: 'l.status',
      },
      id: 'l.id',
      sorts: { effectiveFrom: 'l.effectiveFrom', effectiveTo: 'l.effectiveTo', updatedAt: 'l.updatedAt' },
      bounded: 'products are some hundreds, each linked to a few',
      select: (rows) => rows.selectAll('l').select(['m.productName as mainName', 'o.productName as otherName']),
      present: async (rows, { db }) => {
        const names = await kernel.ports.people.names(db, [...new Set(rows.flatMap(({ updatedBy }) => updatedBy ?? []))]);
        return rows.map((row) => ({
          id: row.id,
          mainProductId: row.mainProductId,
          mainProductName: row.mainName,
          linkType: row.linkType,
          otherProductId: row.otherProductId,
          otherProductName: row.otherName,
          summary: linkSummary(row),
          effectiveFrom: row.effectiveFrom,
          effectiveTo: row.effectiveTo,
          waiveWaiting: row.waiveWaiting,
          maxGapDays: row.maxGapDays,
          status: row.status,
          updatedByName: row.updatedBy ? (names.get(row.updatedBy) ?? null) : null,
          updatedAt: row.updatedAt,
          version: row.version,
        }));
      },
    });

type Facts = Omit<CheckedInputOf<typeof addAssociatedProduct>, 'mainProductId'>;
const labels = labelsOf(associatedFacts.shape);

async function requireFacts(ctx: CommandContext, mainProductId: string, facts: Facts, exceptId: string | null): Promise<Facts> {
  if (facts.otherProductId === mainProductId) throw refuse(insuranceErrors.LINK_TO_SELF);
  if (!(await productRecords.find(ctx.tx, ctx.staff, facts.otherProductId))) throw refuseField('otherProductId', '关联产品不存在');
  if (facts.effectiveTo !== null && facts.effectiveTo < facts.effectiveFrom) throw refuseField('effectiveTo', '失效日不能早于生效日');
  const renews = facts.linkType === 'RENEWAL_OF';
  if (renews && facts.maxGapDays === null) throw refuseField('maxGapDays', '请填写最长间隔天数');
  const links = await ownTx(ctx.tx)
    .selectFrom('insuranceProductLink')
    .select(['id', 'mainProductId', 'otherProductId', 'effectiveFrom', 'effectiveTo'])
    .where('linkType', '=', facts.linkType)
    .where('status', '=', 'ENABLED')
    .execute();
  const others = links.filter(({ id }) => id !== exceptId);
  const meets = others.some(
    (link) =>
      link.mainProductId === mainProductId &&
      link.otherProductId === facts.otherProductId &&
      (link.effectiveTo === null || link.effectiveTo >= facts.effectiveFrom) &&
      (facts.effectiveTo === null || facts.effectiveTo >= link.effectiveFrom),
  );
  if (meets) throw refuse(insuranceErrors.LINK_EXISTS);
  const cycle = renews ? renewalCycle(others, { mainProductId, otherProductId: facts.otherProductId }) : null;
  if (cycle) {
    const rows = await ownTx(ctx.tx).selectFrom('insuranceProduct').select(['id', 'productCode']).where('id', 'in', cycle).execute();
    const path = cycle.map((id) => rows.find((row) => row.id === id)?.productCode ?? id).join('→');
    throw refuse(insuranceErrors.RENEWAL_CYCLE, { path });
  }
  // Only a renewal carries a waiting period over.
  return renews ? facts : { ...facts, waiveWaiting: false, maxGapDays: null };
}

const lockLinks = (ctx: CommandContext) => lockKeys(ctx.tx, 'insurance.productLink');

export const add = command(addAssociatedProduct, async ({ mainProductId, ...given }, ctx) => {
  await lockLinks(ctx);
  const main = await productRecords.lock(ctx.tx, ctx.staff, mainProductId);
  const facts = await requireFacts(ctx, mainProductId, given, null);
  const { id } = await ownTx(ctx.tx)
    .insertInto('insuranceProductLink')
    .values({ ...facts, mainProductId, status: 'ENABLED', ...createdColumns(ctx) })
    .returning('id')
    .executeTakeFirstOrThrow();
  ctx.target({ type: linkRecords.type, id, no: `${main.productCode} ${linkTypes.label(facts.linkType)}` });
  ctx.changed(differencesOf({}, facts, labels));
  return { linkId: id, version: 1 };
});

export const modify = command(modifyAssociatedProduct, async ({ linkId, version, ...given }, ctx) => {
  await lockLinks(ctx);
  const stored = await linkRecords.lockVersion(
    ctx,
    linkId,
    version,
    ({ otherProductId, linkType, effectiveFrom, effectiveTo, waiveWaiting, maxGapDays }) => ({
      otherProductId,
      linkType,
      effectiveFrom,
      effectiveTo,
      waiveWaiting,
      maxGapDays,
    }),
  );
  if (stored.linkType === 'APPENDED' || stored.status !== 'ENABLED') throw linkRecords.missing();
  const facts = await requireFacts(ctx, stored.mainProductId, given, linkId);
  await ownTx(ctx.tx)
    .updateTable('insuranceProductLink')
    .set({ ...facts, version: version + 1, ...updatedColumns(ctx) })
    .where('id', '=', linkId)
    .execute();
  ctx.target({ type: linkRecords.type, id: linkId, no: `${stored.mainCode} ${linkTypes.label(facts.linkType)}` });
  ctx.changed(differencesOf(stored, facts, labels));
  return { linkId, version: version + 1 };
});

export const remove = command(removeAssociatedProduct, ({ linkId, version }, ctx) => endLink(ctx, linkId, version, false));

export const graph = query(queryProductGraph, async ({ productId }, ctx) => {
  await productRecords.get(ctx.db, ctx.staff, productId);
  const edges = await linkRecords
    .seen(ctx.db, ctx.staff)
    .selectAll('l')
    .where('l.status', '=', 'ENABLED')
    .where((eb) => eb.or([eb('l.mainProductId', '=', productId), eb('l.otherProductId', '=', productId)]))
    .orderBy('l.id')
    .execute();
  const ids = [...new Set([productId, ...edges.flatMap(({ mainProductId, otherProductId }) => [mainProductId, otherProductId])])];
  const nodes = await own(ctx.db)
    .selectFrom('insuranceProduct')
    .select(['id', 'productCode', 'productName', 'status'])
    .where('id', 'in', ids)
    .orderBy('id')
    .execute();
  return {
    nodes,
    edges: edges.map((link) => ({
      linkId: link.id,
      linkType: link.linkType,
      mainProductId: link.mainProductId,
      otherProductId: link.otherProductId,
      summary: linkSummary(link),
    })),
  };
});
