import { noteWritten } from '#kernel/server/audit/fourEyes.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import { dayOf } from '#kernel/contract/time.ts';
import { importColumns } from '#kernel/server/importing/importColumns.ts';
import type { Importer, ImportFault, ParsedRow } from '#kernel/server/importing/importer.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { authorColumns } from '#kernel/server/command/stampedColumns.ts';
import type { IdType } from '#domains/patient/contract/dictionaries.ts';
import { idNoHash } from '#domains/patient/server/index.ts';
import { addGrant, importGrant } from '../../contract/calls/grants.ts';
import { GRANT_IMPORTER } from '../../contract/grantStates.ts';
import { own } from '../database.ts';
import { termsOf } from '../types/terms.ts';
import { faultOfDays, grantedSerials, isPossibleIdNo, lineColumns, tidyIdNo } from './lines.ts';

const typeIdOf = ({ cardTypeId }: Readonly<Record<string, unknown>>): string => (typeof cardTypeId === 'string' ? cardTypeId : '0');
const textOf = ({ record }: Pick<ParsedRow, 'record'>, key: string) => (record[key] === null ? '' : String(record[key]));
const fenOf = ({ record }: Pick<ParsedRow, 'record'>, key: string) => Number(record[key] ?? 0);

export const grantColumns = importColumns(addGrant.input.shape, [
  { key: 'holderName', example: '张建国' },
  { key: 'idType', example: '身份证' },
  { key: 'idNo', sensitive: true, example: '110101199003070011' },
  { key: 'mobile', type: 'mobile', sensitive: true, example: '13800000000' },
  { key: 'amount', label: '发放金额(元)', example: '2000.00' },
  { key: 'bonus', example: '0.00' },
  { key: 'effectiveFrom', example: '2027-01-01', note: '不填则审批通过后立即发放' },
  { key: 'expireOn', example: '2027-12-31' },
  'policyNo',
  // What repeats is found by it.
  { key: 'outerSerialNo', required: true, example: 'ZA-2026-000001' },
]);

/**
 * No `upsertImporter`: a list makes one grant of its own and matches nothing. A list of people and what each gets: becomes a grant
 * in draft, which is then submitted and passed.
 */
export const grantImporter = (kernel: Kernel, permission: string): Importer => ({
  code: GRANT_IMPORTER,
  label: '储值发放名单',
  call: importGrant,
  templateVersion: '2',
  permission,
  columns: grantColumns,
  maxRows: 20_000,
  allowValidOnly: false,
  scopeKey: typeIdOf,
  validateRow(row) {
    const faults: ImportFault[] = [];
    const fault = (columnKey: string, message: string) => faults.push({ rowNo: row.rowNo, columnKey, severity: 'ERROR', message });
    if (!isPossibleIdNo(textOf(row, 'idType'), tidyIdNo(textOf(row, 'idNo')))) fault('idNo', `第${row.rowNo}行证件号校验不通过`);
    if (fenOf(row, 'amount') + fenOf(row, 'bonus') > 100_000_000) fault('amount', '发放金额不能大于100万元');
    return faults;
  },
  async validateAll(rows, { db, params, now }) {
    const type = await own(db).selectFrom('cardType').selectAll().where('id', '=', typeIdOf(params)).executeTakeFirst();
    const first = rows[0]!;
    const faults: ImportFault[] = [];
    const fault = (rowNo: number, columnKey: string, message: string) => faults.push({ rowNo, columnKey, severity: 'ERROR', message });
    if (type?.status !== 'ENABLED') fault(first.rowNo, 'holderName', '卡种未启用，请重新选择卡种');
    if (!type) return faults;
    const stored = type.kind === 'STORED_VALUE';
    const serials = rows.map((row) => textOf(row, 'outerSerialNo')).filter(Boolean);
    const granted = await grantedSerials(db, type.id, serials);
    const hashes = new Map(rows.map((row) => [row.rowNo, idNoHash(kernel.secrets, tidyIdNo(textOf(row, 'idNo')))]));
    const one = !stored || termsOf(type.rules).oneCardPerPerson;
    const holders = one
      ? new Set(
          (
            await own(db)
              .selectFrom('cardCard')
              .select('holderIdHash')
              .where('cardTypeId', '=', type.id)
              .where('holderIdHash', 'in', [...hashes.values()])
              .where('state', 'in', ['ISSUED', 'ACTIVE', 'FROZEN', 'DEPLETED'])
              .execute()
          ).map(({ holderIdHash }) => holderIdHash),
        )
      : new Set<string>();
    const [seenSerials, seenPeople] = [new Set<string>(), new Set<string>()];
    for (const row of rows) {
      const serial = textOf(row, 'outerSerialNo');
      const person = hashes.get(row.rowNo)!;
      const total = fenOf(row, 'amount') + fenOf(row, 'bonus');
      if (serial !== '' && seenSerials.has(serial)) fault(row.rowNo, 'outerSerialNo', '外部流水号在文件中重复');
      if (granted.has(serial)) fault(row.rowNo, 'outerSerialNo', `第${row.rowNo}行外部流水号已发放`);
      if (one && (holders.has(person) || seenPeople.has(person))) fault(row.rowNo, 'idNo', '同一人同卡种已持卡，不支持重复发放');
      if (stored && total === 0) fault(row.rowNo, 'amount', '发放金额须大于0');
      if (!stored && total > 0) fault(row.rowNo, 'amount', '只有储值卡可以发放金额，请填0');
      if (type.funder === 'PLATFORM' && fenOf(row, 'amount') > 0) fault(row.rowNo, 'amount', '平台只能出资赠金');
      const days = { effectiveFrom: textOf(row, 'effectiveFrom') || null, expireOn: textOf(row, 'expireOn') || null };
      const wrong = faultOfDays(days, dayOf(now));
      if (wrong) fault(row.rowNo, wrong.field, wrong.message);
      seenSerials.add(serial);
      seenPeople.add(person);
    }
    return faults;
  },
  plan: (rows) => Promise.resolve(rows.map((row) => ({ ...row, action: 'NEW' as const }))),
  async commitChunk(rows, batchNo, { tx, staff, params, now }) {
    const cardTypeId = typeIdOf(params);
    const known = await own(tx)
      .selectFrom('cardGrant')
      .select('id')
      .where('sourceKey', '=', `import:${batchNo}`)
      .forUpdate()
      .executeTakeFirst();
    const grantId =
      known?.id ??
      (
        await own(tx)
          .insertInto('cardGrant')
          .values({
            grantNo: await nextNumber(tx, 'GR', dayOf(now)),
            cardTypeId,
            source: 'IMPORT',
            sourceKey: `import:${batchNo}`,
            purpose: `名单导入 ${batchNo}`,
            status: 'DRAFT',
            ...authorColumns({ now, staff }),
            createdByName: staff.displayName,
          })
          .returning('id')
          .executeTakeFirstOrThrow()
      ).id;
    await noteWritten({ tx, now }, staff.userId, 'card.grant', [grantId]);
    const made = await own(tx)
      .insertInto('cardGrantLine')
      .values(
        rows.map((row) => ({
          grantId,
          cardTypeId,
          rowNo: row.rowNo,
          ...lineColumns(kernel.secrets, {
            holderName: textOf(row, 'holderName'),
            idType: textOf(row, 'idType') as IdType,
            idNo: textOf(row, 'idNo'),
            mobile: textOf(row, 'mobile'),
            amount: fenOf(row, 'amount'),
            bonus: fenOf(row, 'bonus'),
            effectiveFrom: textOf(row, 'effectiveFrom') || null,
            expireOn: textOf(row, 'expireOn') || null,
            policyNo: textOf(row, 'policyNo') || null,
            outerSerialNo: textOf(row, 'outerSerialNo') || null,
          }),
        })),
      )
      .returning(['id', 'rowNo'])
      .execute();
    const sum = (key: string) => rows.reduce((total, row) => total + fenOf(row, key), 0);
    await own(tx)
      .updateTable('cardGrant')
      .set((eb) => ({
        totalCount: eb('totalCount', '+', rows.length),
        totalAmount: eb('totalAmount', '+', String(sum('amount'))),
        totalBonus: eb('totalBonus', '+', String(sum('bonus'))),
      }))
      .where('id', '=', grantId)
      .execute();
    return new Map(made.map(({ id, rowNo }) => [rowNo, id]));
  },
});
