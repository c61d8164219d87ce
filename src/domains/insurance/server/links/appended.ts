import * as z from 'zod/mini';
import type { CheckedInputOf } from '#kernel/contract/call.ts';
import { refuse, refuseField } from '#kernel/contract/errors.ts';
import { labelsOf } from '#kernel/contract/labels.ts';
import type { Day } from '#kernel/contract/time.ts';
import { lockKeys } from '#kernel/server/command/lockKeys.ts';
import { differencesOf } from '#kernel/server/command/differences.ts';
import type { CommandContext, Db, Tx } from '#kernel/server/context.ts';
import { json } from '#kernel/server/database/json.ts';
import { command, query } from '#kernel/server/handler.ts';
import { insuranceErrors } from '../../contract/errors.ts';
import {
  addAppendedProduct,
  appendedFacts,
  modifyAppendedProduct,
  queryAppendableProducts,
  queryAppendedProductList,
  removeAppendedProduct,
} from '../../contract/links/calls.ts';
import { shareGroups } from '../../contract/links/shareGroups.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { own, ownTx } from '../database.ts';
import { currentAndNext, payerName, versionText } from '../products/list.ts';
import { productRecords } from '../products/records.ts';
import { groupSeen, groupsOf, linkRecords } from './rows.ts';

type Facts = Omit<CheckedInputOf<typeof addAppendedProduct>, 'mainProductId'>;
type Product = Awaited<ReturnType<typeof productRecords.get>>;

const labels = labelsOf(appendedFacts.shape);
const productSeen = ({ id, productCode, productName, status }: Product) => ({ id, productCode, productName, status });

/** Whether somebody pays for both: the same insurer, the same sponsor, the same company. */
const hasSamePayer = (one: Product, other: Product): boolean =>
  (one.insurerId !== null && one.insurerId === other.insurerId) ||
  (one.sponsorName !== null && one.sponsorName === other.sponsorName) ||
  (one.pharmaCompanyId !== null && one.pharmaCompanyId === other.pharmaCompanyId);

/** A version that is sold on a day or later: without one there is nothing that a claim could be worked out on. */
const publishedFrom = (db: Db | Tx, day: Day) =>
  own(db)
    .selectFrom('insuranceProductVersion')
    .select('productId')
    .where('state', '=', 'PUBLISHED')
    .where((eb) => eb.or([eb('effectiveTo', 'is', null), eb('effectiveTo', '>=', day)]));

async function requireFacts(
  ctx: CommandContext,
  main: Product,
  facts: Facts,
  except: { id: string; otherProductId: string } | null,
): Promise<Product> {
  if (facts.otherProductId === main.id) throw refuse(insuranceErrors.LINK_TO_SELF);
  const other = await productRecords.find(ctx.tx, ctx.staff, facts.otherProductId);
  if (!other) throw refuseField('otherProductId', '附加产品不存在');
  if (facts.effectiveTo !== null && facts.effectiveTo < facts.effectiveFrom) throw refuseField('effectiveTo', '失效日不能早于生效日');
  const links = await ownTx(ctx.tx)
    .selectFrom('insuranceProductLink')
    .select(['id', 'mainProductId', 'otherProductId', 'effectiveFrom', 'effectiveTo', 'payOrder'])
    .where('linkType', '=', 'APPENDED')
    .where('status', '=', 'ENABLED')
    .where((eb) => eb.or([eb('mainProductId', 'in', [main.id, other.id]), eb('otherProductId', 'in', [main.id, other.id])]))
    .execute();
  const others = links.filter(({ id }) => id !== except?.id);
  // One layer: a rider hangs on nothing that hangs itself, and nothing hangs on a rider.
  if (others.some((link) => link.otherProductId === main.id || link.mainProductId === other.id))
    throw refuse(insuranceErrors.APPENDED_DEPTH);
  const beside = others.filter(
    (link) =>
      link.mainProductId === main.id &&
      (link.effectiveTo === null || link.effectiveTo >= facts.effectiveFrom) &&
      (facts.effectiveTo === null || facts.effectiveTo >= link.effectiveFrom),
  );
  if (beside.some((link) => link.otherProductId === other.id)) throw refuse(insuranceErrors.LINK_EXISTS);
  if (!hasSamePayer(main, other)) throw refuseField('otherProductId', '附加产品须与主产品属于同一保司或出资方');
  // Which rider pays first has one answer on every day.
  const before = beside.find(({ payOrder }) => (payOrder ?? 1) === facts.payOrder);
  if (before) {
    const taken = await productRecords.find(ctx.tx, productRecords.everyone, before.otherProductId);
    throw refuse(insuranceErrors.PAY_ORDER_TAKEN, { order: facts.payOrder, name: taken?.productName ?? '' });
  }
  if (except?.otherProductId !== other.id) {
    const published = await publishedFrom(ctx.tx, facts.effectiveFrom).where('productId', '=', other.id).limit(1).executeTakeFirst();
    if (!published) throw refuse(insuranceErrors.RIDER_UNPUBLISHED, { name: other.productName, day: facts.effectiveFrom });
  }
  const groups = await groupsOf(ctx.tx, [main.id, other.id], ctx.today);
  for (const { mainGroup, otherGroup } of facts.shareGroups) {
    const one = groups.get(main.id)?.find(({ groupCode }) => groupCode === mainGroup);
    const two = groups.get(other.id)?.find(({ groupCode }) => groupCode === otherGroup);
    if (!one) throw refuse(insuranceErrors.GROUP_MISSING, { code: mainGroup });
    if (!two) throw refuse(insuranceErrors.GROUP_MISSING, { code: otherGroup });
    if (one.kind !== two.kind || one.period !== two.period || one.subject !== two.subject) throw refuse(insuranceErrors.GROUPS_DIFFER);
  }
  const twice = (codes: readonly string[]) => new Set(codes).size < codes.length;
  if (twice(facts.shareGroups.map(({ otherGroup }) => otherGroup)))
    throw refuseField('shareGroups', '附加产品的一个共享组只能对应一个主产品共享组');
  return other;
}

const columns = (facts: Facts) => ({ ...facts, shareGroups: json(facts.shareGroups), linkType: 'APPENDED' as const });
const trailFacts = (facts: Pick<Facts, keyof Facts>) => ({
  ...facts,
  shareGroups: facts.shareGroups.map(({ mainGroup, otherGroup }) => `${mainGroup}＝${otherGroup}`).join('、'),
});

/** All changes of riders go one after another, so that no two of them together build a second layer. */
const lockLinks = (ctx: CommandContext) => lockKeys(ctx.tx, 'insurance.productLink');

export const addAppended = command(addAppendedProduct, async ({ mainProductId, ...facts }, ctx) => {
  await lockLinks(ctx);
  const main = await productRecords.lock(ctx.tx, ctx.staff, mainProductId);
  const other = await requireFacts(ctx, main, facts, null);
  const { id } = await ownTx(ctx.tx)
    .insertInto('insuranceProductLink')
    .values({ ...columns(facts), mainProductId, status: 'ENABLED', ...createdColumns(ctx) })
    .returning('id')
    .executeTakeFirstOrThrow();
  ctx.target({ type: linkRecords.type, id, no: `${main.productCode}+${other.productCode}` });
  ctx.changed(differencesOf({}, trailFacts(facts), labels));
  return { linkId: id, version: 1 };
});

type Link = Awaited<ReturnType<typeof linkRecords.get>>;
const factsOf = (link: Link): Facts => ({
  otherProductId: link.otherProductId,
  attachMode: link.attachMode ?? 'OPTIONAL',
  effectiveFrom: link.effectiveFrom,
  effectiveTo: link.effectiveTo,
  payOrder: link.payOrder ?? 1,
  overflow: link.overflow,
  shareGroups: z.parse(shareGroups, link.shareGroups),
  waiveWaiting: link.waiveWaiting,
});

export const modifyAppended = command(modifyAppendedProduct, async ({ linkId, version, ...facts }, ctx) => {
  await lockLinks(ctx);
  const stored = await linkRecords.lockVersion(ctx, linkId, version, factsOf);
  if (stored.linkType !== 'APPENDED' || stored.status !== 'ENABLED') throw linkRecords.missing();
  const main = await productRecords.lock(ctx.tx, ctx.staff, stored.mainProductId);
  await requireFacts(ctx, main, facts, stored);
  await ownTx(ctx.tx)
    .updateTable('insuranceProductLink')
    .set({ ...columns(facts), version: version + 1, ...updatedColumns(ctx) })
    .where('id', '=', linkId)
    .execute();
  ctx.target({ type: linkRecords.type, id: linkId, no: `${stored.mainCode}+${stored.otherCode}` });
  ctx.changed(differencesOf(trailFacts(factsOf(stored)), trailFacts(facts), labels));
  return { linkId, version: version + 1 };
});

export async function endLink(ctx: CommandContext, linkId: string, version: number, appended: boolean) {
  await lockLinks(ctx);
  const stored = await linkRecords.lockVersion(ctx, linkId, version);
  if ((stored.linkType === 'APPENDED') !== appended || stored.status !== 'ENABLED') throw linkRecords.missing();
  await ownTx(ctx.tx)
    .updateTable('insuranceProductLink')
    .set({ status: 'REMOVED', version: version + 1, ...updatedColumns(ctx) })
    .where('id', '=', linkId)
    .execute();
  ctx.target({ type: linkRecords.type, id: linkId, no: `${stored.mainCode}+${stored.otherCode}` });
  ctx.changed([{ path: 'status', label: '状态', before: '有效', after: '已解除' }]);
  return { linkId, version: version + 1 };
}
export const removeAppended = command(removeAppendedProduct, ({ linkId, version }, ctx) => endLink(ctx, linkId, version, true));

export const appendedList = query(queryAppendedProductList, async ({ mainProductId }, ctx) => {
  const main = await productRecords.get(ctx.db, ctx.staff, mainProductId);
  const links = await linkRecords
    .seen(ctx.db, ctx.staff)
    .selectAll('l')
    .where('l.mainProductId', '=', mainProductId)
    .where('l.linkType', '=', 'APPENDED')
    .where('l.status', '=', 'ENABLED')
    .orderBy('l.payOrder')
    .orderBy('l.id')
    .execute();
  const ids = links.map(({ otherProductId }) => otherProductId);
  const others = ids.length === 0 ? [] : await own(ctx.db).selectFrom('insuranceProduct').selectAll().where('id', 'in', ids).execute();
  const groups = await groupsOf(ctx.db, [main.id, ...ids], ctx.today);
  const versions = await own(ctx.db)
    .selectFrom('insuranceProductVersion')
    .select(['id', 'versionNo', 'state', 'effectiveFrom', 'effectiveTo'])
    .where('productId', '=', main.id)
    .execute();
  const { current, next } = currentAndNext(versions, ctx.today);
  const shown = current ?? next;
  const payer = await own(ctx.db)
    .selectFrom('insuranceProduct as p')
    .select(payerName.as('payerName'))
    .where('p.id', '=', main.id)
    .executeTakeFirst();
  return {
    main: {
      ...productSeen(main),
      payerName: payer?.payerName ?? '',
      currentText: shown ? versionText(shown, ctx.today) : '',
      groups: (groups.get(main.id) ?? []).map(groupSeen),
    },
    links: links.flatMap((link) => {
      const other = others.find(({ id }) => id === link.otherProductId);
      if (!other) return [];
      return [
        {
          attachMode: link.attachMode ?? ('OPTIONAL' as const),
          effectiveFrom: link.effectiveFrom,
          effectiveTo: link.effectiveTo,
          payOrder: link.payOrder ?? 1,
          overflow: link.overflow,
          shareGroups: z.parse(shareGroups, link.shareGroups),
          waiveWaiting: link.waiveWaiting,
          linkId: link.id,
          otherProductId: link.otherProductId,
          other: productSeen(other),
          otherGroups: (groups.get(other.id) ?? []).map(groupSeen),
          status: link.status,
          version: link.version,
        },
      ];
    }),
  };
});

export const appendable = query(queryAppendableProducts, async ({ mainProductId }, ctx) => {
  const main = await productRecords.get(ctx.db, ctx.staff, mainProductId);
  const all = await productRecords.seen(ctx.db, ctx.staff).selectAll('p').where('p.status', '<>', 'RETIRED').orderBy('p.id').execute();
  const mains = await own(ctx.db)
    .selectFrom('insuranceProductLink')
    .select('mainProductId')
    .where('linkType', '=', 'APPENDED')
    .where('status', '=', 'ENABLED')
    .execute();
  const carrying = new Set(mains.map((link) => link.mainProductId));
  const sold = new Set((await publishedFrom(ctx.db, ctx.today).execute()).map(({ productId }) => productId));
  const fitting = all.filter((one) => one.id !== main.id && !carrying.has(one.id) && sold.has(one.id) && hasSamePayer(main, one));
  const groups = await groupsOf(
    ctx.db,
    fitting.map(({ id }) => id),
    ctx.today,
  );
  return fitting.map((one) => ({ ...productSeen(one), groups: (groups.get(one.id) ?? []).map(groupSeen) }));
});
