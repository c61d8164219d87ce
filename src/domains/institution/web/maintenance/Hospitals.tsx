import { Button } from 'antd';
import { lazy, Suspense, useRef } from 'react';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { ask, confirmDelete, confirmWithOpinion } from '#kernel/web/feedback/dialogs.tsx';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { ImportButton } from '#kernel/web/files/ImportWizard.tsx';
import { send } from '#kernel/web/http/client.ts';
import { refresh, useCommand } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { param } from '#kernel/web/router/address.ts';
import { useAddress } from '#kernel/web/tabs/page.tsx';
import {
  changeHospitalState,
  delHospital,
  queryHospitalCounts,
  queryHospitalDetail,
  exportHospitalList,
  queryHospitalList,
  type HospitalRow,
} from '../../contract/hospitalCalls.ts';
import { institutionPermissions as may } from '../../contract/permissions.ts';
import { maintained } from '../hospitals/columns.tsx';

// Drawers and dialogs are fetched when first opened.
const HospitalDrawer = lazy(async () => ({ default: (await import('../hospitals/HospitalDrawer.tsx')).HospitalDrawer }));
const AliasDrawer = lazy(async () => ({ default: (await import('./AliasDrawer.tsx')).AliasDrawer }));
const DepartmentDrawer = lazy(async () => ({ default: (await import('./DepartmentDrawer.tsx')).DepartmentDrawer }));
const AddHospitalForm = lazy(async () => ({ default: (await import('./HospitalForm.tsx')).AddHospitalForm }));
const EditHospitalForm = lazy(async () => ({ default: (await import('./HospitalForm.tsx')).EditHospitalForm }));
const LevelDialog = lazy(async () => ({ default: (await import('./LevelDialog.tsx')).LevelDialog }));
const MergeDialog = lazy(async () => ({ default: (await import('./MergeDialog.tsx')).MergeDialog }));

const address = { hospitalId: param.optional(), parentId: param.optional() };

/** Tab 医院维护. */
export function Hospitals() {
  const [{ hospitalId, parentId }, setAddress] = useAddress(address);
  const { open, shown: opened } = useLayers();
  // Once opened the drawer stays, so that it closes with its motion.
  const drawn = useRef(false);
  drawn.current ||= hospitalId !== undefined;
  const reads = [queryHospitalList, queryHospitalDetail, queryHospitalCounts];
  const state = useCommand(changeHospitalState, { refreshes: reads, success: '修改成功!' });
  const remove = useCommand(delHospital, { refreshes: reads, success: '删除成功!' });
  const disable = async (row: HospitalRow) => {
    const warning = row.doctorCount > 0 ? `该医院下有${row.doctorCount}位在职医生，停用后将无法新增关联。` : '';
    const opinion = await confirmWithOpinion({
      title: '停用医院',
      content: `${warning}确定要停用“${row.name}”吗?`,
      facts: factsIn(queryHospitalList.output, row, ['hospitalNo', 'level', 'region', 'doctorCount', 'departmentCount']),
      danger: true,
    });
    if (opinion !== null) await state.run({ id: row.id, version: row.version, action: 'disable', opinion });
  };
  return (
    <>
      <ResourceList
        of={maintained}
        {...(parentId && { fixed: { parentId } })}
        toolbar={(view) => (
          <>
            <Can permission={may['hospital.edit']}>
              <Button type="primary" onClick={() => open((close) => <AddHospitalForm onClose={close} />)}>
                新增医院
              </Button>
            </Can>
            <ImportButton
              importerCode="institution.hospital"
              permission={may['hospital.import']}
              onChanged={() => void refresh(...reads)}
            />
            <ImportButton
              importerCode="institution.department"
              permission={may['hospital.import']}
              label="导入科室"
              onChanged={() => void refresh(...reads)}
            />
            <ExportButton call={exportHospitalList} view={view} permission={may['hospital.export']} />
            {parentId && <Button onClick={() => setAddress({ parentId: undefined })}>显示全部医院</Button>}
          </>
        )}
        onRowClick={(row) => setAddress({ hospitalId: row.id })}
        actions={[
          {
            label: '编辑',
            permission: may['hospital.edit'],
            when: (row) => row.state !== 'MERGED',
            act: (row) => open((close) => <EditHospitalForm hospitalId={row.id} onClose={close} />),
          },
          {
            label: '科室',
            when: (row) => row.state !== 'MERGED',
            act: (row) => open((close) => <DepartmentDrawer hospital={row} onClose={close} />),
          },
          {
            label: '别名',
            permission: may['hospital.edit'],
            when: (row) => row.state !== 'MERGED',
            act: (row) => open((close) => <AliasDrawer hospital={row} onClose={close} />),
          },
          { label: '院区', when: (row) => row.parentId === null && row.state !== 'MERGED', act: (row) => setAddress({ parentId: row.id }) },
          {
            label: '合并到…',
            permission: may['hospital.merge'],
            when: (row) => row.state !== 'MERGED',
            act: (row) => open((close) => <MergeDialog hospitals={[row]} onClose={close} />),
          },
          { label: '停用', permission: may['hospital.state'], when: (row) => row.state === 'ENABLED', danger: true, act: disable },
          {
            label: '启用',
            permission: may['hospital.state'],
            when: (row) => row.state === 'DISABLED',
            act: async (row) => {
              if (
                await ask({
                  content: `确定要启用“${row.name}”吗?`,
                  facts: factsIn(queryHospitalList.output, row, ['hospitalNo', 'level', 'region', 'doctorCount']),
                })
              )
                await state.run({ id: row.id, version: row.version, action: 'enable' });
            },
          },
          {
            label: '删除',
            permission: may['hospital.delete'],
            when: (row) => row.state !== 'MERGED',
            danger: true,
            act: async (row) => {
              if (await confirmDelete(`医院“${row.name}”（${row.hospitalNo}）`, [`${row.aliasCount}个别名一并删除`]))
                await remove.run({ id: row.id, version: row.version });
            },
          },
        ]}
        batch={[
          {
            label: '合并',
            permission: may['hospital.merge'],
            nameOf: (row) => row.name,
            unfit: (rows) => (rows.length < 2 || rows.length > 11 ? '请选择2至11家医院' : null),
            dialog: (rows, layer) => <MergeDialog hospitals={rows} onDone={layer.done} onClose={layer.close} />,
          },
          {
            label: '批量停用',
            permission: may['hospital.state'],
            danger: true,
            opinion: 'required',
            when: (row) => row.state === 'ENABLED',
            nameOf: (row) => row.name,
            each: (row, opinion) =>
              send(changeHospitalState, { id: row.id, version: row.version, action: 'disable', opinion }, { quiet: true }),
          },
          {
            label: '批量修改等级',
            permission: may['hospital.edit'],
            nameOf: (row) => row.name,
            dialog: (rows, layer) => <LevelDialog rows={rows} onDone={layer.done} onClose={layer.close} />,
          },
        ]}
      />
      <Suspense fallback={null}>
        {drawn.current && (
          <HospitalDrawer
            hospitalId={hospitalId}
            onClose={() => setAddress({ hospitalId: undefined })}
            onOpen={(id) => setAddress({ hospitalId: id })}
          />
        )}
      </Suspense>
      {opened}
    </>
  );
}
