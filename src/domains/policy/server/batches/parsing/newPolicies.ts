import { Refusal } from '#kernel/contract/errors.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import type { Secrets } from '#kernel/server/sensitive/secrets.ts';
import { resolveByCodes } from '#domains/insurance/server/index.ts';
import { addPolicy } from '../../../contract/calls/policies.ts';
import { policyPermissions } from '../../../contract/permissions.ts';
import { makesPolicies, type Layout } from '../../../contract/rules/template.ts';
import type { PolicyRecord } from '../../access.ts';
import { own } from '../../database.ts';
import { erasePolicy, policiesInUse } from '../../policies/erase.ts';
import { createPolicy, insurerKeyOf } from '../../policies/write.ts';
import type { ReadRow } from './decide.ts';
import type { Lookups, PolicyFault } from './lookups.ts';
import { NOTHING_OF_POLICY, type PolicyColumns } from '../../templates/readRow.ts';
import type { BatchRecord } from '../records.ts';

interface Making {
  acting: Acting;
  secrets: Secrets;
  batch: BatchRecord;
  layout: Layout;
  lookups: Lookups;
}

const NEEDED = [
  ['productCode', '产品编码'],
  ['holderName', '投保人'],
  ['coverageStart', '起保日期'],
  ['coverageEnd', '终保日期'],
] as const;

/** A policy of the list's insurer or enterprise, as the form would send it. */
async function makePolicy(
  { acting, secrets, batch }: Making,
  policyNo: string,
  columns: PolicyColumns,
): Promise<PolicyRecord | PolicyFault> {
  const missing = NEEDED.find(([column]) => columns[column] === null);
  if (missing) return { column: missing[0], message: `保单号${policyNo}不存在，新增保单须填写${missing[1]}` };
  const { productCode, holderName, coverageStart, policyType } = columns;
  const product = (await resolveByCodes(acting.tx, [{ productCode: productCode ?? '', date: coverageStart ?? '' }])).of(
    productCode ?? '',
    coverageStart ?? '',
  );
  if (!product || insurerKeyOf(product.insurerId, holderName ?? '') !== batch.insurerKey)
    return { column: 'productCode', message: `${batch.insurerName}没有产品编码为“${productCode}”的产品` };
  const wish = addPolicy.input.safeParse({
    policyNo,
    productId: product.productId,
    policyType: policyType ?? 'GROUP',
    holderType: policyType === 'PERSONAL' ? 'PERSON' : 'ORG',
    holderName,
    coverageStart,
    coverageEnd: columns.coverageEnd,
    payMode: columns.payMode ?? 'LUMP',
  });
  if (!wish.success) return { column: 'policyNo', message: wish.error.issues[0]?.message ?? '保单信息不正确' };
  // who corrects a row enters a policy by it; a job acts for whoever uploaded the list
  acting.requirePermission(policyPermissions['policy.edit']);
  try {
    const origin = { madeByBatchId: batch.id, createdBy: batch.makerId };
    // what is acted on stays the list
    const { id } = await createPolicy({ ...acting, target: () => {} }, secrets, null, wish.data, origin);
    return await own(acting.tx).selectFrom('policyPolicy').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const [field] = error.fields ?? [];
    return field
      ? { column: 'coverageEnd', message: field.message }
      : { column: 'policyNo', message: `保单号${policyNo}：${error.message}` };
  }
}

/**
 * Makes the policies that a first list names and that are not there: its persons come into them when it takes effect. What it says of a
 * policy stands with the first of its rows.
 */
export async function makeMissing(making: Making, rows: readonly Pick<ReadRow, 'facts' | 'faults'>[]): Promise<void> {
  const { acting, batch, layout, lookups } = making;
  if (!makesPolicies(batch.mode, layout.columns) || batch.chosenPolicyIds.length > 0) return;
  await lookups.load(
    acting.tx,
    rows.map(({ facts }) => facts.policyNo),
  );
  for (const { facts, faults } of rows) {
    const { policyNo, ofPolicy } = facts;
    // what cannot be read says nothing yet; another row may
    if (faults.some(({ column }) => column === 'policyNo' || (column !== null && column in NOTHING_OF_POLICY))) continue;
    if (policyNo === null || lookups.policyOf(policyNo) !== null || lookups.faultOf(policyNo) !== null) continue;
    lookups.note(policyNo, await makePolicy(making, policyNo, ofPolicy));
  }
}

/** Policies that a list made and in which nobody else saw anything to do go before it is read again, and with it. */
export async function eraseMade(acting: Acting, batchId: string): Promise<void> {
  const made = await own(acting.tx)
    .selectFrom('policyPolicy')
    .select(['id', 'productVersionId', 'coverageStart'])
    .where('madeByBatchId', '=', batchId)
    .orderBy('id')
    .forUpdate()
    .execute();
  if (made.length === 0) return;
  const ids = made.map(({ id }) => id);
  const used = new Set((await policiesInUse(acting.tx, ids, batchId)).map(({ id }) => id));
  for (const policy of made) if (!used.has(policy.id)) await erasePolicy(acting, policy);
}
