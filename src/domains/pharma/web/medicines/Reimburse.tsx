import { Button, Form, Input, InputNumber, Select } from 'antd';
import { useState } from 'react';
import { Field } from '#kernel/web/form/Field.tsx';
import type { InputOf } from '#kernel/contract/call.ts';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { ImportButton } from '#kernel/web/files/ImportWizard.tsx';
import { FormDialog } from '#kernel/web/form/FormDrawer.tsx';
import { useList } from '#kernel/web/http/queries.ts';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { Can } from '#kernel/web/kit/Can.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { queryMedicineList } from '../../contract/calls/medicines.ts';
import { exportReimburseList, queryReimburseList, saveReimburse, type ReimburseRow } from '../../contract/calls/skus.ts';
import { pharmaPermissions as may } from '../../contract/permissions.ts';
import { provinces } from '../../contract/provinces.ts';
import DayInput from '#kernel/web/form/DayInput.tsx';
import { OptionSelect } from '../shared/OptionSelect.tsx';

const provinceOptions = provinces.map(([value, label]) => ({ value, label }));

const rows = resource(queryReimburseList, {
  routeKey: 'medicineManagementTable:reimburse',
  empty: '没有符合条件的医保记录',
  filters: [
    { name: 'keyword', placeholder: '名称、拼音或批准文号' },
    { kind: 'select', name: 'provinceAdcode', options: provinceOptions },
    'reimburseClass',
  ],
  columns: [
    { key: 'genericName', width: 200, required: true },
    { key: 'provinceName', width: 130 },
    'reimburseClass',
    { key: 'selfPayBp', width: 110 },
    'restriction',
    'effectiveFrom',
    'effectiveTo',
  ],
});

type Values = InputOf<typeof saveReimburse>;

/** All provinces of one medicine; stands in a drawer, so its address stays the list's. */
function OneMedicine({ medicineId, actions }: { medicineId: string; actions: readonly RowAction<ReimburseRow>[] }) {
  const { rows: found, error, refetch } = useList(queryReimburseList, { medicineId, pageSize: 999 });
  return (
    <DataTable
      rows={found}
      columns={rows.columns}
      actions={actions}
      actionWidth={80}
      height={520}
      error={error}
      onRetry={() => void refetch()}
      empty="暂无医保记录"
    />
  );
}

/** 医保目录: of all medicines, or of one. */
export function Reimburse({ medicineId }: { medicineId?: string }) {
  const [form, setForm] = useState<{ row: ReimburseRow | null } | null>(null);
  const actions: readonly RowAction<ReimburseRow>[] = [{ label: '编辑', permission: may['medicine.edit'], act: (row) => setForm({ row }) }];
  const add = (
    <Can permission={may['medicine.edit']}>
      <Button type="primary" onClick={() => setForm({ row: null })}>
        新增记录
      </Button>
    </Can>
  );
  return (
    <>
      {medicineId ? (
        <>
          <p>{add}</p>
          <OneMedicine medicineId={medicineId} actions={actions} />
        </>
      ) : (
        <ResourceList
          of={rows}
          actions={actions}
          actionWidth={80}
          toolbar={(view) => (
            <>
              {add}
              <ImportButton
                importerCode="pharma.reimburse"
                label="导入医保目录"
                permission={may['medicine.edit']}
                onChanged={view.refetch}
              />
              <ExportButton call={exportReimburseList} view={view} permission={may['medicine.export']} />
            </>
          )}
        />
      )}
      {form && (
        <FormDialog<typeof saveReimburse, Values>
          open
          title={form.row ? '编辑医保记录' : '新增医保记录'}
          width={560}
          call={saveReimburse}
          refreshes={[queryReimburseList, queryMedicineList]}
          success="保存成功!"
          onClose={() => setForm(null)}
          {...(form.row && { recordKey: form.row.id })}
          initial={
            form.row
              ? {
                  medicineId: form.row.medicineId,
                  provinceAdcode: form.row.provinceAdcode,
                  reimburseClass: form.row.reimburseClass,
                  selfPayBp: form.row.selfPayBp / 100,
                  restriction: form.row.restriction,
                  effectiveFrom: form.row.effectiveFrom,
                  effectiveTo: form.row.effectiveTo,
                }
              : { ...(medicineId && { medicineId }), provinceAdcode: '000000', selfPayBp: 0 }
          }
          toInput={(values) => ({ ...values, ...(form.row && { id: form.row.id }), selfPayBp: Math.round((values.selfPayBp ?? 0) * 100) })}
        >
          <Field of={saveReimburse} name="medicineId">
            <OptionSelect kind="MEDICINE" disabled={medicineId !== undefined || form.row !== null} />
          </Field>
          <Field of={saveReimburse} name="provinceAdcode">
            <Select placeholder="请选择" showSearch={{ optionFilterProp: 'label' }} options={provinceOptions} />
          </Field>
          <Field of={saveReimburse} name="reimburseClass" />
          <Form.Item label="先行自付比例（%）" name="selfPayBp">
            <InputNumber className="kq-wide" min={0} max={100} precision={2} />
          </Form.Item>
          <Field of={saveReimburse} name="effectiveFrom">
            <DayInput />
          </Field>
          <Field of={saveReimburse} name="effectiveTo" extra="不填为长期有效">
            <DayInput />
          </Field>
          <Field of={saveReimburse} name="restriction">
            <Input.TextArea rows={2} />
          </Field>
        </FormDialog>
      )}
    </>
  );
}
