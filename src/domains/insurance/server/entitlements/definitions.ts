import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import { canonicalJson } from '#kernel/contract/canonicalJson.ts';
import { refuse, refuseField } from '#kernel/contract/errors.ts';
import { plusDays, type Day } from '#kernel/contract/time.ts';
import { lockKeys } from '#kernel/server/command/lockKeys.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { unscoped } from '#kernel/server/auth/scope.ts';
import type { CommandContext, Db, Tx } from '#kernel/server/context.ts';
import { json } from '#kernel/server/database/json.ts';
import { containsPattern } from '#kernel/server/database/search.ts';
import { command, query } from '#kernel/server/handler.ts';
import { recordOf } from '#kernel/server/record/recordOf.ts';
import { entitlementDefStates, phaseOf, type DocumentState } from '../../contract/documents/states.ts';
import {
  addEntitlementDef,
  addEntitlementVersion,
  auditEntitlementDef,
  modifyEntitlementDef,
  queryCouponOptions,
  queryEntitlementDefDetail,
  removeEntitlementDef,
} from '../../contract/entitlements/calls.ts';
import { entitlementDocument, entitlementFault, termsText, type EntitlementDocument } from '../../contract/entitlements/document.ts';
import { insuranceErrors } from '../../contract/errors.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { own, ownTx } from '../database.ts';
import { auditDocument, type DocumentKind } from '../documents/audit.ts';

export const defRecords = recordOf((db) => own(db).selectFrom('insuranceEntitlementDef as d').selectAll('d')).with({
  noun: '权益定义',
  type: 'insurance.entitlementDef',
  id: 'd.id',
  scope: unscoped,
});

const contentKeys = Object.keys(entitlementDocument.shape);
/** The words of a stored definition. */
export const definitionOf = (row: object): EntitlementDocument => {
  const known = new Map<string, unknown>(Object.entries(row));
  return z.parse(entitlementDocument, Object.fromEntries(contentKeys.map((key) => [key, known.get(key) ?? null])));
};

export const hashOfDefinition = ({ effectiveFrom: _from, effectiveTo: _to, gapNote: _note, ...content }: EntitlementDocument): string =>
  createHash('sha256').update(canonicalJson(content)).digest('hex');

const columns = ({ couponRule, stored, services, scope, validity, stacking, ...rest }: EntitlementDocument) => ({
  ...rest,
  couponRule: couponRule && json(couponRule),
  stored: stored && json(stored),
  services: services && json(services),
  scope: json(scope),
  validity: json(validity),
  stacking: json(stacking),
});

/** @throws Refusal SCM12060, or at the field */
function requireSound(document: EntitlementDocument): void {
  const fault = entitlementFault(document);
  if (fault === 'CUT_ABOVE_THRESHOLD') throw refuse(insuranceErrors.CUT_ABOVE_THRESHOLD);
  if (fault) throw refuseField(fault.path, fault.message);
}

export const pinsOf = async (db: Db | Tx, id: string) =>
  own(db).selectFrom('insuranceEntitlementPin').select(['refType', 'refId']).where('entitlementDefId', '=', id).orderBy('id').execute();

const add = command(addEntitlementDef, async ({ entitlementCode, ...document }, ctx) => {
  requireSound(document);
  await lockKeys(ctx.tx, 'insurance.entitlement', [entitlementCode]);
  const tx = ownTx(ctx.tx);
  const same = await tx
    .selectFrom('insuranceEntitlementDef')
    .select('id')
    .where('entitlementCode', '=', entitlementCode)
    .executeTakeFirst();
  if (same) throw refuseField('entitlementCode', '权益编码已存在');
  const { id } = await tx
    .insertInto('insuranceEntitlementDef')
    .values({ ...columns(document), entitlementCode, versionNo: 1, state: 'DRAFT', ...createdColumns(ctx) })
    .returning('id')
    .executeTakeFirstOrThrow();
  ctx.target({ type: defRecords.type, id, no: `${entitlementCode} V1` });
  return { id, version: 1 };
});

const addVersion = command(addEntitlementVersion, async ({ id, effectiveFrom }, ctx) => {
  const source = await defRecords.get(ctx.tx, ctx.staff, id);
  await lockKeys(ctx.tx, 'insurance.entitlement', [source.entitlementCode]);
  const tx = ownTx(ctx.tx);
  const versions = await tx
    .selectFrom('insuranceEntitlementDef')
    .select(['versionNo', 'state'])
    .where('entitlementCode', '=', source.entitlementCode)
    .orderBy('versionNo', 'desc')
    .execute();
  const open = versions.find(({ state }) => state === 'DRAFT' || state === 'PENDING_AUDIT' || state === 'REJECTED');
  if (open) throw refuse(insuranceErrors.OPEN_VERSION, { n: open.versionNo });
  const versionNo = versions[0]!.versionNo + 1;
  const document = { ...definitionOf(source), effectiveFrom: effectiveFrom ?? plusDays(ctx.today, 1), effectiveTo: null, gapNote: '' };
  const row = await tx
    .insertInto('insuranceEntitlementDef')
    .values({ ...columns(document), entitlementCode: source.entitlementCode, versionNo, state: 'DRAFT', ...createdColumns(ctx) })
    .returning('id')
    .executeTakeFirstOrThrow();
  ctx.target({ type: defRecords.type, id: row.id, no: `${source.entitlementCode} V${versionNo}` });
  return { id: row.id, version: 1 };
});

/** A definition that batches hang on stays as it is, and so does one that was handed in. @throws Refusal SCM12061, SCM90031 */
async function lockedDraft(ctx: CommandContext, id: string, version: number) {
  const row = await defRecords.lockVersion(ctx, id, version, definitionOf);
  if ((await pinsOf(ctx.tx, id)).length > 0) throw refuse(insuranceErrors.ENTITLEMENT_PINNED);
  await moveState(ctx, entitlementDefStates, {
    targetType: defRecords.type,
    targetId: id,
    targetNo: `${row.entitlementCode} V${row.versionNo}`,
    action: 'modify',
    from: row.state,
  });
  return row;
}

const modify = command(modifyEntitlementDef, async ({ id, version, ...document }, ctx) => {
  const row = await lockedDraft(ctx, id, version);
  if (document.kind !== row.kind && row.versionNo > 1) throw refuseField('kind', '新版本的类型不能改变');
  requireSound(document);
  await ownTx(ctx.tx)
    .updateTable('insuranceEntitlementDef')
    .set({ ...columns(document), version: version + 1, ...updatedColumns(ctx) })
    .where('id', '=', id)
    .execute();
  return { id, version: version + 1 };
});

const remove = command(removeEntitlementDef, async ({ id, version }, ctx) => {
  await lockedDraft(ctx, id, version);
  await ownTx(ctx.tx).deleteFrom('insuranceEntitlementDef').where('id', '=', id).execute();
  return {};
});

const kind: DocumentKind<DocumentState> = {
  machine: entitlementDefStates,
  type: defRecords.type,
  table: 'insurance_entitlement_def',
  parent: 'entitlement_code',
  noOf: async (_tx, { parentKey, versionNo }) => `${parentKey} V${versionNo}`,
  async proven(ctx, { id }) {
    const document = definitionOf(await defRecords.get(ctx.tx, ctx.staff, id));
    requireSound(document);
    return hashOfDefinition(document);
  },
  pins: async (tx, { id }) => (await pinsOf(tx, id)).length,
  published: async () => {},
};

const audit = command(auditEntitlementDef, async (wish, ctx) => auditDocument(ctx, kind, wish));

const detail = query(queryEntitlementDefDetail, async ({ id }, ctx) => {
  const row = await defRecords.get(ctx.db, ctx.staff, id);
  const versions = await own(ctx.db)
    .selectFrom('insuranceEntitlementDef')
    .select(['id', 'versionNo', 'state', 'effectiveFrom', 'effectiveTo', 'changeNote'])
    .where('entitlementCode', '=', row.entitlementCode)
    .orderBy('versionNo', 'desc')
    .execute();
  return {
    id,
    entitlementCode: row.entitlementCode,
    versionNo: row.versionNo,
    document: definitionOf(row),
    state: row.state,
    phase: phaseOf(row, ctx.today),
    version: row.version,
    pins: await pinsOf(ctx.db, id),
    versions: versions.map((one) => ({ id: one.id, versionNo: one.versionNo, phase: phaseOf(one, ctx.today), changeNote: one.changeNote })),
    allowedActions: entitlementDefStates.allowed(row.state, (code) => ctx.has(code)),
  };
});

/** Definitions of a kind that are in force on a day. */
export const inForce = (db: Db | Tx, today: Day) =>
  own(db)
    .selectFrom('insuranceEntitlementDef as d')
    .where('d.state', '=', 'PUBLISHED')
    .where('d.effectiveFrom', '<=', today)
    .where((eb) => eb.or([eb('d.effectiveTo', 'is', null), eb('d.effectiveTo', '>=', today)]));

const coupons = query(queryCouponOptions, async ({ keyword, mode }, ctx) => {
  let rows = inForce(ctx.db, ctx.today).selectAll('d').where('d.kind', '=', 'COUPON');
  if (keyword) {
    const wanted = containsPattern(keyword);
    rows = rows.where((eb) => eb.or([eb('d.name', 'like', wanted), eb('d.entitlementCode', 'like', wanted)]));
  }
  if (mode) rows = rows.where(sql<boolean>`d.coupon_rule ->> 'mode' = ${mode}`);
  return (await rows.orderBy('d.entitlementCode').limit(50).execute()).map((row) => {
    const document = definitionOf(row);
    return {
      value: row.id,
      label: row.name,
      extra: { entitlementCode: row.entitlementCode, versionNo: row.versionNo, terms: termsText(document) },
    };
  });
});

export const definitionHandlers = [add, addVersion, modify, remove, audit, detail, coupons];
