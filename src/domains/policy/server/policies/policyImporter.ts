import { checkInput } from '#kernel/server/http/validate.ts';
import { sql } from 'kysely';
import { refuse } from '#kernel/contract/errors.ts';
import { asSystem } from '#kernel/server/command/acting.ts';
import type { Db, Staff, Tx } from '#kernel/server/context.ts';
import { importColumns } from '#kernel/server/importing/importColumns.ts';
import type { Importer, ImportFault, ParsedRow } from '#kernel/server/importing/importer.ts';
import { fault, repeated, textOf } from '#kernel/server/importing/rows.ts';
import { upsertImporter } from '#kernel/server/importing/upsertImporter.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { resolveByCodes } from '#domains/insurance/server/index.ts';
import { addPolicy, importPolicy, POLICY_IMPORTER, policyFields } from '../../contract/calls/policies.ts';
import { policyErrors } from '../../contract/errors.ts';
import { policyPermissions as may } from '../../contract/permissions.ts';
import { normalPolicyNo } from '../../contract/rules/policyNo.ts';
import type { PolicyRecord } from '../access.ts';
import { own } from '../database.ts';
import { holderColumns } from '../sensitive.ts';
import { erasePolicy, policiesInUse } from './erase.ts';
import { createPolicy, insurerKeyOf, periodFault, type PolicyWish } from './write.ts';

const keyOf = (insurerKey: string, policyNo: string) => `${insurerKey} ${normalPolicyNo(policyNo)}`;

async function lookUp(db: Db | Tx, rows: readonly ParsedRow[], { staff }: { staff: Pick<Staff, 'scope'> }) {
  const products = await resolveByCodes(
    db,
    rows.map((row) => ({ productCode: textOf(row, 'productCode'), date: textOf(row, 'coverageStart') })),
  );
  const { insurer: seen } = staff.scope;
  /** The product of a row; null: there is none, or it is another insurer's than those whose people import. */
  const productOf = (row: ParsedRow) => {
    const product = products.of(textOf(row, 'productCode'), textOf(row, 'coverageStart'));
    return product && (seen === null || (product.insurerId !== null && seen.includes(product.insurerId))) ? product : null;
  };
  const placeOf = (row: ParsedRow) => {
    const product = productOf(row);
    return product && { insurerKey: insurerKeyOf(product.insurerId, textOf(row, 'holderName')), policyNo: textOf(row, 'policyNo') };
  };
  const places = rows.flatMap((row) => placeOf(row) ?? []);
  const stored = await own(db)
    .selectFrom('policyPolicy')
    .selectAll()
    .where(
      sql<boolean>`(insurer_key, policy_no_norm) in (select * from unnest(${places.map(({ insurerKey }) => insurerKey)}::text[],
        ${places.map(({ policyNo }) => normalPolicyNo(policyNo))}::text[]))`,
    )
    .execute();
  const policies = new Map(stored.map((row) => [keyOf(row.insurerKey, row.policyNo), row]));
  /** Under what a row's policy is known; empty: nobody knows whose number it is. */
  const rowKey = (row: ParsedRow) => {
    const place = placeOf(row);
    return place ? keyOf(place.insurerKey, place.policyNo) : '';
  };
  return { productOf, rowKey, policyOf: (row: ParsedRow) => policies.get(rowKey(row)) };
}
type Known = Awaited<ReturnType<typeof lookUp>>;

/** What a row says, as the form would send it: what it leaves open is what the form leaves open. */
function wishOf(row: ParsedRow, known: Known): PolicyWish {
  const { productCode: _code, refundIfClaimed, ...cells } = row.record;
  const given = Object.entries(cells).filter(([, value]) => value !== null && value !== '');
  return checkInput(addPolicy.input, {
    ...Object.fromEntries(given),
    productId: known.productOf(row)?.productId,
    refundIfClaimed: refundIfClaimed !== '否',
  });
}

/** Facts in which a row says something else than the policy that has its number. */
function differing({ secrets }: Kernel, policy: PolicyRecord, wish: PolicyWish): string[] {
  const contact = policy.holderContactCipher === null ? null : secrets.decrypt(policy.holderContactCipher);
  const stands: Readonly<Record<string, unknown>> = {
    ...policy,
    holderContact: contact,
    holderIdNo: policy.holderIdHash,
  };
  const wished: Readonly<Record<string, unknown>> = { ...wish, holderIdNo: holderColumns(secrets, wish).holderIdHash };
  return columns
    .filter(({ key }) => key !== 'policyNo' && key !== 'productCode')
    .filter(({ key }) => (stands[key] ?? '') !== (wished[key] ?? ''))
    .map(({ label }) => label)
    .concat(policy.productId === wish.productId ? [] : ['产品编码']);
}

const columns = importColumns(policyFields, [
  { key: 'policyNo', example: 'ZA2026-000001' },
  { key: 'productCode', label: '产品编码', type: 'text', required: true, maxLength: 40, note: '产品管理中的产品编码' },
  { key: 'policyType', example: '团单' },
  { key: 'holderType', example: '企业' },
  { key: 'holderName', example: '江南科技有限公司' },
  { key: 'holderIdNo', sensitive: true, example: '91320000MA1MABCD1X' },
  { key: 'holderContact', sensitive: true, example: '13800138000' },
  { key: 'coverageStart', example: '2026-12-01' },
  { key: 'coverageEnd', example: '2027-11-30' },
  { key: 'payMode', example: '趸交' },
  { key: 'graceDays', note: '不填为30' },
  { key: 'prorate', note: '不填为按日' },
  { key: 'refundFeeBp', note: '不填为0' },
  {
    key: 'refundIfClaimed',
    type: 'text',
    maxLength: 1,
    note: '是或否，不填为是',
    check: (value) => (value === null || ['', '是', '否'].includes(String(value)) ? null : '赔付后仍退费请填写是或否'),
  },
  { key: 'declaredCount', example: '420' },
  { key: 'maxBackdateDays', note: '不填为30' },
  { key: 'adcode', type: 'adcode', example: '320100' },
  'channelName',
]);

/**
 * Policies of a table: each becomes a policy without persons. One that is there as the row says is left as it is; what was agreed changes
 * by endorsements alone, so a row that says something else is refused.
 */
export const policyImporter = (kernel: Kernel): Importer =>
  upsertImporter({
    code: POLICY_IMPORTER,
    label: '保单',
    call: importPolicy,
    templateVersion: '1',
    permission: may['policy.edit'].code,
    columns,
    maxRows: 5_000,
    undoDays: 7,
    allowValidOnly: false,
    lookUp,
    validate(rows, known) {
      const faults: ImportFault[] = repeated(rows, 'policyNo', '保单号', known.rowKey);
      for (const row of rows) {
        const wrong = periodFault({ coverageStart: textOf(row, 'coverageStart'), coverageEnd: textOf(row, 'coverageEnd') });
        if (wrong !== null) faults.push(fault(row, 'coverageEnd', wrong));
        const product = known.productOf(row);
        if (!product) {
          faults.push(fault(row, 'productCode', `产品编码“${textOf(row, 'productCode')}”不存在`));
          continue;
        }
        const stored = known.policyOf(row);
        const others = stored ? differing(kernel, stored, wishOf(row, known)) : [];
        if (others.length > 0)
          faults.push(fault(row, 'policyNo', `${policyErrors.POLICY_NO_TAKEN.text}，且${others.join('、')}不同，请在保单页面修改或批改`));
        if (stored) continue;
        if (product.productVersionId === null)
          faults.push(fault(row, 'coverageStart', refuse(policyErrors.NO_VERSION, { date: textOf(row, 'coverageStart') }).message));
        else if (product.status !== 'ON_SALE') faults.push(fault(row, 'productCode', policyErrors.NOT_ON_SALE.text));
      }
      return faults;
    },
    match: (row, known) => known.policyOf(row),
    facts: wishOf,
    addOnly: () => true,
    async insert(rows, _known, writing) {
      const acting = { ...asSystem(writing, { now: writing.now, traceId: 'import' }), staffOrNull: writing.staff };
      const ids: string[] = [];
      for (const { values } of rows) ids.push((await createPolicy(acting, kernel.secrets, writing.staff, values)).id);
      return ids;
    },
    update: () => Promise.resolve(false),
    async undo(rows, _batchNo, { tx, now }) {
      const made = new Map(rows.flatMap((row) => (row.action === 'NEW' && row.targetId !== undefined ? [[row.targetId, row]] : [])));
      // nobody begins a list or an endorsement of them meanwhile
      const policies = await own(tx)
        .selectFrom('policyPolicy')
        .select(['id', 'policyNo', 'productVersionId', 'coverageStart'])
        .where('id', 'in', [...made.keys(), '0'])
        .orderBy('id')
        .forUpdate()
        .execute();
      const [used] = await policiesInUse(tx, [...made.keys()]);
      if (used) return { rowNo: made.get(used.id)?.rowNo ?? 0, no: policies.find(({ id }) => id === used.id)?.policyNo ?? '' };
      for (const policy of policies) await erasePolicy({ tx, now }, policy);
      return null;
    },
  });
