import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { lockKeys } from '#kernel/server/command/lockKeys.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { moveState, trailOf } from '#kernel/server/audit/transition.ts';
import type { CommandContext, Difference } from '#kernel/server/context.ts';
import { command, query } from '#kernel/server/handler.ts';
import { productStatusChanged } from '#events/insurance.ts';
import { isInForce } from '../../contract/documents/states.ts';
import { insuranceErrors } from '../../contract/errors.ts';
import { addProduct, modifyProduct, queryProductDetail } from '../../contract/products/calls.ts';
import { lineForms } from '../../contract/products/lineForms.ts';
import { productStates } from '../../contract/products/states.ts';
import type { ProductFacts } from '../../contract/products/facts.ts';
import { changeProductStatus, copyProduct, delProduct } from '../../contract/products/listCalls.ts';
import { getCompanies } from '#domains/pharma/server/index.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { copyVersion } from './copies.ts';
import { briefOf } from './brief.ts';
import { factDifferences } from './factWords.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { own, ownTx } from '../database.ts';
import { productRecords } from './records.ts';

/** What one field's schema cannot hold: the pair of line and type, and who pays. */
async function requireFacts(ctx: CommandContext, facts: ProductFacts, exceptId: string | null): Promise<void> {
  const { types, payer } = lineForms[facts.productLine];
  if (!types.includes(facts.productType)) throw refuse(insuranceErrors.TYPE_MISMATCH);
  if (payer === 'INSURER' && facts.insurerId === null) throw refuseField('insurerId', '请选择保司');
  if (payer === 'SPONSOR' && facts.sponsorName === null) throw refuseField('sponsorName', '请输入出资企业');
  if (payer === 'SPONSOR_OR_INSURER' && facts.sponsorName === null && facts.insurerId === null)
    throw refuseField('sponsorName', '请输入出资企业或选择保司');
  if (payer === 'PHARMA' && facts.pharmaCompanyId === null) throw refuseField('pharmaCompanyId', '请选择药企');
  const { insurer } = ctx.staff.scope;
  if (insurer !== null && (facts.insurerId === null || !insurer.includes(facts.insurerId)))
    throw refuseField('insurerId', '请选择您负责的保司');
  const tx = ownTx(ctx.tx);
  if (
    facts.insurerId !== null &&
    !(await tx.selectFrom('insuranceInsurer').select('id').where('id', '=', facts.insurerId).executeTakeFirst())
  )
    throw refuseField('insurerId', '保司不存在');
  await lockKeys(ctx.tx, 'insurance.product');
  const same = await tx.selectFrom('insuranceProduct').select('id').where('productCode', '=', facts.productCode).executeTakeFirst();
  if (same && same.id !== exceptId) throw refuse(insuranceErrors.PRODUCT_CODE_EXISTS);
}

/** Of what a company pays, its name stands beside its id: lists show it without asking pharma. */
async function named(ctx: CommandContext, facts: ProductFacts): Promise<ProductFacts> {
  if (facts.pharmaCompanyId === null) return facts;
  const [company] = await getCompanies(ctx.tx, [facts.pharmaCompanyId]);
  if (!company) throw refuseField('pharmaCompanyId', '药企不存在');
  return { ...facts, sponsorName: company.name.slice(0, 60) };
}

/** The first entry of a product's trail. */
const begun = async (ctx: CommandContext, kernel: Kernel, action: 'add' | 'copy', id: string, facts: ProductFacts, source?: Difference) =>
  moveState(ctx, productStates, {
    targetType: productRecords.type,
    targetId: id,
    targetNo: facts.productCode,
    action,
    from: 'DRAFT',
    differences: [...(source ? [source] : []), ...(await factDifferences(ctx, kernel, null, facts))],
  });

/** @param kernel knows the names of members of staff */
export const add = (kernel: Kernel) =>
  command(addProduct, async (given, ctx) => {
    const facts = await named(ctx, given);
    await requireFacts(ctx, facts, null);
    const { id } = await ownTx(ctx.tx)
      .insertInto('insuranceProduct')
      .values({ ...facts, status: 'DRAFT', ...createdColumns(ctx) })
      .returning('id')
      .executeTakeFirstOrThrow();
    await begun(ctx, kernel, 'add', id, facts);
    return actionAnswer(ctx, productStates, { id, state: 'DRAFT', version: 1 });
  });

/** @param kernel knows the names of members of staff */
export const modify = (kernel: Kernel) =>
  command(modifyProduct, async ({ id, version, ...given }, ctx) => {
    const stored = await productRecords.lockVersion(ctx, id, version, (row) => row);
    const facts = await named(ctx, given);
    await requireFacts(ctx, facts, id);
    const published = await ownTx(ctx.tx)
      .selectFrom('insuranceProductVersion')
      .select('id')
      .where('productId', '=', id)
      .where('publishedAt', 'is not', null)
      .limit(1)
      .executeTakeFirst();
    const fixed = (['productCode', 'productLine', 'productType'] as const).find((key) => facts[key] !== stored[key]);
    if (published && fixed) throw refuseField(fixed, '产品发布过版本后，编码、业务线与类型不能修改');
    await moveState(ctx, productStates, {
      targetType: productRecords.type,
      targetId: id,
      targetNo: facts.productCode,
      action: 'modify',
      from: stored.status,
      differences: await factDifferences(ctx, kernel, stored, facts),
    });
    await ownTx(ctx.tx)
      .updateTable('insuranceProduct')
      .set({ ...facts, version: version + 1, ...updatedColumns(ctx) })
      .where('id', '=', id)
      .execute();
    return actionAnswer(ctx, productStates, { id, state: stored.status, version: version + 1 });
  });

export const changeStatus = command(changeProductStatus, async ({ id, version, action, opinion }, ctx) => {
  const stored = await productRecords.lockVersion(ctx, id, version, (row) => row);
  const status = await moveState(ctx, productStates, {
    targetType: productRecords.type,
    targetId: id,
    targetNo: stored.productCode,
    action,
    from: stored.status,
    opinion,
  });
  const tx = ownTx(ctx.tx);
  if (action === 'onSale' || action === 'resume') {
    const versions = await tx
      .selectFrom('insuranceProductVersion')
      .select(['state', 'effectiveFrom', 'effectiveTo'])
      .where('productId', '=', id)
      .where('state', '=', 'PUBLISHED')
      .execute();
    if (!versions.some((one) => isInForce(one, ctx.today) || one.effectiveFrom > ctx.today))
      throw refuse(insuranceErrors.NOTHING_PUBLISHED);
    const insurer = stored.insurerId
      ? await tx.selectFrom('insuranceInsurer').select('status').where('id', '=', stored.insurerId).forShare().executeTakeFirst()
      : undefined;
    if (insurer?.status === 'DISABLED') throw refuse(insuranceErrors.INSURER_DISABLED);
  }
  if (action === 'retire') {
    const pins = await tx
      .selectFrom('insuranceVersionPin as n')
      .innerJoin('insuranceProductVersion as v', 'v.id', 'n.productVersionId')
      .select('n.id')
      .where('v.productId', '=', id)
      .where((eb) => eb.or([eb('n.endsOn', 'is', null), eb('n.endsOn', '>=', ctx.today)]))
      .execute();
    if (pins.length > 0) throw refuse(insuranceErrors.PRODUCT_IN_FORCE, { n: pins.length });
  }
  await tx
    .updateTable('insuranceProduct')
    .set({ status, version: version + 1, ...updatedColumns(ctx) })
    .where('id', '=', id)
    .execute();
  await ctx.publish(productStatusChanged, id, { productId: id, productCode: stored.productCode, from: stored.status, to: status });
  return actionAnswer(ctx, productStates, { id, state: status, version: version + 1 });
});

/** @param kernel knows the names of members of staff */
export const detail = (kernel: Kernel) =>
  query(queryProductDetail, async ({ productId }, ctx) => {
    const row = await productRecords.get(ctx.db, ctx.staff, productId);
    const db = own(ctx.db);
    const insurer = row.insurerId
      ? await db.selectFrom('insuranceInsurer').select('insurerName').where('id', '=', row.insurerId).executeTakeFirst()
      : undefined;
    const company = row.pharmaCompanyId ? (await getCompanies(ctx.db, [row.pharmaCompanyId]))[0] : undefined;
    const versions = await db
      .selectFrom('insuranceProductVersion')
      .select(['id', 'versionNo', 'effectiveFrom', 'effectiveTo', 'state', 'changeNote', 'makerId', 'checkerId', 'version'])
      .where('productId', '=', productId)
      .orderBy('versionNo', 'desc')
      .execute();
    const names = await kernel.ports.people.names(
      ctx.db,
      [row.ownerUserId, ...versions.flatMap(({ makerId, checkerId }) => [makerId, checkerId])].filter((one) => one !== null),
    );
    const { createdAt: _, createdBy: __, updatedAt: ___, updatedBy: ____, ...product } = row;
    return {
      product: {
        ...product,
        insurerName: insurer?.insurerName ?? null,
        ownerName: row.ownerUserId ? (names.get(row.ownerUserId) ?? null) : null,
        pharmaCompanyName: company?.name ?? null,
        allowedActions: productStates.allowed(row.status, (code) => ctx.has(code)),
      },
      versions: versions.map((one) => briefOf(one, names, ctx)),
      timeline: await trailOf(ctx.db, productRecords.type, productId),
    };
  });

export const remove = command(delProduct, async ({ id, version }, ctx) => {
  const stored = await productRecords.lockVersion(ctx, id, version);
  const tx = ownTx(ctx.tx);
  if (stored.status !== 'DRAFT') throw refuse(platformErrors.WRONG_STATE, { state: productStates.dictionary.label(stored.status) });
  if (await tx.selectFrom('insuranceProductVersion').select('id').where('productId', '=', id).limit(1).executeTakeFirst())
    throw refuseField('id', '该产品已有版本，请先删除版本');
  if (
    await tx
      .selectFrom('insuranceProductLink')
      .select('id')
      .where((eb) => eb.or([eb('mainProductId', '=', id), eb('otherProductId', '=', id)]))
      .limit(1)
      .executeTakeFirst()
  )
    throw refuseField('id', '该产品有附加或关联关系，不能删除');
  await tx.deleteFrom('insuranceProduct').where('id', '=', id).execute();
  ctx.target({ type: productRecords.type, id, no: stored.productCode });
  ctx.changed([{ path: 'productName', label: '产品名称', before: stored.productName, after: null }]);
  return {};
});

/** @param kernel knows the names of members of staff */
export const copy = (kernel: Kernel) =>
  command(copyProduct, async ({ id, productCode, productName, effectiveFrom }, ctx) => {
    const stored = await productRecords.lock(ctx.tx, ctx.staff, id);
    const tx = ownTx(ctx.tx);
    const facts = { ...pickFacts(stored), productCode, productName };
    await requireFacts(ctx, facts, null);
    const { id: productId } = await tx
      .insertInto('insuranceProduct')
      .values({ ...facts, status: 'DRAFT', ...createdColumns(ctx) })
      .returning('id')
      .executeTakeFirstOrThrow();
    const newest = await tx
      .selectFrom('insuranceProductVersion')
      .select(['id', 'versionNo'])
      .where('productId', '=', id)
      .orderBy('versionNo', 'desc')
      .limit(1)
      .executeTakeFirst();
    if (newest) await copyVersion(ctx, newest.id, { productId, versionNo: 1, effectiveFrom, withClauses: false });
    const source = `${stored.productName}（${stored.productCode}）${newest ? ` V${newest.versionNo}` : ''}`;
    await begun(ctx, kernel, 'copy', productId, facts, { path: 'copiedFrom', label: '复制自', before: null, after: source });
    return actionAnswer(ctx, productStates, { id: productId, state: 'DRAFT', version: 1 });
  });

const pickFacts = (row: ProductFacts): ProductFacts => ({
  productCode: row.productCode,
  productName: row.productName,
  shortName: row.shortName,
  productLine: row.productLine,
  productType: row.productType,
  insurerId: row.insurerId,
  sponsorName: row.sponsorName,
  pharmaCompanyId: row.pharmaCompanyId,
  adcodes: row.adcodes,
  ownerUserId: row.ownerUserId,
});
