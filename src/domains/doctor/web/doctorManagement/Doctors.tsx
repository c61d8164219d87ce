import { Button } from 'antd';
import { lazy, Suspense, useMemo, useState } from 'react';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { confirmWithOpinion } from '#kernel/web/feedback/dialogs.tsx';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { ImportButton } from '#kernel/web/files/ImportWizard.tsx';
import { refresh, useCommand } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import { ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { goTo } from '#kernel/web/router/navigate.ts';
import { param } from '#kernel/web/router/address.ts';
import { useMay } from '#kernel/web/session/store.ts';
import { useAddress, usePage } from '#kernel/web/tabs/page.tsx';
import {
  cancelDoctor,
  DOCTOR_IMPORTER,
  exportDoctorList,
  freezeDoctor,
  queryDoctorCounts,
  queryDoctorDetail,
  queryDoctorList,
  unfreezeDoctor,
  type DoctorRow,
} from '../../contract/calls/doctors.ts';
import { doctorPermissions as may } from '../../contract/permissions.ts';
import { accountMachine } from '../../contract/states.ts';
import { allDoctors, frozenDoctors } from './doctorList.tsx';
import { remindCertsOf } from './remindCerts.ts';

// Dialogs and forms are fetched when first opened.
const AddDoctorForm = lazy(async () => ({ default: (await import('./DoctorForm.tsx')).AddDoctorForm }));
const BindDialog = lazy(async () => ({ default: (await import('../helpDoctorManage/BindDialog.tsx')).BindDialog }));
const OpenForm = lazy(async () => ({ default: (await import('../doctorManagementService/OpenForm.tsx')).OpenForm }));
const CardDialog = lazy(async () => ({ default: (await import('./CardDialog.tsx')).CardDialog }));

const address = { doctorId: param.optional(), applyId: param.optional(), edit: param.optional() };
type Open = { kind: 'add' } | { kind: 'bind' | 'open' | 'card'; rows: readonly DoctorRow[] };
const reads = [queryDoctorList, queryDoctorCounts, queryDoctorDetail];
const nameOf = (row: DoctorRow) => `${row.name}（${row.doctorNo}）`;

/** Tabs 全部医生 and 已冻结. */
export function Doctors({ part }: { part: 'all' | 'frozen' }) {
  const [, setAddress] = useAddress(address);
  const { path } = usePage();
  const [open, setOpen] = useState<Open | null>(null);
  const fixed = useMemo(() => (part === 'frozen' ? { accountState: ['FROZEN' as const] } : {}), [part]);
  const actions = {
    freeze: useCommand(freezeDoctor, { refreshes: reads, success: '修改成功!' }),
    unfreeze: useCommand(unfreezeDoctor, { refreshes: reads, success: '修改成功!' }),
    cancel: useCommand(cancelDoctor, { refreshes: reads, success: '修改成功!' }),
  };
  const move = (action: keyof typeof actions) => async (row: DoctorRow) => {
    const { label, danger = false } = accountMachine.transitions[action];
    const hint =
      action === 'freeze'
        ? '冻结后服务停用、推荐下架、名片停用，未接诊的订单退款。'
        : action === 'cancel'
          ? '注销后不可恢复，手机号与证件可重新注册。'
          : '';
    const opinion = await confirmWithOpinion({
      title: label,
      content: `确定要${label}医生“${row.name}”吗?${hint}`,
      facts: factsIn(queryDoctorList.output, row, ['doctorNo', 'hospitalName', 'departmentName', 'mobile', 'openingCount']),
      danger,
    });
    if (opinion !== null) await actions[action].run({ doctorId: row.doctorId, version: row.version, opinion });
  };
  const allows = (action: string) => (row: DoctorRow) => row.allowedActions.includes(action);
  const live = (row: DoctorRow) => row.accountState !== 'CANCELLED';
  const holds = useMay();
  const judges = holds(may['qual.audit']) || holds(may['qual.recheck']);
  const close = () => setOpen(null);
  const ids = (rows: readonly DoctorRow[]) => rows.map(({ doctorId }) => doctorId);
  const doctors = (rows: readonly DoctorRow[]) => rows.map(({ doctorId, name }) => ({ id: doctorId, name }));
  return (
    <>
      <ResourceList
        of={part === 'frozen' ? frozenDoctors : allDoctors}
        fixed={fixed}
        toolbar={(view) => (
          <>
            {part === 'all' && (
              <Can permission={may['qual.enter']}>
                <Button type="primary" onClick={() => setOpen({ kind: 'add' })}>
                  新增医生
                </Button>
              </Can>
            )}
            {part === 'all' && (
              <ImportButton
                importerCode={DOCTOR_IMPORTER}
                label="导入医生"
                permission={may['doctor.import']}
                onChanged={() => void refresh(...reads)}
              />
            )}
            <ExportButton call={exportDoctorList} view={view} permission={may['doctor.export']} />
          </>
        )}
        onRowClick={(row) => setAddress({ doctorId: row.doctorId })}
        actions={[
          { label: '详情', act: (row) => setAddress({ doctorId: row.doctorId }) },
          {
            label: judges ? '审核' : '查看审核单',
            permission: may['qual.view'],
            when: (row) => row.openApplyId !== null,
            act: (row) => {
              if (row.openApplyId) setAddress({ applyId: row.openApplyId });
            },
          },
          { label: '编辑', permission: may['qual.enter'], when: live, act: (row) => setAddress({ doctorId: row.doctorId, edit: '1' }) },
          {
            label: '开通服务',
            permission: may['opening.edit'],
            when: (row) => row.practiceOk,
            act: (row) => setOpen({ kind: 'open', rows: [row] }),
          },
          { label: '绑定医助', permission: may['assistant.bind'], when: live, act: (row) => setOpen({ kind: 'bind', rows: [row] }) },
          {
            label: '推荐',
            permission: may['recommend.edit'],
            when: (row) => row.practiceOk,
            act: (row) => goTo(path, { tab: 'recommend', add: row.doctorId }),
          },
          {
            label: '生成名片',
            permission: may['card.edit'],
            when: (row) => row.qualState === 'APPROVED' && row.accountState === 'NORMAL',
            act: (row) => setOpen({ kind: 'card', rows: [row] }),
          },
          { label: '冻结', permission: may['doctor.freeze'], when: allows('freeze'), danger: true, act: move('freeze') },
          { label: '解冻', permission: may['doctor.freeze'], when: allows('unfreeze'), act: move('unfreeze') },
          { label: '注销', permission: may['doctor.cancel'], when: allows('cancel'), danger: true, act: move('cancel') },
        ]}
        batch={[
          {
            label: '绑定医助',
            permission: may['assistant.bind'],
            nameOf,
            dialog: (rows, { done, close: shut }) => <BindDialog doctors={doctors(rows)} onDone={done} onClose={shut} />,
          },
          {
            label: '批量开通服务',
            permission: may['opening.edit'],
            nameOf,
            dialog: (rows, { done, close: shut }) => <OpenForm doctorIds={ids(rows)} onDone={done} onClose={shut} />,
          },
          {
            label: '生成名片',
            permission: may['card.edit'],
            nameOf,
            dialog: (rows, { done, close: shut }) => <CardDialog doctors={rows} onDone={done} onClose={shut} />,
          },
          { label: '发送到期提醒', permission: may['qual.enter'], nameOf, each: (row) => remindCertsOf(row) },
        ]}
      />
      <Suspense fallback={null}>{open?.kind === 'add' && <AddDoctorForm onClose={close} />}</Suspense>
      <Suspense fallback={null}>{open?.kind === 'bind' && <BindDialog doctors={doctors(open.rows)} onClose={close} />}</Suspense>
      <Suspense fallback={null}>{open?.kind === 'open' && <OpenForm doctorIds={ids(open.rows)} onClose={close} />}</Suspense>
      <Suspense fallback={null}>{open?.kind === 'card' && <CardDialog doctors={open.rows} onClose={close} />}</Suspense>
    </>
  );
}
