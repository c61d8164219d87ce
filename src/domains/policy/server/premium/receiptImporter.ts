import { mask } from '#kernel/contract/masking.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { importColumns } from '#kernel/server/importing/importColumns.ts';
import type { Importer, ImportFault, ParsedRow } from '#kernel/server/importing/importer.ts';
import { upsertImporter } from '#kernel/server/importing/upsertImporter.ts';
import { authorColumns } from '#kernel/server/command/stampedColumns.ts';
import { addReceipt, importReceipt, RECEIPT_IMPORTER } from '../../contract/calls/premium.ts';
import { premiumPermissions as may } from '../../contract/permissions.ts';
import { own } from '../database.ts';

const textOf = ({ record }: ParsedRow, key: string) => String(record[key] ?? '').trim();

/** Bank statements: each flow of an account once; one that stands already is left as it is. */
export const receiptImporter = ({ secrets }: Kernel): Importer => {
  const accountHash = (row: ParsedRow) => secrets.blindIndex('policy.bankAccount', textOf(row, 'bankAccount'));
  const keyOf = (row: ParsedRow) => `${accountHash(row)}:${textOf(row, 'bankFlowNo')}`;
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
              .select(['id', 'version', 'bankAccountHash', 'bankFlowNo'])
              .where('bankFlowNo', 'in', flows)
              .execute();
      return new Map(known.map((row) => [`${row.bankAccountHash}:${row.bankFlowNo}`, row]));
    },
    validate(rows) {
      const faults: ImportFault[] = [];
      const seen = new Set<string>();
      for (const row of rows) {
        const fault = (columnKey: string, message: string) => faults.push({ rowNo: row.rowNo, columnKey, severity: 'ERROR', message });
        if (seen.has(keyOf(row))) fault('bankFlowNo', '银行流水号在文件中重复');
        seen.add(keyOf(row));
      }
      return faults;
    },
    match: (row, known) => known.get(keyOf(row)),
    facts: (row) => ({
      direction: textOf(row, 'direction') === 'REFUND' ? ('REFUND' as const) : ('COLLECT' as const),
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
