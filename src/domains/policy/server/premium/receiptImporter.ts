import { mask } from '#kernel/contract/masking.ts';
import { yuan } from '#kernel/contract/money.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { importColumns } from '#kernel/server/importing/importColumns.ts';
import type { Importer, ImportFault, ParsedRow } from '#kernel/server/importing/importer.ts';
import { upsertImporter } from '#kernel/server/importing/upsertImporter.ts';
import { authorColumns } from '#kernel/server/command/stampedColumns.ts';
import { addReceipt, importReceipt, RECEIPT_IMPORTER } from '../../contract/calls/premium.ts';
import { directions } from '../../contract/premiumStates.ts';
import { premiumPermissions as may } from '../../contract/permissions.ts';
import { own } from '../database.ts';

const textOf = ({ record }: ParsedRow, key: string) => String(record[key] ?? '').trim();

/**
 * Bank statements: each flow of an account once, whichever statements it stands in. Banks use their numbers again, so a flow is one by its
 * account, number and day; one that stands already with another sum is a fault of its row.
 */
export const receiptImporter = ({ secrets }: Kernel): Importer => {
  const accountHash = (row: ParsedRow) => secrets.blindIndex('policy.bankAccount', textOf(row, 'bankAccount'));
  const flowOf = (row: ParsedRow) => `${accountHash(row)}:${textOf(row, 'bankFlowNo')}`;
  const keyOf = (row: ParsedRow) => `${flowOf(row)}:${textOf(row, 'paidOn')}`;
  const directionOf = (row: ParsedRow) => (textOf(row, 'direction') === 'REFUND' ? ('REFUND' as const) : ('COLLECT' as const));
  return upsertImporter({
    code: RECEIPT_IMPORTER,
    label: '到账记录',
    call: importReceipt,
    templateVersion: '1',
    permission: may['premium.receipt'].code,
    columns: importColumns(addReceipt.input.shape, [
      { key: 'direction', example: '收' },
      { key: 'amountFen', label: '金额(元)', example: '12000.00' },
      { key: 'paidOn', example: '2026-11-01' },
      { key: 'payerName', example: '江南科技有限公司' },
      { key: 'bankFlowNo', example: 'B20261101700001' },
      { key: 'bankAccount', example: '6222020200112233' },
    ]),
    maxRows: 5_000,
    allowValidOnly: false,
    async lookUp(db, rows) {
      const flows = rows.map((row) => textOf(row, 'bankFlowNo'));
      const known =
        flows.length === 0
          ? []
          : await own(db)
              .selectFrom('policyPremiumReceipt')
              .select(['id', 'version', 'bankAccountHash', 'bankFlowNo', 'paidOn', 'direction', 'amountFen'])
              .where('bankFlowNo', 'in', flows)
              .execute();
      const flow = ({ bankAccountHash, bankFlowNo }: (typeof known)[number]) => `${bankAccountHash}:${bankFlowNo}`;
      return { byKey: new Map(known.map((row) => [`${flow(row)}:${row.paidOn}`, row])), byFlow: Map.groupBy(known, flow) };
    },
    validate(rows, { byKey, byFlow }) {
      const faults: ImportFault[] = [];
      const seen = new Set<string>();
      for (const row of rows) {
        const fault = (columnKey: string, message: string) => faults.push({ rowNo: row.rowNo, columnKey, severity: 'ERROR', message });
        if (seen.has(keyOf(row))) fault('bankFlowNo', '银行流水号在文件中重复');
        seen.add(keyOf(row));
        const stored = byKey.get(keyOf(row));
        const [other] = byFlow.get(flowOf(row)) ?? [];
        if (stored && (stored.direction !== directionOf(row) || stored.amountFen !== textOf(row, 'amountFen')))
          fault('amountFen', `该流水已登记为${directions.label(stored.direction)}${yuan(stored.amountFen)}元，与本行不一致；请向银行核实`);
        else if (!stored && other)
          faults.push({
            rowNo: row.rowNo,
            columnKey: 'bankFlowNo',
            severity: 'WARN',
            message: `该流水号在${other.paidOn}已登记${yuan(other.amountFen)}元；请确认本行是另一笔到账`,
          });
      }
      return faults;
    },
    match: (row, { byKey }) => byKey.get(keyOf(row)),
    facts: (row) => ({
      direction: directionOf(row),
      amountFen: textOf(row, 'amountFen'),
      paidOn: textOf(row, 'paidOn'),
      payerName: textOf(row, 'payerName'),
      bankFlowNo: textOf(row, 'bankFlowNo'),
      account: textOf(row, 'bankAccount'),
      bankAccountHash: accountHash(row),
    }),
    // A bank's flow is never changed.
    addOnly: () => true,
    async insert(rows, _known, { tx, now, staff, batchNo }) {
      const made = await own(tx)
        .insertInto('policyPremiumReceipt')
        .values(
          rows.map(({ values: { account, ...facts } }) => ({
            ...facts,
            bankAccountCipher: secrets.encrypt(account),
            bankAccountMasked: mask('bankCard', account),
            source: 'IMPORT' as const,
            batchNo,
            ...authorColumns({ now, staff }),
          })),
        )
        .returning('id')
        .execute();
      return made.map(({ id }) => id);
    },
    update: () => Promise.resolve(false),
  });
};
