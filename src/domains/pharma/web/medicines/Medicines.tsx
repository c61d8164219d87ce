import { Button } from 'antd';
import { lazy, Suspense, useMemo, useRef, useState } from 'react';
import { Field } from '#kernel/web/form/Field.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { ask, confirmDelete, confirmWithOpinion } from '#kernel/web/feedback/dialogs.tsx';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { ImportButton } from '#kernel/web/files/ImportWizard.tsx';
import { FormDialog } from '#kernel/web/form/FormDrawer.tsx';
import { send } from '#kernel/web/http/client.ts';
import { SERVER_MESSAGE, useCommand } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { BatchResult } from '#kernel/web/list/BatchResult.tsx';
import type { RowOutcome } from '#kernel/web/list/rowOutcome.ts';
import type { BatchLayer } from '#kernel/web/list/BatchBar.tsx';
import { ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { param } from '#kernel/web/router/address.ts';
import { useAddress } from '#kernel/web/tabs/page.tsx';
import {
  changeMedicineState,
  copyMedicine,
  delMedicine,
  exportMedicineList,
  moveMedicineCategory,
  queryMedicineCounts,
  queryMedicineList,
  submitMedicine,
  type MedicineRow,
} from '../../contract/calls/medicines.ts';
import { pharmaPermissions as may } from '../../contract/permissions.ts';
import { medicineMachine } from '../../contract/states.ts';
import { OptionSelect } from '../shared/OptionSelect.tsx';
import { medicineList } from './medicineList.tsx';

const MedicineDrawer = lazy(async () => ({ default: (await import('./MedicineDrawer.tsx')).MedicineDrawer }));
const MedicineForm = lazy(async () => ({ default: (await import('./MedicineForm.tsx')).MedicineForm }));

type State = MedicineRow['state'];
const refreshes = [queryMedicineList, queryMedicineCounts];
const address = { medicineId: param.optional(), view: param.optional() };
const nameOf = (row: MedicineRow) => `${row.genericName} ${row.strength ?? ''}（${row.medicineNo}）`;

/** The medicines of one state, or all of them. */
export function Medicines({ state }: { state?: State }) {
  const [{ medicineId, view }, setAddress] = useAddress(address);
  const [form, setForm] = useState<{ medicineId: string | null } | null>(null);
  const [copied, setCopied] = useState<MedicineRow | null>(null);
  const fixed = useMemo(() => (state ? { state: [state] } : undefined), [state]);
  const submit = useCommand(submitMedicine, { success: SERVER_MESSAGE, refreshes });
  const change = useCommand(changeMedicineState, { success: '操作成功!', refreshes });
  const remove = useCommand(delMedicine, { success: '删除成功!', refreshes });
  const facts = (row: MedicineRow) =>
    factsIn(queryMedicineList.output, row, ['medicineNo', 'strength', 'approvalNo', 'holderName', 'skuCount']);
  const changeState = (action: 'takeOff' | 'void') => async (row: MedicineRow) => {
    const { label } = medicineMachine.transitions[action];
    const opinion = await confirmWithOpinion({
      title: label,
      content: `确定要${label}${row.genericName}吗?${row.lineName ? `该药品属于产品线${row.lineName}。` : ''}`,
      facts: facts(row),
      danger: true,
      opinion: 'required',
    });
    if (opinion !== null) await change.run({ id: row.id, version: row.version, action, opinion });
  };
  const actions: readonly RowAction<MedicineRow>[] = [
    { label: '详情', act: (row) => setAddress({ medicineId: row.id, view: undefined }) },
    {
      label: '编辑',
      permission: may['medicine.edit'],
      when: (row) => medicineMachine.canStart('modify', row.state),
      act: (row) => setForm({ medicineId: row.id }),
    },
    { label: '商品与价格', act: (row) => setAddress({ medicineId: row.id, view: 'goods' }) },
    {
      label: '提交审核',
      permission: may['medicine.edit'],
      when: (row) => row.state === 'DRAFT',
      act: async (row) => {
        if (await ask({ title: '提交审核', content: `确定要提交${row.genericName}审核吗?`, facts: facts(row) }))
          await submit.run({ id: row.id, version: row.version });
      },
    },
    {
      label: '上架',
      permission: may['medicine.edit'],
      when: (row) => row.state === 'OFF' && row.pendingApply === null,
      act: async (row) => {
        if (await ask({ title: '上架', content: `上架须他人审核，确定要提交${row.genericName}的上架申请吗?`, facts: facts(row) }))
          await change.run({ id: row.id, version: row.version, action: 'putOn' });
      },
    },
    { label: '下架', permission: may['medicine.edit'], danger: true, when: (row) => row.state === 'ON', act: changeState('takeOff') },
    { label: '复制', permission: may['medicine.edit'], act: (row) => setCopied(row) },
    {
      label: '作废',
      permission: may['medicine.audit'],
      danger: true,
      when: (row) => row.state === 'DRAFT' || row.state === 'OFF',
      act: changeState('void'),
    },
    {
      label: '删除',
      permission: may['medicine.edit'],
      danger: true,
      when: (row) => row.state === 'DRAFT',
      act: async (row) => {
        if (await confirmDelete(`药品“${row.genericName}”（${row.medicineNo}）`, ['医保类别与产品线绑定一并删除']))
          await remove.run({ id: row.id, version: row.version });
      },
    },
  ];
  return (
    <>
      <ResourceList
        of={medicineList}
        {...(fixed && { fixed })}
        actions={actions}
        batch={[
          {
            label: '调整分类',
            permission: may['medicine.edit'],
            nameOf,
            dialog: (rows, layer) => <CategoryDialog medicines={rows} {...layer} />,
          },
          {
            label: '批量上架',
            permission: may['medicine.edit'],
            nameOf,
            when: (row) => row.state === 'OFF' && row.pendingApply === null,
            each: (row) => send(changeMedicineState, { id: row.id, version: row.version, action: 'putOn' }, { quiet: true }),
          },
          {
            label: '批量下架',
            permission: may['medicine.edit'],
            danger: true,
            opinion: 'required',
            nameOf,
            when: (row) => row.state === 'ON',
            each: (row, opinion) =>
              send(changeMedicineState, { id: row.id, version: row.version, action: 'takeOff', opinion }, { quiet: true }),
          },
        ]}
        toolbar={(list) => (
          <>
            <Can permission={may['medicine.edit']}>
              <Button type="primary" onClick={() => setForm({ medicineId: null })}>
                新增药品
              </Button>
            </Can>
            <ImportButton importerCode="pharma.medicine" label="导入药品" permission={may['medicine.import']} onChanged={list.refetch} />
            <ImportButton importerCode="pharma.skuPrice" label="导入价格" permission={may['medicine.import']} onChanged={list.refetch} />
            <ExportButton call={exportMedicineList} view={list} permission={may['medicine.export']} />
          </>
        )}
      />
      <Suspense fallback={null}>
        {form && (
          <MedicineForm medicineId={form.medicineId} onClose={() => setForm(null)} onOpen={(id) => setAddress({ medicineId: id })} />
        )}
      </Suspense>
      <Suspense fallback={null}>
        {medicineId && (
          <MedicineDrawer
            key={`${medicineId}:${view ?? ''}`}
            medicineId={medicineId}
            tab={view}
            onClose={() => setAddress({ medicineId: undefined, view: undefined })}
          />
        )}
      </Suspense>
      {copied && (
        <FormDialog<typeof copyMedicine, { approvalNo: string }>
          open
          title={`复制 ${copied.genericName}`}
          call={copyMedicine}
          toInput={({ approvalNo }) => ({ id: copied.id, approvalNo })}
          refreshes={refreshes}
          success="添加成功!"
          onClose={() => setCopied(null)}
          onDone={({ data }) => setForm({ medicineId: data.id })}
        >
          <Field of={copyMedicine} name="approvalNo" label="新药品的批准文号" />
        </FormDialog>
      )}
    </>
  );
}

/** One category for several medicines, with a result for each. */
function CategoryDialog({ medicines, done, close }: BatchLayer & { medicines: readonly MedicineRow[] }) {
  const [outcomes, setOutcomes] = useState<readonly RowOutcome[] | null>(null);
  const moved = useRef(false);
  if (outcomes) return <BatchResult title="调整分类" outcomes={outcomes} total={outcomes.length} running={false} onClose={close} />;
  return (
    <FormDialog<typeof moveMedicineCategory, { categoryId: string }>
      open
      title={`调整 ${medicines.length} 个药品的分类`}
      call={moveMedicineCategory}
      toInput={({ categoryId }) => ({ medicineIds: medicines.map((row) => row.id), categoryId })}
      refreshes={refreshes}
      // The dialog closes itself after a success; its result takes its place instead.
      onDone={({ data }) => {
        moved.current = true;
        setOutcomes(data.map(({ name, ok, message }) => ({ name, ok, message })));
        done();
      }}
      onClose={() => {
        if (!moved.current) close();
      }}
    >
      <Field of={moveMedicineCategory} name="categoryId">
        <OptionSelect kind="CATEGORY" placeholder="请选择末级分类" />
      </Field>
    </FormDialog>
  );
}
