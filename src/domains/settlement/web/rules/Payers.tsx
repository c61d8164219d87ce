import { Button } from 'antd';
import type { InputOf } from '#kernel/contract/call.ts';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { Can } from '#kernel/web/kit/Can.tsx';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import {
  addPayerEntity,
  exportPayerEntityList,
  modifyPayerEntity,
  queryPayerEntityList,
  queryPayerOptions,
  type PayerRow,
} from '../../contract/calls/rules.ts';
import { settlementPermissions as may } from '../../contract/permissions.ts';

const refreshes = [queryPayerEntityList, queryPayerOptions];
const payers = resource(queryPayerEntityList, {
  routeKey: 'settlementRules.payers',
  empty: '还没有付款主体，点「新增主体」添加',
  filters: ['entityName', 'enabled'],
  columns: [
    { key: 'entityCode', required: true },
    'entityName',
    'taxNo',
    'bankName',
    'bankAccountMasked',
    { key: 'bankTemplate', plain: true },
    'isPlatform',
    { key: 'taxMethod', plain: true },
    'enabled',
    { key: 'updatedAt', hidden: true },
  ],
});

type NewValues = InputOf<typeof addPayerEntity>;
type Changes = Omit<InputOf<typeof modifyPayerEntity>, 'id' | 'version'>;

function PayerForm({ row, onClose }: { row: PayerRow | null; onClose(): void }) {
  if (row === null)
    return (
      <FormDrawer<typeof addPayerEntity, NewValues>
        open
        title="新增付款主体"
        call={addPayerEntity}
        initial={{ isPlatform: true, bankTemplate: 'GENERIC_CSV' }}
        refreshes={refreshes}
        success="新增成功!"
        onClose={onClose}
      >
        <Field of={addPayerEntity} name="entityCode" />
        <Field of={addPayerEntity} name="entityName" />
        <Field of={addPayerEntity} name="taxNo" />
        <Field of={addPayerEntity} name="bankName" />
        <Field of={addPayerEntity} name="bankAccountNo" />
        <Field of={addPayerEntity} name="bankTemplate" extra="付款批次出盘时按此格式生成银行文件" />
        <Field of={addPayerEntity} name="isPlatform" extra="互联网平台企业按累计预扣法预扣个税，其他企业按次预扣" />
      </FormDrawer>
    );
  const { entityName, taxNo, bankName, bankTemplate, isPlatform, enabled } = row;
  return (
    <FormDrawer<typeof modifyPayerEntity, Changes>
      open
      title={`编辑付款主体 ${row.entityCode}`}
      call={modifyPayerEntity}
      recordKey={row.id}
      initial={{ entityName, taxNo, bankName, bankTemplate, isPlatform, enabled }}
      toInput={({ bankAccountNo, ...values }) => ({
        ...values,
        ...(bankAccountNo && { bankAccountNo }),
        id: row.id,
        version: row.version,
      })}
      refreshes={refreshes}
      success="修改成功!"
      onClose={onClose}
    >
      <Field of={modifyPayerEntity} name="entityName" />
      <Field of={modifyPayerEntity} name="taxNo" />
      <Field of={modifyPayerEntity} name="bankName" />
      <Field of={modifyPayerEntity} name="bankAccountNo" placeholder={`${row.bankAccountMasked}，不改请留空`} />
      <Field of={modifyPayerEntity} name="bankTemplate" extra="付款批次出盘时按此格式生成银行文件" />
      <Field of={modifyPayerEntity} name="isPlatform" extra="改变扣税方法须在当年首次付款之前" />
      <Field of={modifyPayerEntity} name="enabled" />
    </FormDrawer>
  );
}

/** Tab 付款主体与个税: our legal companies that pay and withhold. */
export function Payers() {
  const layers = useLayers();
  const open = (row: PayerRow | null) => layers.open((close) => <PayerForm row={row} onClose={close} />);
  const actions: readonly RowAction<PayerRow>[] = [{ label: '编辑', permission: may['rule.payer'], act: open }];
  return (
    <>
      <ResourceList
        of={payers}
        actions={actions}
        toolbar={(view) => (
          <>
            <Can permission={may['rule.payer']}>
              <Button type="primary" onClick={() => open(null)}>
                新增主体
              </Button>
            </Can>
            <ExportButton call={exportPayerEntityList} view={view} permission={may['rule.view']} />
          </>
        )}
      />
      {layers.shown}
    </>
  );
}
