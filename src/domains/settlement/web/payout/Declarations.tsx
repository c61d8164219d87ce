import { todayHere } from '#kernel/web/form/today.ts';
import { yuan } from '#kernel/contract/money.ts';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { askTransition } from '#kernel/web/feedback/askTransition.ts';
import { askReason } from '#kernel/web/feedback/dialogs.tsx';
import { toastError } from '#kernel/web/feedback/toast.ts';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { download } from '#kernel/web/http/download.ts';
import { useCommand } from '#kernel/web/http/queries.ts';
import { failureText } from '#kernel/web/http/refusal.ts';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import {
  exportTaxDeclaration,
  exportTaxMonthList,
  markTaxDeclared,
  queryTaxMonthList,
  type TaxMonthRow,
} from '../../contract/calls/taxes.ts';
import { settlementPermissions as may } from '../../contract/permissions.ts';
import { taxMonthMachine } from '../../contract/taxStates.ts';
import { PayerSelect } from '../PayerSelect.tsx';

const months = resource(queryTaxMonthList, {
  routeKey: 'incomeSettle.declare',
  empty: '还没有需要申报的月份，付款出盘后自动登记',
  filters: [{ kind: 'picker', name: 'payerEntityId', picker: PayerSelect }, 'taxMonth', 'status'],
  columns: [
    { key: 'taxMonth', required: true },
    { key: 'payerName', required: true },
    'doctorCount',
    'grossFen',
    'taxFen',
    'declaredFen',
    'dueFen',
    'openCount',
    'declaredByName',
    'declaredAt',
    { key: 'declareCount', hidden: true },
    'status',
  ],
});

async function save(row: TaxMonthRow): Promise<void> {
  const reason = await askReason({
    title: '导出个税扣缴申报表',
    content: `${row.payerName} ${row.taxMonth} 的申报表含证件号码明文，下载记入操作日志。`,
    label: '下载原因',
  });
  if (reason === null) return;
  try {
    await download(exportTaxDeclaration, { id: row.id, reason });
  } catch (error) {
    toastError(failureText(error));
  }
}

/** Of a month that is over and was answered by the bank. */
const isFinal = ({ taxMonth, openCount }: TaxMonthRow): boolean => taxMonth < todayHere().slice(0, 7) && openCount === 0;

/** Tab 个税申报: what each company withheld in a month, its file, and that it was declared and paid. */
export function Declarations() {
  const { run } = useCommand(markTaxDeclared, { success: '操作成功!', refreshes: [queryTaxMonthList] });
  const mark = async (row: TaxMonthRow, action: 'declare' | 'correct') => {
    const facts = factsIn(queryTaxMonthList.output, row, ['payerName', 'taxMonth', 'doctorCount', 'grossFen', 'taxFen', 'declaredFen']);
    const { label } = taxMonthMachine.transitions[action];
    const content =
      row.dueFen < 0
        ? `确认已向税务机关更正申报？应退税 ${yuan(-row.dueFen, true)} 元，确认后记账。`
        : `确认已向税务机关申报并缴纳？本次缴纳 ${yuan(row.dueFen, true)} 元，确认后记账。`;
    if ((await askTransition(taxMonthMachine, action, { title: label, content }, facts)) === null) return;
    await run({ id: row.id, version: row.version, taxFen: row.taxFen });
  };
  const action = (name: 'declare' | 'correct'): RowAction<TaxMonthRow> => ({
    label: taxMonthMachine.transitions[name].label,
    permission: taxMonthMachine.transitions[name].permission,
    when: (row) => row.allowedActions.includes(name) && isFinal(row),
    act: (row) => mark(row, name),
  });
  const actions: readonly RowAction<TaxMonthRow>[] = [
    { label: '导出申报表', permission: may['tax.declare'], when: isFinal, act: save },
    action('declare'),
    action('correct'),
  ];
  return (
    <ResourceList
      of={months}
      actions={actions}
      toolbar={(view) => <ExportButton call={exportTaxMonthList} view={view} permission={may['tax.view']} />}
    />
  );
}
